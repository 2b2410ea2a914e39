package clientmap

import (
	"cmp"
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Kinds is the one figure of this package.
var Kinds = []chart.Kind{{Name: "map", Title: "Map",
	Hint: "near: similar · hollow with a tick: misplaced · cloud: spread of a model’s clients · thin lines: last rounds · dashed: border between models",
	Of:   chart.OfMap, New: func() chart.Figure { return new(Map) }}}

// Map shows the clients of a lane at one round by what its server compares: near means similar.
// Misplaced clients are hollow, with a bold outline and a tick above: three cues beside colour.
type Map struct {
	// Fit scales to this round instead of the whole run; the figure states the zoom.
	Fit bool
	// In3D shows the map in three dimensions, seen from From, if the embedding has as many.
	In3D bool
	From Orbit
	// Near names, in English, what clients near each other have in common on a map that is not of
	// losses; empty for updates.
	Similar string

	scale        runScale
	heights      heights
	match        chart.Matching
	labels       layout.Labels
	order        []int         // clients by model, shape and position, so that equal marks form batches
	positions    []position    // by client
	clouds       []cloud       // by model
	nextClouds   []cloud       // those that the clouds move to
	orientations []orientation // by model, while clouds are computed
	areas        []float32     // by model: area of its cloud per client, over π; empty without clouds
	text         []byte
	trail        []float32
	outline      layout.Outline
	size         float32    // of text on an inset, and of the numbers of clients
	flat         projection // of the newest flat map
}

// position is where a client is drawn.
type position struct {
	x, y      float32
	misplaced bool
	outside   bool    // moved to the edge of the plot
	depth     float32 // towards the viewer, in pixels; 0 on the flat map
}

// AxisTitles returns the titles of the axes.
func (m *Map) AxisTitles(v *chart.View) (x, y string) { return m.axisTitle(v), "" }

// Draw draws the map into box.
func (m *Map) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil {
		return
	}
	in := Inset{Area: layout.Rect(8, 6, box.W-8, box.H-6),
		Radius: markRadius(v, v.Run.Header.Clients, box), whole: true}
	if f == nil {
		m.labels.Reset()
		m.drawCaption(l, &in.Area, say.Text("Nothing computed yet."))
		return
	}
	if !m.DrawBelow(l, v, &in) {
		m.drawGrid(l, v, f, in.Area, in.Radius)
	}
	m.DrawMarks(l, hits, v, layout.Rect(2, 2, box.W-2, box.H-2), in.Radius)
}

// Inset is a map as a part of another figure. It has no captions, the clouds of a few clients are hulls, and a plane of
// principal components is turned so that its longer side is horizontal and models are in the order of their letters.
type Inset struct {
	Area   layout.Area
	Radius float32 // of marks
	Text   float32 // size of text, 0 for the smallest
	// Extra has x, y pairs of the map, and Wide the share, from 0 to 1, to which they are kept in sight.
	Extra []float32
	Wide  float32
	// Hulls is how far the hulls around the clients of the models in Label have formed, from 0 to 1. Plain hulls are
	// those of clusters that have no model yet.
	Hulls float32
	Label []uint16
	Plain bool
	Trail bool // draw where clients come from

	whole bool // the map is all of the figure
}

// DrawBelow draws everything below the marks, and computes their positions. It reports whether there is a map.
func (m *Map) DrawBelow(l *scene.List, v *chart.View, in *Inset) bool {
	m.labels.Reset()
	m.size = max(in.Text, layout.Small)
	lane, f := v.LaneHeader(), v.Frame()
	m.match.Find(v, f)
	m.areas = m.areas[:0]
	m.positions = trace.Resize(m.positions, v.Run.Header.Clients)
	e, known := m.scale.extent(v)
	if lane.Map == trace.NoMap || !known || len(f.XY) < 2*len(m.positions) {
		return false
	}
	if m.in3D(v, f) {
		m.flat = projection{}
		m.draw3D(l, v, f, lane, e, in)
	} else {
		m.draw2D(l, v, f, lane, e, in)
	}
	return true
}

// DrawMarks draws the marks over what DrawBelow has drawn. Labels of clients stay inside box.
func (m *Map) DrawMarks(l *scene.List, hits *chart.Hits, v *chart.View, box layout.Area, r float32) {
	f := v.Frame()
	m.sortMarks(v, f, len(m.positions))
	m.drawMarks(l, v, f, r)
	m.drawFocus(l, v, box, r)
	for i := range m.positions {
		hits.Add(m.positions[i].x, m.positions[i].y, r, i)
	}
}

// markRadius returns the radius of marks: large marks of a small map would lie in one heap.
func markRadius(v *chart.View, clients int, box chart.Box) float32 {
	const least, perRadius = 3, 18
	r := v.ReadableRadius(clients)
	if v.Letters { // letters need their size
		return r
	}
	return min(r, max(least, min(box.W, box.H)/perRadius))
}

