package browser

import "honnef.co/go/js/dom/v2"

// The figures of a sweep: a cell under the pointer or in focus of the
// keyboard, and the run behind it.

func isSweep(c *canvas) bool { return c != nil && (c.kind == "sweep" || c.kind == "heat") }

// onClick opens the run under the pointer. A press alone may be the beginning of
// a scroll.
func (b *browser) onClick(ev *dom.BasicEvent) {
	if c := b.canvasOf(ev); isSweep(c) {
		x, y := place(c, ev)
		b.app.Background.OpenCell(c.hits.Nearest(x, y, reach(ev)))
	}
	b.skip(ev)
	if target, data := dataOf(ev); data.Truthy() {
		if entry := target.Call("closest", "[data-add]"); entry.Truthy() {
			b.app.Settings.AddLane(entry.Get("dataset").Get("add").String())
		}
	}
}

// sweepKey moves the light from cell to cell, and opens a run.
func (b *browser) sweepKey(key string) bool {
	switch key {
	case "ArrowRight":
		b.app.Background.WalkSweep(1, 0)
	case "ArrowLeft":
		b.app.Background.WalkSweep(-1, 0)
	case "ArrowUp":
		b.app.Background.WalkSweep(0, 1)
	case "ArrowDown":
		b.app.Background.WalkSweep(0, -1)
	case "Enter":
		b.app.Background.OpenCell(b.app.Background.Sweep.Light)
	default:
		return false
	}
	return true
}
