package browser

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/page"
)

// What opens from a button and closes gives the focus back to that button, so
// that whoever works with keys stays where they were.
var openers = [...]struct {
	inside, opener string // selectors; the opener of a lane's box is in the same lane
	open           func(*page.State) bool
}{
	{".settings", ".tools [aria-label=Settings]", func(a *page.State) bool { return a.Drawer }},
	{".menu", "#add-lane", func(a *page.State) bool { return a.Adding }},
	{".tuning", ".lane-head [aria-expanded=true]", func(a *page.State) bool { return a.SettingsLane >= 0 }},
}

// keepFocus comes before each rendering, while what closes is still there, and
// reports whether the drawer or the list of lanes to add opens.
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
		if e := b.first(o.opener); e != nil {
			e.Underlying().Call("focus")
		}
	}
	return drawer, menu
}

// restoreFocus comes before a rendering, and returns what comes after it: if what had
// the focus has gone or is of no use any more, the focus stays nearby.
func (b *browser) restoreFocus() func() {
	body := b.document.Get("body")
	active := b.document.Get("activeElement")
	if !active.Truthy() || active.Equal(body) {
		return func() {}
	}
	return func() {
		// A button that can no longer be pressed has the focus until the next picture.
		if now := b.document.Get("activeElement"); now.Truthy() && !now.Equal(body) && !now.Get("disabled").Truthy() {
			return
		}
		if e := b.byID("play"); e != nil {
			e.Underlying().Call("focus")
		}
	}
}

// enterDrawer brings the focus into the settings, which open over the page and
// come early in it.
func (b *browser) enterDrawer() {
	if e := b.first(".settings-head button"); e != nil {
		e.Underlying().Call("focus")
	}
}

// skipLink follows a link that skips what comes early on the page: the focus goes to the first
// of its targets that is there in the present layout. The address stays as it is.
func (b *browser) skipLink(ev *dom.BasicEvent) {
	_, data := dataOf(ev)
	if !data.Truthy() || !data.Get("skip").Truthy() {
		return
	}
	ev.PreventDefault()
	for _, e := range b.all(data.Get("skip").String()) {
		if target := e.Underlying(); target.Call("checkVisibility").Bool() {
			target.Call("focus")
			return
		}
	}
}

// scrollToTab scrolls a row of tabs until the one that the keys have come to is there as
// a whole; browsers leave one alone of which a part is in sight. Under a finger
// nothing moves, or the finger would lift over another.
func (b *browser) scrollToTab(ev *dom.BasicEvent) {
	target := targetOf(ev).Underlying()
	if target.Call("matches", ".tab:focus-visible").Bool() {
		target.Call("scrollIntoView", map[string]any{"block": "nearest", "inline": "nearest"})
	}
}

// closeOverFocus closes what lies on the element that the focus has come to.
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