// Position returns where a client is drawn.
func (m *Map) Position(client int) (x, y float32) {
	return m.positions[client].x, m.positions[client].y
}

// Project returns the position of a point of the flat map; ok is false if the map is not flat.
func (m *Map) Project(x, y float32) (px, py float32, ok bool) {
	if m.flat.k == 0 || !chart.Finite(x) || !chart.Finite(y) {
		return 0, 0, false
	}
	px, py, _ = m.flat.clamp(m.flat.at(x, y))
	return px, py, true
}

// Direction returns how a difference of two points of the map lies in the figure, but not how long it is.
func (m *Map) Direction(dx, dy float32) (px, py float32) {
	if m.flat.turned {
		dx, dy = dy, dx
	}
	if m.flat.mirrored {
		dx = -dx
	}
	return dx, -dy
}

// draw2D draws everything below the marks of a flat map, and computes their positions.
func (m *Map) draw2D(l *scene.List, v *chart.View, f *trace.Frame, lane *trace.Lane, e layout.Extent, in *Inset) {
	plot, r := in.Area, in.Radius
	sectors := lane.Map == trace.LossTriangle && lane.Border
	// A round that exceeds the run's extent is shown completely: the map zooms out, and says so.
	whole := anchor(e, lane.Map)
	e = m.extent(f, lane.Map, whole, in)
	if b := frameBefore(v, f); b != nil {
		e = e.Interpolate(m.extent(b, lane.Map, whole, in), v.Back)
	}
	if in.Wide > 0 {
		if extra, ok := m.scale.pairsExtent(in.Extra); ok {
			e = e.Interpolate(e.Join(extra), in.Wide)
		}
	}
	if in.whole && v.ShowsHints() {
		m.drawHint(l, v, &plot, m.hint(lane.Map, f.Kept, sectors), whole.Size()/e.Size())
	}
	var p projection
	if lane.Map == trace.LossPair {
		p = m.drawPair(l, v, lane, e, plot)
	} else {
		pad := r + 8
		inner := layout.Rect(plot.X0+pad, plot.Y0+pad, plot.X1-pad, plot.Y1-pad)
		turned, mirrored := false, false
		if !in.whole && lane.Map != trace.LossTriangle {
			turned, mirrored = m.scale.turn()
		}
		if turned {
			e = layout.Extent{X0: e.Y0, X1: e.Y1, Y0: e.X0, Y1: e.X1}
		}
		if mirrored {
			e.X0, e.X1 = -e.X1, -e.X0
		}
		p = fit(e, inner)
		p.turned, p.mirrored = turned, mirrored
		p.frame = layout.Rect(plot.X0+r+2, plot.Y0+r+6, plot.X1-r-2, plot.Y1-r-2)
	}
	m.place2D(v, f, &p)
	m.flat = p
	l.Clip(plot.X0, plot.Y0, plot.X1-plot.X0, plot.Y1-plot.Y0)
	if sectors {
		m.drawTriangle(l, v, &p, plot)
	}
	m.drawPinned(l, v, &p, r)
	if (in.whole || in.Trail) && !v.ReducedMotion && len(m.positions) <= few { // more trails hide the marks
		m.drawTrails(l, v, f, &p)
	}
	m.drawGroups(l, v, f, in, plot, !sectors)
	m.drawLies(l, v, f)
	l.Unclip()
}

// few is the most clients with trails and hulls.
const few = 60

// extent returns the part of the plane that is shown for a frame: the whole run's extent, or with
// Fit and on an inset, which is small, the frame's own.
func (m *Map) extent(f *trace.Frame, kind trace.Map, whole layout.Extent, in *Inset) layout.Extent {
	now, ok := m.scale.frameExtent(f)
	switch {
	case !ok:
		return whole
	case !in.whole:
		return anchor(now.Padded(0.02), kind)
	}
	if now = anchor(now.Padded(0.1), kind); m.Fit {
		return now
	}
	return whole.Join(now)
}

// hint says how to read a map.
func (m *Map) hint(kind trace.Map, kept float32, sectors bool) string {
	var text string
	switch {
	case kind == trace.GradientPlane:
		text = say.Textf("Near = similar %s. Size of a cloud = noise. The axes have no unit.", m.similarity())
	case sectors:
		return say.Text("Near = similar losses. Further towards a letter = smaller loss with that model.")
	case kind == trace.LossPair:
		return say.Text("Near = similar losses.")
	default:
		text = say.Text("Near = similar losses. The axes have no unit.")
	}
	if kept < 0.995 && (kind == trace.LossPlane || kind == trace.GradientPlane) {
		text = say.Textf("%s %s", text, say.Textf("This flat map keeps %d%% of the spread.", int(100*kept+0.5)))
	}
	return text
}

