package browser

import (
	"strconv"

	"flockscope/ui/page"
)

// placeTour frames the element of the present stop, and places the card where it
// hides as little of it as possible. It is called after each rendering, and whenever
// something has moved.
func (b *browser) placeTour() {
	ring := b.byID("tour-ring")
	if !b.app.Lessons.Tour.On || ring == nil {
		return
	}
	style := ring.Underlying().Get("style")
	style.Set("display", "none")
	card := b.byID("tour").Underlying()
	// The ring is fixed to the app's box, which may have scrolled, in its own pixels.
	app, scale := b.byID("flockscope").Underlying().Call("getBoundingClientRect"), b.scale()
	for _, e := range b.all(page.TourStops[b.app.Lessons.Tour.Stop].Selectors) {
		box := e.Underlying().Call("getBoundingClientRect")
		x, y := box.Get("left").Float()-app.Get("left").Float(), box.Get("top").Float()-app.Get("top").Float()
		x, y, w, h := x/scale, y/scale, box.Get("width").Float()/scale, box.Get("height").Float()/scale
		if w < 1 || h < 1 {
			continue
		}
		for name, v := range map[string]float64{"left": x - 4, "top": y - 4, "width": w + 8, "height": h + 8} {
			style.Set(name, strconv.Itoa(int(v))+"px")
		}
		style.Set("display", "block")
		page := app.Get("height").Float() / scale
		card.Get("classList").Call("toggle", "up", y+h/2 > page/2)
		break
	}
	if b.app.Lessons.Tour.WantsFocus {
		b.do(page.CardFocused{})
		b.byID("tour-title").Underlying().Call("focus")
	}
}
