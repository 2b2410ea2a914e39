package chart

import (
	"math"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

// The parts of the map that differ from one kind to the next.

// pair draws the axes of two losses and IFCA's border, and returns the scale:
// from 0 and equal on both axes.
func (m *Map) pair(l *scene.List, v *View, lane *trace.Lane, e extent, plot area) project {
	side := min(plot.x1-plot.x0-20, plot.y1-plot.y0-2*(lineHeight+3))
	left := (plot.x0 + plot.x1 - side) / 2
	top := (plot.y0 + plot.y1 - side) / 2
	frame := area{left, top, left + side, top + side}
	l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, frame.x0, frame.y0, frame.x0, frame.y1, frame.x1, frame.y1)
	font := scene.Font{Size: small, Colour: scene.Quiet, Baseline: scene.Top}
	axis := func(k int) {
		m.words = append(append(m.words[:0], "loss on model "...), v.Letter(k)...)
		if e.x0 > 0 {
			m.words = append(append(m.words, ", from "...), Number(float64(e.x0))...)
			m.words = append(append(m.words, " to "...), Number(float64(e.x1))...)
		}
	}
	axis(1)
	w := scene.TextWidth(m.words, small, false)
	if at := (area{frame.x0, frame.y0 - lineHeight - 2, frame.x0 + w, frame.y0}); m.labels.free(at) {
		l.TextBytes(at.x0, at.y0, font, m.words)
		m.labels.keep(at)
	}
	axis(0)
	w = scene.TextWidth(m.words, small, false)
	font.Anchor = scene.End
	l.TextBytes(frame.x1, frame.y1+2, font, m.words)
	m.labels.keep(area{frame.x1 - w, frame.y1 + 2, frame.x1, frame.y1 + lineHeight + 2})
	if lane.Border {
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Fine}, frame.x0, frame.y1, frame.x1, frame.y0)
		const border = "IFCA’s border"
		w := scene.TextWidth(border, small, false)
		l.Text(frame.x1-lineHeight-6, frame.y0+2, font, border)
		m.labels.keep(area{frame.x1 - lineHeight - 6 - w, frame.y0 + 2, frame.x1 - lineHeight - 6, frame.y0 + 2 +
			lineHeight})
	}
	p := fit(e, frame)
	p.frame = area{frame.x0, frame.y0, frame.x1 + 6, frame.y1}
	return p
}

// sectors are the directions, seen on the page, in which each of three models
// has the least loss: by trace.LossTriangle a loss of −1 on model k alone
// stands at
//
//	k = 0: (−1/√2, −1/√6)   k = 1: (1/√2, −1/√6)   k = 2: (0, 2/√6)
//
// with y up. The border between two of them leads away from the third.
var sectors = [3][2]float32{{-0.8660254, 0.5}, {0.8660254, 0.5}, {0, -1}}

// triangle draws the three borders of IFCA and names the sectors.
func (m *Map) triangle(l *scene.List, v *View, p *project, plot area) {
	ox, oy := p.at(0, 0)
	far := 2 * float32(math.Hypot(float64(plot.x1-plot.x0), float64(plot.y1-plot.y0)))
	for k := range sectors {
		// Exactly to the frame: what a clip hides still counts as drawn.
		dx, dy := -sectors[k][0], -sectors[k][1]
		reach := rim(ox, oy, dx, dy, plot, far)
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Fine}, ox, oy, ox+dx*reach, oy+dy*reach)
	}
	for k, d := range sectors {
		inner := area{plot.x0 + 10, plot.y0 + 10, plot.x1 - 10, plot.y1 - 10}
		reach := min(rim(ox, oy, d[0], d[1], inner, far), far)
		x, y := ox+d[0]*reach, oy+d[1]*reach
		text := v.Letter(k)
		w := scene.TextWidth(text, normal, true)
		at := area{x - w/2, y - 8, x + w/2, y + 8}.inside(plot)
		m.labels.keep(at)
		l.Text((at.x0+at.x1)/2, (at.y0+at.y1)/2, scene.Font{Size: normal, Bold: true, Anchor: scene.Middle,
			Baseline: scene.Centre, Colour: scene.Ink}, text)
	}
}

// rim returns how far a ray from (x, y) inside frame goes until it leaves it.
func rim(x, y, dx, dy float32, frame area, far float32) float32 {
	for _, side := range [...][2]float32{{frame.x0 - x, dx}, {frame.x1 - x, dx}, {frame.y0 - y, dy},
		{frame.y1 - y, dy}} {
		if side[0]*side[1] > 0 {
			far = min(far, side[0]/side[1])
		}
	}
	return far
}

// rows places clients that nobody has compared in a calm grid, by number, and
// says why there is no map.
func (m *Map) rows(l *scene.List, v *View, f *trace.Frame, plot area, r float32) {
	m.words = append(m.words[:0], why(v)...)
	m.caption(l, &plot)
	if !v.Compact {
		plot.y0 += lineHeight + 2 // the corner has buttons
	}
	n := len(m.spots)
	w, h := plot.x1-plot.x0, plot.y1-plot.y0
	// Cells are as nearly square as the room allows, and not far apart.
	columns := max(int(math.Ceil(math.Sqrt(float64(n)*float64(w/max(h, 1))))), 1)
	lines := (n + columns - 1) / columns
	step := min(w/float32(columns), h/float32(lines), 8*r)
	x0 := (plot.x0+plot.x1)/2 - step*float32(columns-1)/2
	y0 := (plot.y0+plot.y1)/2 - step*float32(lines-1)/2
	for i := range m.spots {
		m.spots[i] = spot{x: x0 + step*float32(i%columns), y: y0 + step*float32(i/columns),
			wrong: m.match.wrong(v, i, label(f, i))}
	}
}

// why says why a lane has no map.
func why(v *View) string {
	lane := v.lane()
	switch {
	case lane.Map != trace.NoMap:
		return "Nothing compared yet."
	case own(lane):
		return "No map: each client has a model of its own."
	case lane.Models == 1 && v.unclustered(v.Lane):
		return "No map: each client adapts the one model."
	case lane.Models == 1:
		return "No map: there is one model for all clients."
	case v.Mixes():
		return "No map: " + lane.Title + " weighs models for each client, see Weights."
	}
	return "No map: " + lane.Title + " does not compare clients."
}
