package browser

import (
	"honnef.co/go/js/dom/v2"

	"flockscope/ui/page"
)

// The figures of a sweep: selecting a cell by pointer or keyboard, and opening its run.

func isSweep(c *canvas) bool { return c != nil && (c.kind == "sweep" || c.kind == "heat") }

// onClick opens the run under the pointer. A press alone may start a scroll.
func (b *browser) onClick(ev *dom.BasicEvent) {
	if c := b.canvasOf(ev); isSweep(c) {
		x, y := place(c, ev)
		b.do(page.OpenCell{Cell: c.hits.Nearest(x, y, hitDistance(ev))})
	}
	b.skipLink(ev)
	if target, data := dataOf(ev); data.Truthy() {
		if entry := target.Call("closest", "[data-add]"); entry.Truthy() {
			b.do(page.AddLane{Algorithm: entry.Get("dataset").Get("add").String()})
		}
	}
}

// sweepKey moves the selected cell, and opens its run.
func (b *browser) sweepKey(key string) bool {
	switch key {
	case "ArrowRight":
		b.do(page.MoveCell{X: 1, Y: 0})
	case "ArrowLeft":
		b.do(page.MoveCell{X: -1, Y: 0})
	case "ArrowUp":
		b.do(page.MoveCell{X: 0, Y: 1})
	case "ArrowDown":
		b.do(page.MoveCell{X: 0, Y: -1})
	case "Enter":
		b.do(page.OpenCell{Cell: b.app.Jobs.Sweep.Hovered})
	default:
		return false
	}
	return true
}
