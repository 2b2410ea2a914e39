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
var Kinds = []chart.Kind{{Name: "map", Title: "Map", Of: chart.OfMap, New: func() chart.Figure { return new(Map) }}}

// Map shows where a lane's server sees its clients at one round: near means
// alike. Misplaced clients are hollow, with a bold outline and a tick above:
// three cues, none of them colour alone.
type Map struct {
	// Fit scales to this round instead of the whole run; the figure says how
	// much closer that is.
	Fit bool
	// In3D lifts the map into three dimensions, where what the server decides
	// by has as many, seen from From.
	In3D bool
	From Orbit
	// Near is what is alike of clients near each other, on a map of what is no
	// loss, in English; empty for updates.
	Near string

	scale   runScale
	heights heights
	match   chart.Matching
	labels  layout.Labels
	order   []uint32  // clients by model, shape and place: marks that batch
	spots   []spot    // by client
	clouds  []cloud   // by model
	after   []cloud   // those that they are on their way to
	turned  []turned  // by model, while clouds are made
	room    []float32 // by model: of its cloud, for each client, over π; empty without clouds
	words   []byte
	trail   []float32
}

// spot is where a client is drawn.
type spot struct {
	x, y    float32
	wrong   bool
	outside bool    // brought to the rim
	depth   float32 // towards the eye, in pixels; 0 on the flat map
}

// AxisTitles say what the axes show.
func (m *Map) AxisTitles(v *chart.View) (across, up string) { return m.title(v), "" }

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
	m.labels.Reset()
	clients := v.Run.Header.Clients
	r := v.ReadableRadius(clients)
	plot := layout.Rect(8, 6, box.W-8, box.H-6)
	if f == nil {
		m.caption(l, &plot, say.Text("Nothing computed yet."))
		return
	}
	m.match.Find(v, f)
	m.room = m.room[:0]
	m.spots = trace.Resize(m.spots, clients)
	e, known := m.scale.of(v)
	if lane.Map == trace.NoMap || !known || len(f.XY) < 2*clients {
		m.rows(l, v, f, plot, r)
	} else if m.in3D(v, f) {
		m.space(l, v, f, lane, e, plot, r)
	} else {
		m.plane(l, v, f, lane, e, plot, r)
	}
	m.sortMarks(v, f, clients)
	m.marks(l, v, f, r)
	m.focus(l, v, box, r)
	for i := range m.spots {
		hits.Add(m.spots[i].x, m.spots[i].y, r, i)
	}
}

// plane draws everything below the marks of a real map, and places them.
func (m *Map) plane(l *scene.List, v *chart.View, f *trace.Frame, lane *trace.Lane, e layout.Extent, plot layout.Area,
	r float32) {
	sectors := lane.Map == trace.LossTriangle && lane.Border
	// A round that reaches beyond the run's extent is shown whole: there the
	// map steps back, and says so, rather than pile its clients up at the rim.
	whole := anchor(e, lane.Map)
	e = m.extent(f, lane.Map, whole)
	if b := frameBefore(v, f); b != nil {
		e = e.Towards(m.extent(b, lane.Map, whole), v.Back)
	}
	if v.ShowsHints() {
		m.legend(l, v, &plot, m.reading(lane.Map, f.Kept, sectors), whole.Size()/e.Size())
	}
	var p project
	if lane.Map == trace.LossPair {
		p = m.pair(l, v, lane, e, plot)
	} else {
		pad := r + 8
		p = fit(e, layout.Rect(plot.X0+pad, plot.Y0+pad, plot.X1-pad, plot.Y1-pad))
		p.frame = layout.Rect(plot.X0+r+2, plot.Y0+r+6, plot.X1-r-2, plot.Y1-r-2)
	}
	m.place(v, f, &p)
	l.Clip(plot.X0, plot.Y0, plot.X1-plot.X0, plot.Y1-plot.Y0)
	if sectors {
		m.triangle(l, v, &p, plot)
	}
	m.drawPinned(l, v, &p, r)
	if !v.ReducedMotion && len(m.spots) <= 60 { // more of them hide the marks
		m.trails(l, v, f, &p)
	}
	m.ellipses(l, v, f, plot, r, !sectors)
	l.Unclip()
}

