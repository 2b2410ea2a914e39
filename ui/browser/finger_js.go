package browser

import (
	"math"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// finger is one on a slider. Browsers move the slider as soon as a finger comes down, also
// where it only means to scroll the page: the value waits until the finger has moved along
// the slider, or was lifted where it came down.
type finger struct {
	slider js.Value // under it, undefined for none
	before string   // the slider's value when the finger came down
	wanted string   // the value where it came down, "" for none
	x      float64  // where it came down
	along  bool     // it moves along the slider
}

// touchSlider begins with a finger that comes down.
func (b *browser) touchSlider(ev *dom.BasicEvent) {
	b.finger = finger{}
	e, target := ev.Underlying(), ev.Underlying().Get("target")
	if e.Get("pointerType").String() == "touch" && target.Get("type").Truthy() &&
		target.Get("type").String() == "range" {
		b.finger = finger{slider: target, before: target.Get("value").String(), x: e.Get("clientX").Float()}
	}
}

// holdBack takes a slider's new value back, and keeps it, while it is not known what its
// finger means.
func (b *browser) holdBack(target js.Value) bool {
	f := &b.finger
	if !f.slider.Truthy() || f.along || !target.Equal(f.slider) {
		return false
	}
	f.wanted = target.Get("value").String()
	target.Set("value", f.before)
	return true
}

// moveFinger notes when it moves along the slider.
func (b *browser) moveFinger(ev *dom.BasicEvent) {
	if f := &b.finger; f.slider.Truthy() && math.Abs(ev.Underlying().Get("clientX").Float()-f.x) > stray {
		f.along = true
	}
}

// liftFinger ends it. A tap moves the slider; where the browser took the finger for
// scrolling, everything is as it was.
func (b *browser) liftFinger(ev *dom.BasicEvent) {
	f := b.finger
	b.finger = finger{}
	if !f.slider.Truthy() || f.along || f.wanted == "" || ev.Type() != "pointerup" {
		return
	}
	f.slider.Set("value", f.wanted)
	for _, name := range [...]string{"input", "change"} {
		f.slider.Call("dispatchEvent", js.Global().Get("Event").New(name, map[string]any{"bubbles": true}))
	}
}
