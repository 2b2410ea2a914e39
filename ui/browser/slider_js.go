package browser

import (
	"math"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// finger is what rests on a slider and may want to scroll: nothing changes until it has moved
// sideways, or has come up where it came down.
type finger struct {
	slider js.Value // undefined while there is none
	x      float64  // where it came down, in CSS pixels
	before string   // the slider's value then
	wanted string   // the value under the finger
}

// sideways is how far a finger moves before it means the slider, in CSS pixels.
const sideways = 8

// touchSlider begins a touch; the browser tells later whether the page scrolls.
func (b *browser) touchSlider(ev *dom.BasicEvent) {
	target := ev.Underlying().Get("target")
	if ev.Underlying().Get("pointerType").String() == "touch" && target.Get("type").Equal(js.ValueOf("range")) {
		value := target.Get("value").String()
		b.finger = finger{target, ev.Underlying().Get("clientX").Float(), value, value}
	}
}

// holdSlider reports whether an input is that of a finger nobody knows the meaning of yet.
// The slider stays where it is.
func (b *browser) holdSlider(target js.Value) bool {
	f := &b.finger
	if !f.slider.Truthy() || !f.slider.Equal(target) {
		return false
	}
	f.wanted = target.Get("value").String()
	target.Set("value", f.before)
	return true
}

// moveSlider lets a finger have the slider once it moves sideways.
func (b *browser) moveSlider(ev *dom.BasicEvent) {
	if f := &b.finger; f.slider.Truthy() && math.Abs(ev.Underlying().Get("clientX").Float()-f.x) > sideways {
		b.releaseSlider("input")
	}
}

// releaseSlider gives a slider the value under the finger, and tells the page by an event of
// that kind.
func (b *browser) releaseSlider(kind string) {
	f := b.finger
	b.finger = finger{}
	if f.slider.Truthy() && f.wanted != f.before {
		f.slider.Set("value", f.wanted)
		f.slider.Call("dispatchEvent", js.Global().Get("Event").New(kind, map[string]any{"bubbles": true}))
	}
}
