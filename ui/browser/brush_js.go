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
// added. A finger that moves up or down scrolls, and the browser cancels the press.

// press is a pointer that went down in a figure.
type press struct {
	client   int // under it, chart.Nobody for none
	shift    bool
	turnsMap bool       // the map, instead of drawing
	at       [2]float32 // where it went down, or how far it has turned the map
	dragged  bool       // it has moved too far for a click
	chosen   []int      // clients that were selected then
	inBox    []int
}

// clickTolerance is how far a press may move and still be a click, in CSS pixels.
const clickTolerance = 4

// beginPress starts a press at (x, y).
func (b *browser) beginPress(c *canvas, ev *dom.BasicEvent, x, y float32) {
	e := ev.Underlying()
	if e.Get("button").Int() > 0 {
		return
	}
	shift := e.Get("shiftKey").Bool()
	b.dragging = c
	b.press = press{client: c.hits.Nearest(x, y, hitDistance(ev)), shift: shift, at: [2]float32{x, y},
		turnsMap: isMap(c.kind) && b.app.Turns(c.lane) && !shift, chosen: slices.Clone(b.app.SelectedClients())}
	c.value.Call("setPointerCapture", e.Get("pointerId"))
	switch {
	case b.press.client == chart.Handle:
		ev.PreventDefault()
	case b.press.turnsMap:
		c.value.Get("style").Set("cursor", "grabbing")
	}
}

// drag follows the pointer.
func (b *browser) drag(c *canvas, x, y float32) {
	p := &b.press
	if p.turnsMap {
		b.turn(x, y)
		return
	}
	if !p.dragged {
		if dx, dy := x-p.at[0], y-p.at[1]; dx*dx+dy*dy < clickTolerance*clickTolerance || len(c.hits) == 0 {
			return
		}
		p.dragged = true
		b.do(page.HoverClient{Client: -1})
	}
	x, y = min(max(x, 0), c.box.W), min(max(y, 0), c.box.H)
	b.painter.SelectionBox = page.SelectionBox{FigureID: chart.FigureID{Kind: c.kind, Lane: c.lane},
		X0: p.at[0], Y0: p.at[1], X1: x, Y1: y}
	p.inBox = c.hits.Within(p.inBox[:0], p.at[0], p.at[1], x, y)
	if p.shift {
		p.inBox = append(p.inBox, p.chosen...)
	}
	b.do(page.SelectWhileDragging{Clients: p.inBox})
}

// turn turns the map with the pointer: half a degree per pixel.
func (b *browser) turn(x, y float32) {
	p := &b.press
	turn, tilt := int((x-p.at[0])/2), int((y-p.at[1])/2)
	p.at[0] += float32(2 * turn)
	p.at[1] += float32(2 * tilt)
	p.dragged = p.dragged || turn != 0 || tilt != 0
	b.do(page.TurnMap{Turn: turn, Tilt: tilt})
}

// endPress ends a press. One that the browser cancelled has no effect.
func (b *browser) endPress(up bool) {
	p := &b.press
	b.painter.SelectionBox = page.SelectionBox{}
	switch {
	case p.turnsMap && p.dragged:
		b.Change(host.Shell | host.Link) // its description, too
	case p.dragged && up:
		b.do(page.SelectClients{Clients: b.app.SelectedClients()})
	case p.dragged:
		b.do(page.SelectClients{Clients: p.chosen})
	case !up:
	case p.client < 0:
		b.do(page.ClearSelection{})
	case p.shift:
		b.do(page.ToggleClient{Client: p.client})
	default:
		b.do(page.SelectClient{Client: p.client})
	}
}

// extendSelection adds the client that an arrow key leaves, if any, and the one that it reaches.
func (b *browser) extendSelection(from, to int) {
	if from < 0 {
		from = to
	}
	b.do(page.SelectClients{Clients: append(slices.Clone(b.app.SelectedClients()), from, to)})
}
