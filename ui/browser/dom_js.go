package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/guard"
)

// Elements and events have dom's basic types. dom's own searches and listeners use a
// hundred types, one for every element and event of HTML; a single call links all of
// them into the program, and the page needs two.

// element returns the element that a value is, nil if it is none.
func element(v js.Value) *dom.BasicElement {
	if !v.Truthy() {
		return nil
	}
	return &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}
}

// first returns the first element of the page that matches a selector, nil if none.
func (b *browser) first(selector string) *dom.BasicElement {
	return element(b.document.Call("querySelector", selector))
}

// all returns the elements of the page that match a selector, in document order.
func (b *browser) all(selector string) []*dom.BasicElement {
	found := b.document.Call("querySelectorAll", selector)
	list := make([]*dom.BasicElement, found.Length())
	for i := range list {
		list[i] = element(found.Index(i))
	}
	return list
}

// byID returns the element with an id, nil if the page has none.
func (b *browser) byID(id string) *dom.BasicElement {
	return element(b.document.Call("getElementById", id))
}

// html returns the root element.
func (b *browser) html() *dom.BasicElement { return element(b.document.Get("documentElement")) }

// targetOf returns the target of an event, nil if it is not an element.
func targetOf(ev *dom.BasicEvent) *dom.BasicElement { return element(ev.Get("target")) }

// on calls f at every event of a kind that reaches the document.
func (b *browser) on(kind string, f func(*dom.BasicEvent)) { listen(b.document, kind, false, f) }

// listen calls f at every event of a kind that reaches a place: in the capturing phase
// with capture, otherwise in the bubbling phase.
func listen(place js.Value, kind string, capture bool, f func(*dom.BasicEvent)) {
	place.Call("addEventListener", kind, guard.FuncOf(func(_ js.Value, args []js.Value) any {
		f(&dom.BasicEvent{Value: args[0]})
		return nil
	}), capture)
}
