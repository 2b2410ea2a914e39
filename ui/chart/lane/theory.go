package lane

import (
	"math"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var theoryKind = chart.Kind{Name: "theory", Title: "Theory", Hint: "solid: measured · dashed: bounds", Of: chart.OfLane,
	Shows: hasTheory, New: func() chart.Figure { return new(Theory) }}

// Theory shows over the rounds what theorems are about, beside bounds on it (see [trace.Theory]): misplaced clients with
// the bound (18) of CFL-GP, and the error of the worst group's model with the most that steps without noise can leave. The
// axes are linear up to a unit and logarithmic above it, so that 0 and a bound of thousands have a place.
type Theory struct {
	points []float32
	words  []byte
}

// hasTheory reports whether the best models of the lane are known.
func hasTheory(v *chart.View) bool {
	f := v.FrameAt(v.Lane, 0)
	return v.LaneHeader() != nil && f != nil && f.Theory.Error > 0
}

// theoryPart is a pair of curves: what was measured in a frame, and what is promised, 0 if unknown.
type theoryPart struct {
	unit float64 // up to which the axis is linear
	of   func(f *trace.Frame) (measured, promised float64)
}

// parts returns what a lane has: CFL-GP has a bound on misplaced clients.
func (g *Theory) parts(v *chart.View) []theoryPart {
	models, frames := v.LaneHeader().Models, v.Run.Tracks[v.Lane].Frames
	out := []theoryPart{{0.01, func(f *trace.Frame) (measured, promised float64) {
		return float64(f.Theory.Error), float64(f.Theory.Promise)
	}}}
	if frames[len(frames)-1].Theory.Gap > 0 {
		out = append([]theoryPart{{1, func(f *trace.Frame) (measured, promised float64) {
			return float64(f.Misplaced), f.Theory.MisplacedBound(models)
		}}}, out...)
	}
	return out
}

// AxisTitles returns the titles of the axes.
func (g *Theory) AxisTitles(*chart.View) (x, y string) { return "Round", "" }

// Draw draws the parts into box, one below the other.
func (g *Theory) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() || !hasTheory(v) {
		return
	}
	parts := g.parts(v)
	for n, part := range parts {
		h := box.H / float32(len(parts))
		g.drawPart(l, v, &part, layout.Rect(44, float32(n)*h+layout.LineHeight+4, box.W-8, float32(n+1)*h-8))
	}
}

func (g *Theory) drawPart(l *scene.List, v *chart.View, part *theoryPart, a layout.Area) {
	frames, clients := v.Run.Tracks[v.Lane].Frames, float64(v.Run.Header.Clients)
	if a.Y1-a.Y0 < 8 {
		return
	}
	top := part.unit
	for i := range frames {
		measured, promised := part.of(&frames[i])
		for _, value := range [...]float64{measured, promised} {
			if value < 1e6*part.unit { // what is not finite is cut off
				top = max(top, value)
			}
		}
	}
	height := func(value float64) float32 {
		share := math.Log1p(value/part.unit) / math.Log1p(top/part.unit)
		if !(share < 1) {
			share = 1
		}
		return a.Y1 - (a.Y1-a.Y0)*float32(share)
	}
	x := func(round int) float32 {
		return a.X0 + (a.X1-a.X0)*float32(round)/float32(max(v.Run.Header.Rounds, 1))
	}
	font := scene.Font{Size: layout.Small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Quiet}
	last := a.Y1 + layout.LineHeight
	for tick := 0.0; tick <= top; tick = max(10*tick, part.unit) {
		if y := height(tick); last-y >= layout.LineHeight {
			last = y
			l.Line(scene.Pen{Colour: scene.Line, Width: 1}, a.X0, y, a.X1, y)
			g.words = chart.AppendNumber(g.words[:0], tick)
			l.TextBytes(a.X0-5, y, font, g.words)
		}
	}
	if part.unit == 1 && clients <= top {
		y := height(clients)
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Fine}, a.X0, y, a.X1, y)
	}
	for _, promised := range [2]bool{true, false} {
		pen := scene.Pen{Colour: scene.Ink, Width: 2}
		if promised {
			pen = chart.LanePen(1)
		}
		g.points = g.points[:0]
		for i := range frames {
			value, bound := part.of(&frames[i])
			if promised {
				value = bound
			}
			if value > 0 || !promised {
				g.points = append(g.points, x(i), height(value))
			}
		}
		l.Line(pen, g.points...)
	}
	if f := v.Frame(); f != nil {
		if v.ShowsPlayhead() {
			l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x(f.Round), a.Y0, x(f.Round), a.Y1)
		}
		l.Text(6, a.Y0-layout.LineHeight-2, scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet},
			layout.Fit(part.words(v, f), layout.Small, a.X1-6))
	}
}

// words says what was measured and promised in a frame.
func (part *theoryPart) words(v *chart.View, f *trace.Frame) string {
	measured, promised := part.of(f)
	bound := chart.Number(promised)
	switch {
	case part.unit == 1 && promised == 0:
		return say.Textf("%d of %d misplaced, no bound yet", f.Misplaced, v.Run.Header.Clients)
	case part.unit == 1:
		return say.Textf("%d of %d misplaced, bound %s", f.Misplaced, v.Run.Header.Clients, bound)
	case promised == 0:
		return say.Textf("distance from the best model %s", chart.Number(measured))
	}
	return say.Textf("distance from the best model %s, bound %s", chart.Number(measured), bound)
}

// Describe gives the numbers of the shown round.
func (g *Theory) Describe(v *chart.View) string {
	if !hasTheory(v) {
		return say.Text("Theory: the best models are not known.")
	}
	f, words := v.Frame(), []string(nil)
	for _, part := range g.parts(v) {
		words = append(words, part.words(v, f))
	}
	return say.Textf("Theory, round %d, %s: %s.", f.Round, v.Title(v.Lane), say.Join(words, "; "))
}

// Table lists the numbers of about fifty rounds.
func (g *Theory) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"round", "misplaced", "bound", "distance", "without noise at most"}
	if !hasTheory(v) {
		return head, nil
	}
	frames, models := v.Run.Tracks[v.Lane].Frames, v.LaneHeader().Models
	for t := 0; t < len(frames); t += max(len(frames)/50, 1) {
		f := &frames[t]
		error, promise := float64(f.Theory.Error), float64(f.Theory.Promise)
		rows = append(rows, []string{strconv.Itoa(t), strconv.Itoa(f.Misplaced),
			chart.Number(f.Theory.MisplacedBound(models)), chart.Number(error), chart.Number(promise)})
	}
	return head, rows
}
