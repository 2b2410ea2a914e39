package progress

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Kinds are the figures of this package, in the order of their tabs.
var Kinds = []chart.Kind{curvesKind, timelineKind}

var curvesKind = chart.Kind{Name: "curves", Title: "Curves",
	Hint: "dashes tell methods apart · pale: every round · vertical line: the round on screen", Of: chart.OfLanes,
	New: func() chart.Figure { return new(Curves) }}

// Curves shows one metric over the rounds, for all lanes. Hue means models,
// so lanes differ by dash pattern and by the name at the end of their curve.
type Curves struct {
	Metric  Metric
	Readout Readout

	sums   []float64 // of the values of a lane up to a round, if its mean is drawn
	sort   []float32
	points []float32
	ends   []float32
	lanes  []int
	order  []int
	words  []byte
	number []byte
}

// Readout is the position of the pointer or the keyboard on the curves: the values of a round get
// the names of their lanes, and one lane is highlighted.
type Readout struct {
	On    bool
	Round int // under the pointer, −1 for the shown one
	Lane  int // next to the pointer, or chosen with the keyboard; −1 for none
}

// AxisTitles returns the titles of the axes.
func (c *Curves) AxisTitles(v *chart.View) (x, y string) {
	y = metrics[c.Metric].title
	if c.Metric == Loss && v.Classifies() {
		y = "Cross-entropy"
	} else if c.Metric == Loss {
		y = "Mean squared error"
	}
	return c.roundTitle(v), c.title(v, say.Message(y))
}

// title says whose metric it is: scores are of honest clients, costs of all.
func (c *Curves) title(v *chart.View, text say.Message) string {
	if len(v.Run.Header.Liar) > 0 && !c.Metric.cumulative() {
		return say.Textf("%s, honest clients", text)
	}
	return string(text)
}

// Draw draws the curves into box.
func (c *Curves) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	if v.Run == nil {
		return
	}
	s := c.scale(v, box)
	c.drawAxes(l, v, &s, box)
	c.drawPinned(l, v, &s)
	means := false
	for i := range v.Run.Tracks {
		means = c.drawLane(l, v, &s, i, chart.LanePen(i)) || means
	}
	if means && !v.Export.On { // else the title of the axis says so
		c.drawMeanNote(l, &s, c.round(v))
	}
	if !v.Export.On {
		c.drawNames(l, v, &s, box)
	}
	l.EndStatic() // painting hundreds of dashes takes longer than all other figures
	c.drawHighlight(l, v, &s, box)
	if v.ShowsPlayhead() {
		c.drawCursor(l, v, &s, box)
	}
}

// drawLane draws the curve of one lane. It reports whether that is a moving mean, over a pale
// curve of every round.
func (c *Curves) drawLane(l *scene.List, v *chart.View, s *curveScale, lane int, pen scene.Pen) (mean bool) {
	if !c.Metric.defined(v, lane) {
		return false
	}
	frames, evaluated := v.Run.Tracks[lane].Frames, v.Evaluated()
	if mean = c.isNoisy(v.Run.Header, frames, s, evaluated); mean {
		l.Fade(0.35)
		c.drawCurve(l, v.Run.Header, frames, s, scene.Pen{Colour: pen.Colour, Width: 1, Dash: pen.Dash}, evaluated)
		l.Fade(1)
		c.drawLine(l, len(frames), s, pen, func(t int) (float64, bool) { return c.movingMean(t, s.window()), true })
	} else {
		c.drawCurve(l, v.Run.Header, frames, s, pen, evaluated)
	}
	return mean
}

// drawHighlight dims all lanes but the highlighted one.
func (c *Curves) drawHighlight(l *scene.List, v *chart.View, s *curveScale, box chart.Box) {
	i := c.Readout.Lane
	if !c.Readout.On || i < 0 || i >= len(v.Run.Tracks) || len(v.Run.Tracks) < 2 || !c.Metric.defined(v, i) {
		return
	}
	l.Fade(0.7)
	l.Rect(s.X0, 0, box.W-s.X0, s.Y1-0.5, scene.Paper, scene.Pen{})
	l.Fade(1)
	pen := chart.LanePen(i)
	pen.Colour, pen.Width = scene.Ink, 2
	c.drawLane(l, v, s, i, pen)
	if j := slices.Index(c.lanes, i); j >= 0 { // at its name
		chart.DrawLaneName(l, i, v.Title(i), s.X1+8, c.ends[j], s.nameWidth, box)
	}
}

// drawCurve draws the metric of frames of a run, round by round.
func (c *Curves) drawCurve(l *scene.List, h *trace.Header, frames []trace.Frame, s *curveScale, pen scene.Pen,
	evaluated bool) {
	c.drawLine(l, len(frames), s, pen, func(t int) (float64, bool) {
		f := &frames[t]
		return c.Metric.Of(h, f), c.Metric.hasValue(f, evaluated)
	})
}