// similarity names what clients near each other have in common on a map that is not of losses.
func (m *Map) similarity() say.Message { return say.Message(cmp.Or(m.Similar, "updates")) }

// anchor extends an extent by what a map always shows: two losses have the same scale, which
// begins at 0 unless half of it would be empty, and the triangle's borders meet at the origin.
func anchor(e layout.Extent, kind trace.Map) layout.Extent {
	switch kind {
	case trace.LossPair:
		lo, hi := min(e.X0, e.Y0), max(e.X1, e.Y1)
		if lo < hi/2 {
			return layout.Extent{X0: 0, X1: hi * 1.05, Y0: 0, Y1: hi * 1.05}
		}
		air := (hi - lo) / 20
		return layout.Extent{X0: lo - air, X1: hi + air, Y0: lo - air, Y1: hi + air}
	case trace.LossTriangle:
		return e.Join(layout.Extent{})
	}
	return e
}

// drawCaption writes a text at the bottom of the plot and shortens the plot by it. A text that would
// take half of the plot is left out: clients need the room.
func (m *Map) drawCaption(l *scene.List, plot *layout.Area, text string) {
	font := scene.Font{Size: layout.Small, Colour: scene.Quiet}
	h := layout.Paragraph(nil, 0, 0, plot.X1-plot.X0, font, text)
	if h > (plot.Y1-plot.Y0)/2 {
		return
	}
	layout.Paragraph(l, plot.X0, plot.Y1-h, plot.X1-plot.X0, font, text)
	m.labels.Reserve(layout.Rect(plot.X0, plot.Y1-h, plot.X1, plot.Y1))
	plot.Y1 -= h + 4
}

// drawHint writes below a map how to read it, and its zoom relative to the whole run. A small map
// has space for the zoom alone, in the corner without buttons.
func (m *Map) drawHint(l *scene.List, v *chart.View, plot *layout.Area, reading string, times float32) {
	zoomed := isZoomed(times) || isZoomed(1/times)
	if !v.Compact {
		if low := plot.Y1-plot.Y0 < 120; !low && zoomed {
			reading = say.Textf("%s %s", reading, say.Textf("This round is %s.", zoomText(times)))
		}
		m.drawCaption(l, plot, reading)
		return
	}
	if zoomed {
		text := zoomText(times)
		w := scene.TextWidth(text, layout.Small, false)
		l.Text(plot.X0, plot.Y0, scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}, text)
		m.labels.Reserve(layout.Rect(plot.X0, plot.Y0, plot.X0+w, plot.Y0+layout.LineHeight))
	}
}

// isZoomed reports whether a zoom is large enough to be stated.
func isZoomed(times float32) bool { return chart.Finite(times) && times >= 1.15 }

func zoomText(times float32) string {
	tick := func(times float32) []byte { return chart.AppendTick(nil, twoDigits(float64(times))) }
	if times < 1 {
		return say.Textf("zoomed out %s×", tick(1/times))
	}
	return say.Textf("zoomed %s×", tick(times))
}

// twoDigits rounds to two digits: a zoom of 12.3 is given as 12.
func twoDigits(v float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	return math.Round(v/unit) * unit
}

// place2D computes the position of each client.
func (m *Map) place2D(v *chart.View, f *trace.Frame, p *projection) {
	before := frameBefore(v, f)
	if before == nil {
		before = f
	}
	for i := range m.positions {
		x, y := f.XY[2*i], f.XY[2*i+1]
		x, y = x+(before.XY[2*i]-x)*v.Back, y+(before.XY[2*i+1]-y)*v.Back
		if !chart.Finite(x) || !chart.Finite(y) {
			x, y = 0, 0
		}
		px, py, outside := p.clamp(p.at(x, y))
		m.positions[i] = position{px, py, m.match.Misplaced(v, i, chart.ModelOf(f, i)), outside, 0}
	}
}

// frameBefore returns the frame that marks slide from, nil if they do not move.
func frameBefore(v *chart.View, f *trace.Frame) *trace.Frame {
	if v.Back <= 0 || f.Round == 0 {
		return nil
	}
	if b := v.FrameAt(v.Lane, f.Round-1); b != nil && len(b.XY) == len(f.XY) {
		return b
	}
	return nil
}

// modelCount returns one more than the largest label of f.
func modelCount(f *trace.Frame) int {
	most := 0
	for _, k := range f.Label {
		most = max(most, int(k)+1)
	}
	return most
}

// axisTitle says what distances on a map mean, "" if its axes do.
func (m *Map) axisTitle(v *chart.View) string {
	lane := v.LaneHeader()
	switch {
	case lane == nil || lane.Map == trace.NoMap || lane.Map == trace.LossPair:
		return ""
	case lane.Map == trace.GradientPlane:
		return say.Textf("Near = similar %s (no unit)", m.similarity())
	}
	return say.Text("Near = similar losses (no unit)")
}