// extent returns what the map shows of a frame: the whole run's extent, or
// with Fit the frame's own.
func (m *Map) extent(f *trace.Frame, kind trace.Map, whole layout.Extent) layout.Extent {
	now, ok := m.scale.frame(f)
	if !ok {
		return whole
	}
	if now = anchor(now.Wider(0.1), kind); m.Fit {
		return now
	}
	return whole.Join(now)
}

// reading says how to read a map.
func (m *Map) reading(kind trace.Map, kept float32, sectors bool) string {
	var text string
	switch {
	case kind == trace.GradientPlane:
		text = say.Textf("Near = similar %s. Size of a cloud = noise. The axes have no unit.", m.near())
	case sectors:
		return say.Text("Near = similar losses. Further towards a letter = better served by that model.")
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

// near is what is alike of clients near each other, on a map of what is no loss.
func (m *Map) near() say.Message { return say.Message(cmp.Or(m.Near, "updates")) }

// anchor adds to an extent what a map must always show: two losses have the same scale,
// which begins at 0 unless half of it would be empty then, and the triangle's borders
// meet in its origin.
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

// caption sets a text at the foot of the plot and takes its room away.
func (m *Map) caption(l *scene.List, plot *layout.Area, text string) {
	font := scene.Font{Size: layout.Small, Colour: scene.Quiet}
	h := layout.Paragraph(nil, 0, 0, plot.X1-plot.X0, font, text)
	layout.Paragraph(l, plot.X0, plot.Y1-h, plot.X1-plot.X0, font, text)
	m.labels.Keep(layout.Rect(plot.X0, plot.Y1-h, plot.X1, plot.Y1))
	plot.Y1 -= h + 4
}

// legend writes below a map how to read it, and how much closer it is than over the whole
// run, or farther away. A small map has room for that alone, in the corner that buttons leave free.
func (m *Map) legend(l *scene.List, v *chart.View, plot *layout.Area, reading string, times float32) {
	zoomed := closer(times) || closer(1/times)
	if !v.Compact {
		if low := plot.Y1-plot.Y0 < 120; !low && zoomed {
			reading = say.Textf("%s %s", reading, say.Textf("This round is %s.", zoom(times)))
		}
		m.caption(l, plot, reading)
		return
	}
	if zoomed {
		text := zoom(times)
		w := scene.TextWidth(text, layout.Small, false)
		l.Text(plot.X0, plot.Y0, scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}, text)
		m.labels.Keep(layout.Rect(plot.X0, plot.Y0, plot.X0+w, plot.Y0+layout.LineHeight))
	}
}

// closer reports whether a map is so much closer that it has to say so.
func closer(times float32) bool { return chart.Finite(times) && times >= 1.15 }

func zoom(times float32) string {
	tick := func(times float32) []byte { return chart.AppendTick(nil, rounded(float64(times))) }
	if times < 1 {
		return say.Textf("zoomed out %s×", tick(1/times))
	}
	return say.Textf("zoomed %s×", tick(times))
}

// rounded keeps two digits: a zoom of 12 is not 12.3.
func rounded(v float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	return math.Round(v/unit) * unit
}

// place computes where each client stands.
func (m *Map) place(v *chart.View, f *trace.Frame, p *project) {
	before := frameBefore(v, f)
	if before == nil {
		before = f
	}
	for i := range m.spots {
		x, y := f.XY[2*i], f.XY[2*i+1]
		x, y = x+(before.XY[2*i]-x)*v.Back, y+(before.XY[2*i+1]-y)*v.Back
		if !chart.Finite(x) || !chart.Finite(y) {
			x, y = 0, 0
		}
		px, py, outside := p.clamp(p.at(x, y))
		m.spots[i] = spot{px, py, m.match.Wrong(v, i, chart.ModelOf(f, i)), outside, 0}
	}
}

// frameBefore returns the frame that marks slide from, nil when they rest.
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

// title says what distances on a map mean, "" where axes say it.
func (m *Map) title(v *chart.View) string {
	lane := v.LaneHeader()
	switch {
	case lane == nil || lane.Map == trace.NoMap || lane.Map == trace.LossPair:
		return ""
	case lane.Map == trace.GradientPlane:
		return say.Textf("Near = similar %s (no unit)", m.near())
	}
	return say.Text("Near = similar losses (no unit)")
}
