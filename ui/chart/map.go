package chart

import (
	"cmp"
	"math"
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var mapKind = Kind{Name: "map", Title: "Map", Of: OfMap, New: func() Figure { return new(Map) }}

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
	// loss; empty for updates.
	Near string

	scale   runScale
	heights heights
	match   matching
	labels  labels
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
func (m *Map) AxisTitles(v *View) (across, up string) { return m.title(v), "" }

// Draw draws the map into box.
func (m *Map) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() {
		return
	}
	lane, f := v.lane(), v.frame()
	if lane == nil {
		return
	}
	m.labels.reset()
	clients := v.Run.Header.Clients
	r := v.radius(clients)
	plot := area{8, 6, box.W - 8, box.H - 6}
	if f == nil {
		m.words = append(m.words[:0], "Nothing computed yet."...)
		m.caption(l, &plot)
		return
	}
	m.match.find(v, f)
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
		hits.add(m.spots[i].x, m.spots[i].y, r, i)
	}
}

// plane draws everything below the marks of a real map, and places them.
func (m *Map) plane(l *scene.List, v *View, f *trace.Frame, lane *trace.Lane, e extent, plot area, r float32) {
	sectors := lane.Map == trace.LossTriangle && lane.Border
	// A round that reaches beyond the run's extent is shown whole: there the
	// map steps back, and says so, rather than pile its clients up at the rim.
	whole := anchor(e, lane.Map)
	e = m.extent(f, lane.Map, whole)
	if b := frameBefore(v, f); b != nil {
		e = e.towards(m.extent(b, lane.Map, whole), v.Back)
	}
	if v.hints() {
		m.reading(lane.Map, f.Kept, sectors)
		m.legend(l, v, &plot, whole.size()/e.size())
	}
	var p project
	if lane.Map == trace.LossPair {
		p = m.pair(l, v, lane, e, plot)
	} else {
		pad := r + 8
		p = fit(e, area{plot.x0 + pad, plot.y0 + pad, plot.x1 - pad, plot.y1 - pad})
		p.frame = area{plot.x0 + r + 2, plot.y0 + r + 6, plot.x1 - r - 2, plot.y1 - r - 2}
	}
	m.place(v, f, &p)
	l.Clip(plot.x0, plot.y0, plot.x1-plot.x0, plot.y1-plot.y0)
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
func (m *Map) extent(f *trace.Frame, kind trace.Map, whole extent) extent {
	now, ok := m.scale.frame(f)
	if !ok {
		return whole
	}
	if now = anchor(now.wider(0.1), kind); m.Fit {
		return now
	}
	return whole.join(now)
}

// reading sets m.words to how to read a map.
func (m *Map) reading(kind trace.Map, kept float32, sectors bool) {
	m.words = m.words[:0]
	switch {
	case kind == trace.GradientPlane:
		m.words = append(m.words, "Near = similar "...)
		m.words = append(m.words, cmp.Or(m.Near, "updates")...)
		m.words = append(m.words, ". Size of a cloud = noise. The axes have no unit."...)
	case sectors:
		m.words = append(m.words, "Near = similar losses. Further towards a letter = better served by that model."...)
	case kind == trace.LossPair:
		m.words = append(m.words, "Near = similar losses."...)
	default:
		m.words = append(m.words, "Near = similar losses. The axes have no unit."...)
	}
	if kept < 0.995 && (kind == trace.LossPlane || kind == trace.GradientPlane) {
		m.words = append(m.words, " This flat map keeps "...)
		m.words = strconv.AppendInt(m.words, int64(100*kept+0.5), 10)
		m.words = append(m.words, "% of the spread."...)
	}
}

// anchor adds to an extent what a map must always show: two losses have the same scale,
// which begins at 0 unless half of it would be empty then, and the triangle's borders
// meet in its origin.
func anchor(e extent, kind trace.Map) extent {
	switch kind {
	case trace.LossPair:
		lo, hi := min(e.x0, e.y0), max(e.x1, e.y1)
		if lo < hi/2 {
			return extent{0, hi * 1.05, 0, hi * 1.05}
		}
		air := (hi - lo) / 20
		return extent{lo - air, hi + air, lo - air, hi + air}
	case trace.LossTriangle:
		return e.join(extent{})
	}
	return e
}

// caption sets m.words at the foot of the plot and takes their room away.
func (m *Map) caption(l *scene.List, plot *area) {
	if len(m.words) == 0 {
		return
	}
	font := scene.Font{Size: small, Colour: scene.Quiet}
	m.words = l.Words(m.words)
	h := paragraph(nil, 0, 0, plot.x1-plot.x0, font, m.words)
	paragraph(l, plot.x0, plot.y1-h, plot.x1-plot.x0, font, m.words)
	m.labels.keep(area{plot.x0, plot.y1 - h, plot.x1, plot.y1})
	plot.y1 -= h + 4
}

// legend writes m.words below a map, and how much closer it is than over the whole
// run, or farther away. A small map has room for that alone, in the corner that buttons leave free.
func (m *Map) legend(l *scene.List, v *View, plot *area, times float32) {
	if !v.Compact {
		if low := plot.y1-plot.y0 < 120; !low && (closer(times) || closer(1/times)) {
			m.words = append(m.words, " This round is "...)
			m.zoom(times)
			m.words = append(m.words, '.')
		}
		m.caption(l, plot)
		return
	}
	if m.words = m.words[:0]; closer(times) || closer(1/times) {
		m.zoom(times)
		w := scene.TextWidth(m.words, small, false)
		l.TextBytes(plot.x0, plot.y0, scene.Font{Size: small, Baseline: scene.Top, Colour: scene.Quiet}, m.words)
		m.labels.keep(area{plot.x0, plot.y0, plot.x0 + w, plot.y0 + lineHeight})
	}
}

// closer reports whether a map is so much closer that it has to say so.
func closer(times float32) bool { return finite(times) && times >= 1.15 }

func (m *Map) zoom(times float32) {
	m.words = append(m.words, "zoomed "...)
	if times < 1 {
		m.words, times = append(m.words, "out "...), 1/times
	}
	m.words = append(appendTick(m.words, rounded(float64(times))), "×"...)
}

// rounded keeps two digits: a zoom of 12 is not 12.3.
func rounded(v float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	return math.Round(v/unit) * unit
}

// place computes where each client stands.
func (m *Map) place(v *View, f *trace.Frame, p *project) {
	before := frameBefore(v, f)
	if before == nil {
		before = f
	}
	for i := range m.spots {
		x, y := f.XY[2*i], f.XY[2*i+1]
		x, y = x+(before.XY[2*i]-x)*v.Back, y+(before.XY[2*i+1]-y)*v.Back
		if !finite(x) || !finite(y) {
			x, y = 0, 0
		}
		px, py, outside := p.clamp(p.at(x, y))
		m.spots[i] = spot{px, py, m.match.wrong(v, i, label(f, i)), outside, 0}
	}
}

// frameBefore returns the frame that marks slide from, nil when they rest.
func frameBefore(v *View, f *trace.Frame) *trace.Frame {
	if v.Back <= 0 || f.Round == 0 {
		return nil
	}
	if b := v.frameAt(v.Lane, f.Round-1); b != nil && len(b.XY) == len(f.XY) {
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
func (m *Map) title(v *View) string {
	lane := v.lane()
	switch {
	case lane == nil || lane.Map == trace.NoMap || lane.Map == trace.LossPair:
		return ""
	case lane.Map == trace.GradientPlane:
		return "Near = similar " + cmp.Or(m.Near, "updates") + " (no unit)"
	}
	return "Near = similar losses (no unit)"
}
