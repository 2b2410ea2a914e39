// Package vdom works on the tree that Vugu has built of the page before it is rendered:
// it translates the texts (translate.go) and leaves out what has not changed (memo.go).
package shell

import (
	"bytes"
	"slices"
	"strings"

	"github.com/vugu/vugu"
)

// Memo is the page as it was last rendered. At every rendering, Vugu sends the browser
// each of some thousand nodes, and a dozen of them have changed. Memo removes unchanged
// children: the renderer leaves the contents of a node without children as they are.
//
// Nodes are compared by position, as Vugu finds them in the document. So the page must not
// have <vg-template>, whose children take positions beside it.
type Memo struct {
	last    *vugu.BuildResults // nil before the first rendering
	removed []removed
	// data-… of fields with typed text and of moved sliders: they may show something other
	// than was rendered
	Typed  []string
	Chosen bool // an option was chosen, so any control may differ
	Placed bool // figures may have moved since the last page, or be new
}

// removed is what was removed from a node.
type removed struct {
	node, children *vugu.VGNode
	html           *string
}

// Shorten removes from a page what is as in the last one, and reports whether anything
// has to be rendered. [Memo.Restore] puts it back.
func (m *Memo) Shorten(page *vugu.BuildResults) bool {
	last := m.last
	m.last, m.Placed = page, last == nil
	return last == nil || !m.same(BuiltNode(last, last.Out.Out[0]), BuiltNode(page, page.Out.Out[0]), last, page)
}

// Restore completes a shortened page after it was rendered. From now on, controls show
// what was rendered, until the next input.
func (m *Memo) Restore() {
	for _, t := range m.removed {
		t.node.FirstChild, t.node.InnerHTML = t.children, t.html
	}
	clear(m.removed)
	m.removed = m.removed[:0]
	m.Typed, m.Chosen = m.Typed[:0], false
}

// remove removes the children of a node.
func (m *Memo) remove(n *vugu.VGNode) {
	if n.FirstChild != nil || n.InnerHTML != nil {
		m.removed = append(m.removed, removed{n, n.FirstChild, n.InnerHTML})
		n.FirstChild, n.InnerHTML = nil, nil
	}
}

// same reports whether a node and its descendants are as in the last page. If not, it
// removes the contents of those children that are.
func (m *Memo) same(old, now *vugu.VGNode, last, page *vugu.BuildResults) bool {
	if old.Type != now.Type || old.Data != now.Data || old.Namespace != now.Namespace ||
		(old.InnerHTML == nil) != (now.InnerHTML == nil) {
		m.Placed = true
		return false // another element, which starts empty
	}
	same := m.alike(old, now)
	var kept [16]*vugu.VGNode
	unchanged := kept[:0]
	was, is := old.FirstChild, now.FirstChild
	for ; was != nil && is != nil; was, is = was.NextSibling, is.NextSibling {
		if child := BuiltNode(page, is); m.same(BuiltNode(last, was), child, last, page) {
			unchanged = append(unchanged, child)
		} else {
			same = false
		}
	}
	if same && was == nil && is == nil {
		return true
	}
	m.Placed = m.Placed || was != nil || is != nil
	for _, child := range unchanged {
		m.remove(child)
	}
	return false
}

// alike reports whether a node, without its children, is as it was. Then it keeps its old
// list of handlers, which Vugu still calls, with the new handlers in it.
func (m *Memo) alike(old, now *vugu.VGNode) bool {
	if len(now.Prop) > 0 && (m.Chosen || m.typedIn(now)) {
		return false
	}
	equal := slices.Equal(old.Attr, now.Attr) &&
		(now.InnerHTML == nil || *old.InnerHTML == *now.InnerHTML) &&
		slices.EqualFunc(old.Prop, now.Prop, func(a, b vugu.VGProperty) bool {
			return a.Key == b.Key && bytes.Equal(a.JSONVal, b.JSONVal)
		}) &&
		slices.EqualFunc(old.DOMEventHandlerSpecList, now.DOMEventHandlerSpecList,
			func(a, b vugu.DOMEventHandlerSpec) bool {
				return a.EventType == b.EventType && a.Capture == b.Capture && a.Passive == b.Passive
			})
	if equal {
		copy(old.DOMEventHandlerSpecList, now.DOMEventHandlerSpecList)
		now.DOMEventHandlerSpecList = old.DOMEventHandlerSpecList
	} else if now.Data == "canvas" && !slices.EqualFunc(old.Attr, now.Attr, sameOrDescription) {
		m.Placed = true
	}
	return equal
}

func (m *Memo) typedIn(n *vugu.VGNode) bool {
	return len(m.Typed) > 0 && slices.ContainsFunc(n.Attr, func(a vugu.VGAttribute) bool {
		return strings.HasPrefix(a.Key, "data-") && slices.Contains(m.Typed, a.Val)
	})
}

// sameOrDescription reports whether an attribute of a figure is as it was, or is only its
// description.
func sameOrDescription(old, now vugu.VGAttribute) bool {
	return old == now || old.Key == now.Key && now.Key == "aria-label"
}

// BuiltNode returns a node as it is rendered: the outermost one that a component has
// built, if it stands for one.
func BuiltNode(page *vugu.BuildResults, n *vugu.VGNode) *vugu.VGNode {
	for n.Component != nil {
		n = page.ResultFor(n.Component).Out[0]
	}
	return n
}
