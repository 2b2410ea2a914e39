package browser

import (
	"math"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// touchGesture is a touch of a slider. Browsers move the slider as soon as a finger touches
// it, even if the user wants to scroll the page: the value waits until the finger has moved
// along the slider, or was lifted in place.
type touchGesture struct {
	slider js.Value // under it, undefined for none
	before string   // the slider's value when the finger came down
	wanted string   // the value where it came down, "" for none
	x      float64  // where it came down
	along  bool     // it moves along the slider
}

// beginTouch starts a gesture.
func (b *browser) beginTouch(ev *dom.BasicEvent) {
	b.touch = touchGesture{}
	e, target := ev.Underlying(), ev.Underlying().Get("target")
	if e.Get("pointerType").String() == "touch" && target.Get("type").Truthy() &&
		target.Get("type").String() == "range" {
		b.touch = touchGesture{slider: target, before: target.Get("value").String(), x: e.Get("clientX").Float()}
	}
}

// isScrolling reverts and remembers a slider's new value while the gesture may still be a
// scroll.
func (b *browser) isScrolling(target js.Value) bool {
	f := &b.touch
	if !f.slider.Truthy() || f.along || !target.Equal(f.slider) {
		return false
	}
	f.wanted = target.Get("value").String()
	target.Set("value", f.before)
	return true
}

// moveTouch notes when the finger moves along the slider.
func (b *browser) moveTouch(ev *dom.BasicEvent) {
	if f := &b.touch; f.slider.Truthy() && math.Abs(ev.Underlying().Get("clientX").Float()-f.x) > clickTolerance {
		f.along = true
	}
}

// endTouch ends the gesture. A tap moves the slider; a scroll changes nothing.
func (b *browser) endTouch(ev *dom.BasicEvent) {
	f := b.touch
	b.touch = touchGesture{}
	if !f.slider.Truthy() || f.along || f.wanted == "" || ev.Type() != "pointerup" {
		return
	}
	f.slider.Set("value", f.wanted)
	for _, name := range [...]string{"input", "change"} {
		f.slider.Call("dispatchEvent", js.Global().Get("Event").New(name, map[string]any{"bubbles": true}))
	}
}
