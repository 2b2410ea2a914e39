package browser

import (
	"slices"

	"honnef.co/go/js/dom/v2"

	"flockscope/ui/chart"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// The pointer in a figure of clients: a press on a mark selects its client, a drag
// over empty ground draws a rectangle around several, and where a map turns a
// drag turns it. With Shift a drag draws in any case, and what it catches is
// added. A finger that moves up or down scrolls, and the browser takes it away.

// press is a pointer that went down in a figure.
type press struct {
	client int // under it, chart.Nobody for none
	shift  bool
	turns  bool       // the map, instead of drawing
	at     [2]float32 // where it went down, or how far it has turned the map
	draws  bool       // it has moved far enough to be no click
	chosen []int      // clients that were selected then
	caught []int
}

// stray is how far a press may move and still be a click, in CSS pixels.
const stray = 4

// pressOn begins with a pointer that goes down at (x, y).
func (b *browser) pressOn(c *canvas, ev *dom.BasicEvent, x, y float32) {
	e := ev.Underlying()
	if e.Get("button").Int() > 0 {
		return
	}
	shift := e.Get("shiftKey").Bool()
	b.dragging = c
	b.press = press{client: c.hits.Nearest(x, y, reach(ev)), shift: shift, at: [2]float32{x, y},
		turns: c.kind == "map" && b.app.Turns(c.lane) && !shift, chosen: slices.Clone(b.app.Chosen())}
	c.value.Call("setPointerCapture", e.Get("pointerId"))
	switch {
	case b.press.client == chart.Handle:
		ev.PreventDefault()
	case b.press.turns:
		c.value.Get("style").Set("cursor", "grabbing")
	}
}

// drag follows the pointer.
func (b *browser) drag(c *canvas, x, y float32) {
	p := &b.press
	if p.turns {
		b.turn(x, y)
		return
	}
	if !p.draws {
		if dx, dy := x-p.at[0], y-p.at[1]; dx*dx+dy*dy < stray*stray || len(c.hits) == 0 {
			return
		}
		p.draws = true
		b.do(page.Point{Client: -1})
	}
	x, y = min(max(x, 0), c.box.W), min(max(y, 0), c.box.H)
	b.painter.Loop = page.Loop{Spot: chart.Spot{Kind: c.kind, Lane: c.lane}, X0: p.at[0], Y0: p.at[1], X1: x, Y1: y}
	p.caught = c.hits.Within(p.caught[:0], p.at[0], p.at[1], x, y)
	if p.shift {
		p.caught = append(p.caught, p.chosen...)
	}
	b.do(page.Brush{Clients: p.caught})
}

// turn follows the pointer around the map: half a degree a pixel.
func (b *browser) turn(x, y float32) {
	p := &b.press
	turn, tilt := int((x-p.at[0])/2), int((y-p.at[1])/2)
	p.at[0] += float32(2 * turn)
	p.at[1] += float32(2 * tilt)
	p.draws = p.draws || turn != 0 || tilt != 0
	b.do(page.Turn{Turn: turn, Tilt: tilt})
}

// release ends a press. One that the browser took away leaves everything as it
// was.
func (b *browser) release(up bool) {
	p := &b.press
	b.painter.Loop = page.Loop{}
	switch {
	case p.turns && p.draws:
		b.Change(host.Shell | host.Link) // its description, too
	case p.draws && up:
		b.do(page.Choose{Clients: b.app.Chosen()})
	case p.draws:
		b.do(page.Choose{Clients: p.chosen})
	case !up:
	case p.client < 0:
		b.do(page.ClearSelection{})
	case p.shift:
		b.do(page.ToggleClient{Client: p.client})
	default:
		b.do(page.Select{Client: p.client})
	}
}

// extend adds the client that an arrow leaves, if any, and the one that it comes to.
func (b *browser) extend(from, to int) {
	if from < 0 {
		from = to
	}
	b.do(page.Choose{Clients: append(slices.Clone(b.app.Chosen()), from, to)})
}
