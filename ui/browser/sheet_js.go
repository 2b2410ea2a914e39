package browser

import (
	"honnef.co/go/js/dom/v2"

	"flockscope/ui/page"
)

// showSheet opens or closes the browser's own modal dialog, which keeps the
// focus inside and restores it. It is called before each rendering: the browser must
// open the element before Vugu sets its attribute.
func (b *browser) showSheet() {
	e := b.byID("sheet")
	if e == nil {
		return
	}
	d := e.Underlying()
	switch open := d.Get("open").Bool(); {
	case b.app.Sheet != "" && !open:
		d.Call("showModal")
	case b.app.Sheet == "" && open:
		d.Call("close")
	}
}

// listenToSheet closes the dialog by Escape, which the browser reports as "cancel", and
// by a press beside it.
func (b *browser) listenToSheet() {
	listen(b.document, "cancel", true, func(ev *dom.BasicEvent) {
		if targetOf(ev).ID() == "sheet" {
			ev.PreventDefault()
			b.do(page.CloseSheet{})
		}
	})
	listen(b.document, "pointerdown", false, func(ev *dom.BasicEvent) {
		if t := targetOf(ev); t == nil || t.ID() != "sheet" {
			return
		}
		e, at := ev.Underlying(), targetOf(ev).Underlying().Call("getBoundingClientRect")
		x, y := e.Get("clientX").Float(), e.Get("clientY").Float()
		if x < at.Get("left").Float() || x > at.Get("right").Float() || y < at.Get("top").Float() ||
			y > at.Get("bottom").Float() {
			b.do(page.CloseSheet{})
		}
	})
}
