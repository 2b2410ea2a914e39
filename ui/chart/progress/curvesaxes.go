package progress

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The axes of the curves.

// curveScale maps rounds and values to the figure.
type curveScale struct {
	layout.Area
	rounds    int
	lo, hi    float64
	nameWidth float32 // for the names, and the samples of lines before them
	noteWidth float32 // space below the axis beside the shown round
}

func (s *curveScale) x(round int) float32 {
	return s.X0 + (s.X1-s.X0)*float32(round)/float32(max(s.rounds, 1))
}

func (s *curveScale) y(v float64) float32 {
	t := (v - s.lo) / (s.hi - s.lo)
	if math.IsNaN(t) {
		t = 1
	}
	return s.Y1 - (s.Y1-s.Y0)*float32(min(max(t, 0), 1))
}

func (c *Curves) scale(v *chart.View, box chart.Box) curveScale {
	s := curveScale{rounds: v.Run.Header.Rounds}
	for i := range v.Run.Header.Lanes {
		s.nameWidth = max(s.nameWidth, scene.TextWidth(v.Title(i), layout.Small, false))
	}
	s.nameWidth = chart.LaneNameWidth(s.nameWidth, box)
	if v.Export.On { // the legend has the names
		s.nameWidth = 0
	}
	s.lo, s.hi = c.valueRange(v)
	left := float32(30)
	if !c.Metric.isShare() && !c.Metric.isCount() || c.Metric.isPercent() || s.lo < 0 {
		left = 42
	}
	if !v.Export.On && box.W >= 480 { // the slider of rounds has the same margins, in the style sheet
		left, s.nameWidth = 42, 108
	}
	s.Area = layout.Rect(left, 10, max(box.W-s.nameWidth-12, left+10), box.H-18)
	now := s.x(c.round(v))
	s.noteWidth = max(now-s.X0, s.X1-now)
	if v.Export.On {
		s.noteWidth = box.W
	}
	return s
}

// valueRange returns the ends of the vertical axis: 0 is on it, and there is room for an ARI below 0.
// Large losses of the first rounds must not compress the rest, so the axis ends at most at twice the
// 90 % quantile.
func (c *Curves) valueRange(v *chart.View) (lo, hi float64) {
	switch {
	case c.Metric == ARI:
		for i := range v.Run.Tracks {
			if !c.Metric.defined(v, i) {
				continue
			}
			for t := range v.Run.Tracks[i].Frames {
				lo = min(lo, v.Run.Tracks[i].Frames[t].ARI)
			}
		}
		const steps = 20 // in 1
		return math.Floor(lo*steps+1e-9) / steps, 1
	case c.Metric.isShare():
		return 0, 1
	case c.Metric.isCount():
		hi = 1
	case c.Metric.isLoss():
		hi = max(v.Run.Header.DataPreview.Floor*1.5, 0)
	}
	c.sort = c.sort[:0]
	for i := range v.Run.Tracks {
		if !c.Metric.defined(v, i) {
			continue
		}
		frames := v.Run.Tracks[i].Frames
		stride, next := len(frames)/256+1, 0
		for t := range frames {
			// The first value from each step on: between evaluations there are none.
			value := c.Metric.Of(v.Run.Header, &frames[t])
			if t >= next && !math.IsNaN(value) && !math.IsInf(value, 0) {
				c.sort, next = append(c.sort, float32(value)), t+stride
			}
		}
		if n := len(frames); n > 0 && c.Metric.cumulative() && n > 1 {
			// It grows evenly: extrapolate to the end of the run.
			last := c.Metric.Of(v.Run.Header, &frames[n-1])
			c.sort = append(c.sort, float32(last*float64(v.Run.Header.Rounds)/float64(n-1)))
		}
	}
	if len(c.sort) > 0 {
		slices.Sort(c.sort)
		top := float64(c.sort[len(c.sort)-1])
		if c.Metric.isLoss() {
			top = min(top, 2*float64(c.sort[int(0.9*float64(len(c.sort)-1))]))
		}
		hi = max(hi, top)
	}
	if hi <= 0 {
		hi = 1
	}
	return 0, layout.Nice(hi)
}

// roundTicks returns the rounds that the axis names.
func (c *Curves) roundTicks(v *chart.View, rounds int) []int {
	step := max(rounds, 1)
	if v.Export.On {
		step = max(int(layout.Nice(float64(rounds)/5)), 1)
	}
	c.order = c.order[:0]
	for t := 0; t <= rounds; t += step {
		c.order = append(c.order, t)
	}
	return c.order
}

func (c *Curves) drawAxes(l *scene.List, v *chart.View, s *curveScale, box chart.Box) {
	grid := scene.Pen{Colour: scene.Line, Width: 1}
	font := scene.Font{Size: layout.Small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Quiet}
	steps := 2
	if s.Y1-s.Y0 < 2*layout.LineHeight || (c.Metric.isCount() && math.Mod(s.hi, 2) != 0) {
		steps = 1
	}
	for i := range steps + 1 {
		value := s.hi * float64(i) / float64(steps)
		y := s.y(value)
		l.Line(grid, s.X0, y, s.X1, y)
		if c.Metric.isPercent() {
			c.words = chart.AppendPercent(c.words[:0], value)
		} else {
			c.words = chart.AppendTick(c.words[:0], value)
		}
		l.TextBytes(s.X0-5, y, font, c.words)
	}
	if s.y(s.lo)-s.y(0) >= layout.LineHeight {
		c.words = chart.AppendTick(c.words[:0], s.lo)
		l.TextBytes(s.X0-5, s.Y1, font, c.words)
	}
	// The first and the last round, and more in an exported figure. The cursor names the shown
	// one.
	font.Anchor, font.Baseline = scene.Middle, scene.Top
	shown := s.x(c.round(v))
	if !v.ShowsPlayhead() {
		shown = -box.W
	}
	for _, t := range c.roundTicks(v, s.rounds) {
		c.words = strconv.AppendInt(c.words[:0], int64(t), 10)
		w := scene.TextWidth(c.words, layout.Small, false)
		if float32(math.Abs(float64(s.x(t)-shown))) > w+18 {
			l.TextBytes(min(s.x(t), s.X1-w/2), s.Y1+2, font, c.words)
		}
	}
	if floor := v.Run.Header.DataPreview.Floor; c.Metric == Loss && floor >= 0 && floor <= s.hi {
		y := s.y(floor)
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Fine}, s.X0, y, s.X1, y)
		text := say.Textf("noise floor %s", chart.Number(floor))
		w := scene.TextWidth(text, layout.Small, false)
		// Away from the values beside the cursor.
		from, to := shown-50, shown+50
		left := s.X1 - 4 - w
		if left < to {
			left = s.X0 + 4
		}
		if clear := left > to || left+w < from; clear && !v.Compact && left+w < s.X1 && s.Y1-y > layout.LineHeight+2 {
			l.Text(left, y+2, scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}, text)
		}
	}
}
