// Package vdom works on the tree that Vugu has built of the page before it is rendered:
// it translates the texts (translate.go) and leaves out what has not changed (memo.go).
package shell

import (
	"bytes"
	"slices"
	"strings"

	"github.com/vugu/vugu"
)

// Memo is the page as it was last rendered. At every rendering, Vugu sends the
// browser each of some thousand nodes, of which a dozen have changed. Memo takes
// out what would only be said again: what is in a node that comes without children
// stays as it is.
//
// Nodes are compared by place, as Vugu finds them in the document. That needs a
// page without <vg-template>, whose children take places beside it.
type Memo struct {
	last  *vugu.BuildResults // nil before the first rendering
	taken []takenOut
	// data-… of fields that somebody typed in and of sliders that were moved: they may show
	// something else than was rendered
	Typed  []string
	Chosen bool // somebody chose, so any control may
	Placed bool // the figures may have other places than in the last page, or others may have come
}

// takenOut is what was taken out of a node.
type takenOut struct {
	node, children *vugu.VGNode
	html           *string
}

// Shorten takes out of a page what is as in the last one, and reports whether there
// is anything to render. What it takes out comes back by [Memo.Restore].
func (m *Memo) Shorten(page *vugu.BuildResults) bool {
	last := m.last
	m.last, m.Placed = page, last == nil
	return last == nil || !m.same(BuiltNode(last, last.Out.Out[0]), BuiltNode(page, page.Out.Out[0]), last, page)
}

// Restore makes a shortened page whole after it was rendered. From now on, controls
// show what they were told to, until somebody acts.
func (m *Memo) Restore() {
	for _, t := range m.taken {
		t.node.FirstChild, t.node.InnerHTML = t.children, t.html
	}
	clear(m.taken)
	m.taken = m.taken[:0]
	m.Typed, m.Chosen = m.Typed[:0], false
}

// take takes out what is in a node.
func (m *Memo) take(n *vugu.VGNode) {
	if n.FirstChild != nil || n.InnerHTML != nil {
		m.taken = append(m.taken, takenOut{n, n.FirstChild, n.InnerHTML})
		n.FirstChild, n.InnerHTML = nil, nil
	}
}

// same reports whether a node of this page and all in it are as those of the last
// one. If not, it takes out what is in those of its children that are.
func (m *Memo) same(old, now *vugu.VGNode, last, page *vugu.BuildResults) bool {
	if old.Type != now.Type || old.Data != now.Data || old.Namespace != now.Namespace ||
		(old.InnerHTML == nil) != (now.InnerHTML == nil) {
		m.Placed = true
		return false // another element, which begins empty
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
		m.take(child)
	}
	return false
}

// alike reports whether a node, without what is in it, is as it was. Then it keeps
// its old list of handlers, which Vugu goes on to call, with the new ones in it.
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
	} else if now.Data == "canvas" && !slices.EqualFunc(old.Attr, now.Attr, sameButSaid) {
		m.Placed = true
	}
	return equal
}

func (m *Memo) typedIn(n *vugu.VGNode) bool {
	return len(m.Typed) > 0 && slices.ContainsFunc(n.Attr, func(a vugu.VGAttribute) bool {
		return strings.HasPrefix(a.Key, "data-") && slices.Contains(m.Typed, a.Val)
	})
}

// sameButSaid reports whether an attribute of a figure is as it was, or only says in
// words what the figure shows.
func sameButSaid(old, now vugu.VGAttribute) bool {
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
