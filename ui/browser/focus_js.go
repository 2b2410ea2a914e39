package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/page"
)

// A part that closes returns the focus to the button that opened it, so that keyboard
// users stay where they were.
var openers = [...]struct {
	inside, opener string // selectors; the opener of a lane's box is in the same lane
	open           func(*page.State) bool
}{
	{".settings", ".tools [aria-label=Settings], #more-settings", func(a *page.State) bool { return a.Drawer }},
	{".menu", "#add-lane", func(a *page.State) bool { return a.Adding }},
	{".tuning", ".lane-head [aria-expanded=true]", func(a *page.State) bool { return a.SettingsLane >= 0 }},
}

// keepFocus is called before each rendering, while closing parts still exist, and reports
// whether the drawer or the list of methods to add opens.
func (b *browser) keepFocus() (drawer, menu bool) {
	active := b.document.Get("activeElement")
	for i, o := range openers {
		open := o.open(b.app.State)
		closed, opened := b.opens[i] && !open, open && !b.opens[i]
		b.opens[i] = open
		drawer = drawer || opened && o.inside == ".settings"
		menu = menu || opened && o.inside == ".menu"
		if !closed || !active.Truthy() || !active.Call("closest", o.inside).Truthy() {
			continue
		}
		b.focusVisible(o.opener)
	}
	return drawer, menu
}

// restoreFocus is called before a rendering, and returns a function to call after it: if
// the focused element is gone or disabled, the focus goes to one nearby.
func (b *browser) restoreFocus() func() {
	body := b.document.Get("body")
	active := b.document.Get("activeElement")
	if !active.Truthy() || active.Equal(body) {
		return func() {}
	}
	return func() {
		// A button that was disabled keeps the focus until the next frame.
		if now := b.document.Get("activeElement"); now.Truthy() && !now.Equal(body) && !now.Get("disabled").Truthy() {
			return
		}
		if e := b.byID("play"); e != nil {
			e.Underlying().Call("focus")
		}
	}
}

// enterDrawer moves the focus into the settings, which open over the page and come early
// in it.
func (b *browser) enterDrawer() {
	b.focusVisible(".settings-head button")
}

// skipLink follows a link that skips the start of the page: the focus goes to the first of
// its targets that exists in the present layout. The address does not change.
func (b *browser) skipLink(ev *dom.BasicEvent) {
	_, data := dataOf(ev)
	if !data.Truthy() || !data.Get("skip").Truthy() {
		return
	}
	ev.PreventDefault()
	b.focusVisible(data.Get("skip").String())
}

// focusVisible focuses the first visible element that a selector matches.
func (b *browser) focusVisible(selector string) {
	for _, e := range b.all(selector) {
		if target := e.Underlying(); target.Call("checkVisibility").Bool() {
			target.Call("focus")
			return
		}
	}
}

// scrollToTab scrolls a row of tabs until the focused one is fully visible; browsers do not
// scroll if a part of it is. After a touch nothing moves, or the finger would lift over
// another tab.
func (b *browser) scrollToTab(ev *dom.BasicEvent) {
	target := targetOf(ev).Underlying()
	if target.Call("matches", ".tab:focus-visible").Bool() {
		target.Call("scrollIntoView", map[string]any{"block": "nearest", "inline": "nearest"})
	}
}

// closeOverFocus closes what covers the focused element.
func (b *browser) closeOverFocus(ev *dom.BasicEvent) {
	target := targetOf(ev).Underlying()
	at := target.Call("getBoundingClientRect")
	x, y := centre(at, "left", "width"), centre(at, "top", "height")
	for _, o := range openers {
		if !o.open(b.app.State) || target.Call("closest", o.inside).Truthy() {
			continue
		}
		e := b.first(o.inside)
		if e == nil {
			continue
		}
		box := e.Underlying().Call("getBoundingClientRect")
		if x > box.Get("left").Float() && x < box.Get("right").Float() && y > box.Get("top").Float() &&
			y < box.Get("bottom").Float() {
			b.do(page.CloseOverlay{})
		}
	}
}

func centre(box js.Value, from, length string) float64 {
	return box.Get(from).Float() + box.Get(length).Float()/2
}