// drawLine draws the values of rounds below n that have one. If rounds are closer than half a
// pixel, each pixel shows the smallest and the largest value of its rounds. Evaluations far apart
// get dots.
func (c *Curves) drawLine(l *scene.List, n int, s *curveScale, pen scene.Pen, value func(round int) (float64, bool)) {
	c.points = c.points[:0]
	if float32(s.rounds) <= 2*(s.X1-s.X0) {
		whole := true
		for t := range n {
			if y, known := value(t); known {
				c.points = append(c.points, s.x(t), s.y(y))
			} else {
				whole = false
			}
		}
		l.Line(pen, c.points...)
		if n := len(c.points); !whole && n > 0 && (c.points[n-2]-c.points[0])/float32(n/2) > 5 {
			for i := 0; i < n; i += 2 {
				l.Mark(scene.Circle, c.points[i], c.points[i+1], 2, pen.Colour, scene.Pen{})
			}
		}
		return
	}
	for t := 0; t < n; {
		x := float32(math.Floor(float64(s.x(t))))
		top, bottom := s.Y1, s.Y0
		first, last, some := float32(0), float32(0), false
		for ; t < n && s.x(t) < x+1; t++ {
			y, known := value(t)
			if !known {
				continue
			}
			last = s.y(y)
			if !some {
				first, some = last, true
			}
			top, bottom = min(top, last), max(bottom, last)
		}
		if !some {
			continue
		}
		c.points = append(c.points, x+0.5, first)
		if bottom > top {
			c.points = append(c.points, x+0.5, top, x+0.5, bottom, x+0.5, last)
		}
	}
	l.Line(pen, c.points...)
}

// drawNames writes each lane's name at the end of its curve, beside a sample of its line.
func (c *Curves) drawNames(l *scene.List, v *chart.View, s *curveScale, box chart.Box) {
	c.ends, c.lanes = c.ends[:0], c.lanes[:0]
	for i := range v.Run.Tracks {
		if n := len(v.Run.Tracks[i].Frames); n > 0 && c.Metric.defined(v, i) {
			c.ends, c.lanes = append(c.ends, s.y(c.Metric.at(v, i, n-1))), append(c.lanes, i)
		}
	}
	c.order = trace.Resize(c.order, len(c.ends))
	lowest := s.Y1 - 4
	if lowest-8 < layout.LineHeight*float32(len(c.ends)-1) {
		lowest = box.H - 8
	}
	layout.Spread(c.ends, c.order, layout.LineHeight, 8, lowest)
	for j, i := range c.lanes {
		chart.DrawLaneName(l, i, v.Title(i), s.X1+8, c.ends[j], s.nameWidth, box)
	}
}

// round returns the round whose values are shown.
func (c *Curves) round(v *chart.View) int {
	round := v.Round
	if c.Readout.On && c.Readout.Round >= 0 {
		round = c.Readout.Round
	}
	return min(max(round, 0), v.Run.Header.Rounds)
}

// drawCursor draws a line at the shown round, one at the round under the pointer, and the values
// of the latter.
func (c *Curves) drawCursor(l *scene.List, v *chart.View, s *curveScale, box chart.Box) {
	round := c.round(v)
	x := s.x(round)
	if now := s.x(min(max(v.Round, 0), s.rounds)); now != x {
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, now, s.Y0-4, now, s.Y1)
	}
	l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x, s.Y0-4, x, s.Y1)
	c.words = strconv.AppendInt(c.words[:0], int64(round), 10)
	w := scene.TextWidth(c.words, layout.Small, true)
	l.TextBytes(min(max(x, w/2+2), box.W-w/2-2), s.Y1+2,
		scene.Font{Size: layout.Small, Bold: true, Anchor: scene.Middle, Baseline: scene.Top,
			Colour: scene.Ink}, c.words)

	c.ends, c.lanes = c.ends[:0], c.lanes[:0]
	for i := range v.Run.Tracks {
		if round < len(v.Run.Tracks[i].Frames) && c.Metric.defined(v, i) {
			y := s.y(c.Metric.at(v, i, round))
			l.Mark(scene.Circle, x, y, 3, scene.Ink, scene.Pen{Colour: scene.Paper, Width: 1})
			c.ends, c.lanes = append(c.ends, y), append(c.lanes, i)
		}
	}
	c.order = trace.Resize(c.order, len(c.ends))
	layout.Spread(c.ends, c.order, layout.LineHeight, s.Y0, max(s.Y1-6, s.Y0))
	for j, i := range c.lanes {
		if c.Readout.On && c.Readout.Lane >= 0 && c.Readout.Lane != i {
			continue
		}
		c.words = c.words[:0]
		if c.Readout.On && len(c.lanes) > 1 { // with the pointer on the curves, values get names
			c.words = append(append(c.words, v.Title(i)...), ' ')
		}
		name := len(c.words)
		c.words = c.Metric.append(c.words, c.Metric.at(v, i, round))
		w := scene.TextWidth(c.words, layout.Small, true)
		if x+6+w+3 > s.X1 && x-6-w < s.X0 { // no room for name and value
			c.words = c.words[name:]
			w = scene.TextWidth(c.words, layout.Small, true)
		}
		left := x + 6
		if left+w+3 > s.X1 {
			left = max(x-6-w, 2)
		}
		l.Fade(0.8)
		l.Rect(left-2, c.ends[j]-7, w+4, 14, scene.Paper, scene.Pen{})
		l.Fade(1)
		l.TextBytes(left, c.ends[j], scene.Font{Size: layout.Small, Bold: true, Baseline: scene.Centre,
			Colour: scene.Ink},
			c.words)
	}
}
