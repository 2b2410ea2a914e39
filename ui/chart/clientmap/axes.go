package clientmap

import (
	"math"
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The parts of the map that differ between its kinds.

// drawPair draws the axes of two losses and IFCA's border, and returns the projection, with one
// scale for both axes.
func (m *Map) drawPair(l *scene.List, v *chart.View, lane *trace.Lane, e layout.Extent, plot layout.Area) projection {
	high := layout.LineHeight * m.size / layout.Small
	side := min(plot.X1-plot.X0-20, plot.Y1-plot.Y0-2*(high+3))
	left := (plot.X0 + plot.X1 - side) / 2
	top := (plot.Y0 + plot.Y1 - side) / 2
	frame := layout.Rect(left, top, left+side, top+side)
	l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, frame.X0, frame.Y0, frame.X0, frame.Y1, frame.X1, frame.Y1)
	font := scene.Font{Size: m.size, Colour: scene.Quiet, Baseline: scene.Top}
	write := func(x, y float32, anchor scene.Anchor, text string) {
		w := scene.TextWidth(text, m.size, false)
		at := layout.Rect(x, y, x+w, y+high)
		if anchor == scene.End {
			at = layout.Rect(x-w, y, x, y+high)
		}
		if at.X0 < plot.X0-8 || at.X1 > plot.X1+8 || !m.labels.Free(at) {
			return
		}
		font.Anchor = anchor
		l.Text(x, y, font, text)
		m.labels.Reserve(at)
	}
	axis := func(k int) string {
		if e.X0 > 0 {
			return say.Textf("loss on model %s, from %s to %s", v.Letter(k), chart.Number(float64(e.X0)),
				chart.Number(float64(e.X1)))
		}
		return say.Textf("loss on model %s", v.Letter(k))
	}
	write(frame.X0, frame.Y0-high-2, scene.Start, axis(1))
	write(frame.X1, frame.Y1+2, scene.End, axis(0))
	if lane.Border {
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Fine}, frame.X0, frame.Y1, frame.X1, frame.Y0)
		write(frame.X1-high-6, frame.Y0+2, scene.End, say.Text("IFCA’s border"))
	}
	p := fit(e, frame)
	p.frame = layout.Rect(frame.X0, frame.Y0, frame.X1+6, frame.Y1)
	return p
}

// sectors are the directions on the page in which each of three models has the least loss: by
// trace.LossTriangle, a loss of −1 on model k alone is at
//
//	k = 0: (−1/√2, −1/√6)   k = 1: (1/√2, −1/√6)   k = 2: (0, 2/√6)
//
// with y up. The border between two sectors points away from the third.
var sectors = [3][2]float32{{-0.8660254, 0.5}, {0.8660254, 0.5}, {0, -1}}

// drawTriangle draws the three borders of IFCA and names the sectors.
func (m *Map) drawTriangle(l *scene.List, v *chart.View, p *projection, plot layout.Area) {
	ox, oy := p.at(0, 0)
	far := 2 * float32(math.Hypot(float64(plot.X1-plot.X0), float64(plot.Y1-plot.Y0)))
	for k := range sectors {
		// Exactly to the frame: tests count what a clip hides as drawn.
		dx, dy := -sectors[k][0], -sectors[k][1]
		reach := clipToFrame(ox, oy, dx, dy, plot, far)
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Fine}, ox, oy, ox+dx*reach, oy+dy*reach)
	}
	for k, d := range sectors {
		inner := layout.Rect(plot.X0+10, plot.Y0+10, plot.X1-10, plot.Y1-10)
		reach := min(clipToFrame(ox, oy, d[0], d[1], inner, far), far)
		x, y := ox+d[0]*reach, oy+d[1]*reach
		text := v.Letter(k)
		w := scene.TextWidth(text, layout.Normal, true)
		at := layout.Rect(x-w/2, y-8, x+w/2, y+8).MovedInto(plot)
		if !m.labels.Free(at) {
			continue
		}
		m.labels.Reserve(at)
		l.Text((at.X0+at.X1)/2, (at.Y0+at.Y1)/2, scene.Font{Size: layout.Normal, Bold: true, Anchor: scene.Middle,
			Baseline: scene.Centre, Colour: scene.Ink}, text)
	}
}

// clipToFrame returns the length of the ray from (x, y) in direction (dx, dy) until it leaves
// frame, at most far.
func clipToFrame(x, y, dx, dy float32, frame layout.Area, far float32) float32 {
	for _, side := range [...][2]float32{{frame.X0 - x, dx}, {frame.X1 - x, dx}, {frame.Y0 - y, dy},
		{frame.Y1 - y, dy}} {
		if side[0]*side[1] > 0 {
			far = min(far, side[0]/side[1])
		}
	}
	return far
}

// drawGrid places clients in a grid, by group and number, where the server has not compared them, and
// says why there is no map. Each group begins a line, so that equal shapes stay together.
func (m *Map) drawGrid(l *scene.List, v *chart.View, f *trace.Frame, plot layout.Area, r float32) {
	m.drawCaption(l, &plot, noMapReason(v))
	if !v.Compact {
		plot.Y0 += layout.LineHeight + 2 // the corner has buttons
	}
	w, h := plot.X1-plot.X0, plot.Y1-plot.Y0
	sizes := make([]int, max(v.Run.Header.Groups, 1))
	for i := range m.positions {
		sizes[max(v.Group(i), 0)]++
	}
	// Cells are as large as the space allows, and close together.
	columns, lines, step := 1, len(m.positions), float32(0)
	for c := 1; c <= len(m.positions); c++ {
		n := 0
		for _, size := range sizes {
			n += (size + c - 1) / c
		}
		if s := min(w/float32(c), h/float32(n), 8*r); s > step || s == step && n < lines {
			columns, lines, step = c, n, s
		}
	}
	columns = min(columns, slices.Max(sizes))
	x0 := (plot.X0+plot.X1)/2 - step*float32(columns-1)/2
	y0 := (plot.Y0+plot.Y1)/2 - step*float32(lines-1)/2
	column, line, before := 0, -1, -2
	for _, i := range v.ByGroup(nil) {
		if column++; column == columns || v.Group(i) != before {
			column, line = 0, line+1
		}
		before = v.Group(i)
		m.positions[i] = position{x: x0 + step*float32(column), y: y0 + step*float32(line),
			misplaced: m.match.Misplaced(v, i, chart.ModelOf(f, i))}
	}
}

// noMapReason says why a lane has no map.
func noMapReason(v *chart.View) string {
	lane := v.LaneHeader()
	switch {
	case lane.Map != trace.NoMap:
		return say.Text("Nothing compared yet.")
	case chart.OwnModels(lane):
		return say.Text("No map: each client has a model of its own.")
	case lane.Models == 1 && v.IsUnclustered(v.Lane):
		return say.Text("No map: each client adapts the one model.")
	case lane.Models == 1:
		return say.Text("No map: there is one model for all clients.")
	case v.Mixes():
		return say.Textf("No map: with %s each client has weights of several models, see Weights.", v.Title(v.Lane))
	}
	return say.Textf("No map: %s does not compare clients.", v.Title(v.Lane))
}
