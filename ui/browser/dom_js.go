package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/guard"
)

// Elements and events are dom's plain ones. Whatever dom itself finds or hands to
// a listener is of one of its hundred types, for every element and event of HTML;
// a single search brings all of them into the program, where the page needs two.

// element returns the element that a value is, nil if it is none.
func element(v js.Value) *dom.BasicElement {
	if !v.Truthy() {
		return nil
	}
	return &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}
}

// first returns the first element of the page that a selector fits, nil if none.
func (b *browser) first(selector string) *dom.BasicElement {
	return element(b.document.Call("querySelector", selector))
}

// all returns the elements of the page that a selector fits, in their order.
func (b *browser) all(selector string) []*dom.BasicElement {
	found := b.document.Call("querySelectorAll", selector)
	list := make([]*dom.BasicElement, found.Length())
	for i := range list {
		list[i] = element(found.Index(i))
	}
	return list
}

// byID returns the element of a name, nil if the page has none.
func (b *browser) byID(id string) *dom.BasicElement {
	return element(b.document.Call("getElementById", id))
}

// html returns the element that all others are in.
func (b *browser) html() *dom.BasicElement { return element(b.document.Get("documentElement")) }

// targetOf returns the element that an event happened at, nil if it was none.
func targetOf(ev *dom.BasicEvent) *dom.BasicElement { return element(ev.Get("target")) }

// on calls f at every event of a kind that reaches the document.
func (b *browser) on(kind string, f func(*dom.BasicEvent)) { listen(b.document, kind, false, f) }

// listen calls f at every event of a kind that reaches a place: with capture on
// its way down to where it happens, otherwise on its way up from there.
func listen(place js.Value, kind string, capture bool, f func(*dom.BasicEvent)) {
	place.Call("addEventListener", kind, guard.FuncOf(func(_ js.Value, args []js.Value) any {
		f(&dom.BasicEvent{Value: args[0]})
		return nil
	}), capture)
}
