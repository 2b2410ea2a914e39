package ui

import (
	"bytes"
	"slices"
	"strings"

	"github.com/vugu/vugu"
)

// memo is the page as it was last rendered. At every rendering, Vugu sends the
// browser each of some thousand nodes, of which a dozen have changed. Memo takes
// out what would only be said again: what is in a node that comes without children
// stays as it is.
//
// Nodes are compared by place, as Vugu finds them in the document. That needs a
// page without <vg-template>, whose children take places beside it.
type memo struct {
	last   *vugu.BuildResults // nil before the first rendering
	taken  []takenOut
	typed  []string // data-… of fields that somebody typed in or sliders that were moved: they may show something else than was rendered
	chosen bool     // somebody chose, so any control may
	placed bool     // the figures may have other places than in the last page, or others may have come
}

// takenOut is what was taken out of a node.
type takenOut struct {
	node, children *vugu.VGNode
	html           *string
}

// shorten takes out of a page what is as in the last one, and reports whether there
// is anything to render. What it takes out comes back by restore.
func (m *memo) shorten(page *vugu.BuildResults) bool {
	last := m.last
	m.last, m.placed = page, last == nil
	return last == nil || !m.same(built(last, last.Out.Out[0]), built(page, page.Out.Out[0]), last, page)
}

// restore makes a shortened page whole after it was rendered. From now on, controls
// show what they were told to, until somebody acts.
func (m *memo) restore() {
	for _, t := range m.taken {
		t.node.FirstChild, t.node.InnerHTML = t.children, t.html
	}
	clear(m.taken)
	m.taken = m.taken[:0]
	m.typed, m.chosen = m.typed[:0], false
}

// take takes out what is in a node.
func (m *memo) take(n *vugu.VGNode) {
	if n.FirstChild != nil || n.InnerHTML != nil {
		m.taken = append(m.taken, takenOut{n, n.FirstChild, n.InnerHTML})
		n.FirstChild, n.InnerHTML = nil, nil
	}
}

// same reports whether a node of this page and all in it are as those of the last
// one. If not, it takes out what is in those of its children that are.
func (m *memo) same(old, now *vugu.VGNode, last, page *vugu.BuildResults) bool {
	if old.Type != now.Type || old.Data != now.Data || old.Namespace != now.Namespace || (old.InnerHTML == nil) != (now.InnerHTML == nil) {
		m.placed = true
		return false // another element, which begins empty
	}
	same := m.alike(old, now)
	var kept [16]*vugu.VGNode
	unchanged := kept[:0]
	was, is := old.FirstChild, now.FirstChild
	for ; was != nil && is != nil; was, is = was.NextSibling, is.NextSibling {
		if child := built(page, is); m.same(built(last, was), child, last, page) {
			unchanged = append(unchanged, child)
		} else {
			same = false
		}
	}
	if same && was == nil && is == nil {
		return true
	}
	m.placed = m.placed || was != nil || is != nil
	for _, child := range unchanged {
		m.take(child)
	}
	return false
}

// alike reports whether a node, without what is in it, is as it was. Then it keeps
// its old list of handlers, which Vugu goes on to call, with the new ones in it.
func (m *memo) alike(old, now *vugu.VGNode) bool {
	if len(now.Prop) > 0 && (m.chosen || m.typedIn(now)) {
		return false
	}
	equal := slices.Equal(old.Attr, now.Attr) &&
		(now.InnerHTML == nil || *old.InnerHTML == *now.InnerHTML) &&
		slices.EqualFunc(old.Prop, now.Prop, func(a, b vugu.VGProperty) bool {
			return a.Key == b.Key && bytes.Equal(a.JSONVal, b.JSONVal)
		}) &&
		slices.EqualFunc(old.DOMEventHandlerSpecList, now.DOMEventHandlerSpecList, func(a, b vugu.DOMEventHandlerSpec) bool {
			return a.EventType == b.EventType && a.Capture == b.Capture && a.Passive == b.Passive
		})
	if equal {
		copy(old.DOMEventHandlerSpecList, now.DOMEventHandlerSpecList)
		now.DOMEventHandlerSpecList = old.DOMEventHandlerSpecList
	} else if now.Data == "canvas" && !slices.EqualFunc(old.Attr, now.Attr, sameButSaid) {
		m.placed = true
	}
	return equal
}

func (m *memo) typedIn(n *vugu.VGNode) bool {
	return len(m.typed) > 0 && slices.ContainsFunc(n.Attr, func(a vugu.VGAttribute) bool {
		return strings.HasPrefix(a.Key, "data-") && slices.Contains(m.typed, a.Val)
	})
}

// sameButSaid reports whether an attribute of a figure is as it was, or only says in
// words what the figure shows.
func sameButSaid(old, now vugu.VGAttribute) bool {
	return old == now || old.Key == now.Key && now.Key == "aria-label"
}

// built returns a node as it is rendered: the outermost one that a component has
// built, if it stands for one.
func built(page *vugu.BuildResults, n *vugu.VGNode) *vugu.VGNode {
	for n.Component != nil {
		n = page.ResultFor(n.Component).Out[0]
	}
	return n
}
