package sweeps

import (
	"math"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var curvesKind = chart.Kind{Name: "sweep", Title: "Sweep", Of: chart.NoTab,
	New: func() chart.Figure { return new(Curves) }}

// Curves shows the final results of every lane over one setting: means with bands of one standard
// deviation, and a small dot for each run. Lanes differ by dash pattern and by the name at the end of
// their curve.
type Curves struct {
	View

	at     []float64 // the values, or their logarithms
	low    float64   // at the lower end of the axis
	top    float64
	points []float32
	ends   []float32
	lanes  []int
	order  []int
	words  []byte
}

// area returns the area of the curves.
func (s *Curves) area(v *chart.View, box chart.Box) layout.Area {
	name := float32(0)
	if v.Export.On { // the legend has the names
		return layout.Rect(42, 12, box.W-14, box.H-36)
	}
	for _, title := range s.Titles {
		name = max(name, scene.TextWidth(chart.LaneTitle(title), layout.Small, false))
	}
	return layout.Rect(42, 12, box.W-chart.LaneNameWidth(name, box)-14, box.H-36)
}

func (s *Curves) x(a layout.Area, cell int) float32 {
	lo, hi := s.at[0], s.at[len(s.at)-1]
	if hi == lo {
		return (a.X0 + a.X1) / 2
	}
	return a.X0 + (a.X1-a.X0)*float32((s.at[cell]-lo)/(hi-lo))
}

func (s *Curves) y(a layout.Area, v float64) float32 {
	return a.Y1 - (a.Y1-a.Y0)*share(v, s.low, s.top)
}

// readValues parses the values of the setting.
func (s *Curves) readValues() {
	s.at = s.at[:0]
	for _, text := range s.Sweep.Plan.Axes[0].Values {
		v, _ := strconv.ParseFloat(text, 64)
		if s.Logs[0] && v > 0 {
			v = math.Log(v)
		}
		s.at = append(s.at, v)
	}
}

// AxisTitles returns the titles of the axes.
func (s *Curves) AxisTitles(*chart.View) (x, y string) { return "", MeasureTitle(s.Measure) }

// Draw draws the sweep into box.
func (s *Curves) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() || s.Sweep == nil || len(s.Sweep.Plan.Axes) != 1 {
		return
	}
	s.readValues()
	s.low, s.top = rangeOf(s.Sweep, s.Measure, len(s.Titles))
	a := s.area(v, box)
	if a.X1-a.X0 < 40 || a.Y1-a.Y0 < 30 {
		return
	}
	s.drawAxes(l, a, box)
	s.drawUnknown(l, a)
	for lane := len(s.Titles) - 1; lane >= 0; lane-- {
		s.drawLane(l, a, lane)
	}
	if !v.Export.On {
		s.drawNames(l, a, box)
	}
	s.drawUnfinished(l, v, box)
	if !v.Export.On && s.Hovered >= 0 && s.Hovered < len(s.at) {
		x := s.x(a, s.Hovered)
		l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x, a.Y0-4, x, a.Y1)
	}
	for c := range s.at {
		hits.Add(s.x(a, c), (a.Y0+a.Y1)/2, (a.Y1-a.Y0)/2, c)
	}
}

func (s *Curves) drawAxes(l *scene.List, a layout.Area, box chart.Box) {
	font := scene.Font{Size: layout.Small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Quiet}
	for i := range 3 {
		value := s.top * float64(i) / 2
		y := s.y(a, value)
		l.Line(scene.Pen{Colour: scene.Line, Width: 1}, a.X0, y, a.X1, y)
		s.words = s.words[:0]
		if isPercent(s.Measure) {
			s.words = chart.AppendPercent(s.words, value)
		} else {
			s.words = chart.AppendTick(s.words, value)
		}
		l.TextBytes(a.X0-6, y, font, s.words)
	}
	if zero, low := s.y(a, 0), s.y(a, s.low); low-zero >= layout.LineHeight {
		s.words = chart.AppendTick(s.words[:0], s.low)
		l.TextBytes(a.X0-6, low, font, s.words)
	}
	font.Anchor, font.Baseline = scene.Middle, scene.Top
	free := float32(-1)
	for c, text := range s.Sweep.Plan.Axes[0].Values {
		x, w := s.x(a, c), scene.TextWidth(text, layout.Small, false)
		l.Line(scene.Pen{Colour: scene.Line, Width: 1}, x, a.Y1, x, a.Y1+3)
		if x-w/2 > free {
			l.Text(x, a.Y1+5, font, text)
			free = x + w/2 + 6
		}
	}
	l.Text((a.X0+a.X1)/2, a.Y1+5+layout.LineHeight, font,
		layout.Fit(withUnit(s.Names[0], s.Units[0]), layout.Small, box.W))
}

// drawUnknown hatches the values without a run.
func (s *Curves) drawUnknown(l *scene.List, a layout.Area) {
	for c := range s.at {
		if s.Sweep.Runs(c) > 0 {
			continue
		}
		from, to := a.X0, a.X1
		if c > 0 {
			from = (s.x(a, c-1) + s.x(a, c)) / 2
		}
		if c+1 < len(s.at) {
			to = (s.x(a, c+1) + s.x(a, c)) / 2
		}
		drawHatch(l, from, a.Y0, to-from, a.Y1-a.Y0)
	}
}

// drawLane draws one lane: its band, its line, and its runs.
func (s *Curves) drawLane(l *scene.List, a layout.Area, lane int) {
	p := chart.LanePen(lane)
	var known []int
	flush := func() {
		if len(known) > 1 {
			s.points = s.points[:0]
			for _, c := range known {
				stat := s.Sweep.Stat(c, lane, s.Measure)
				s.points = append(s.points, s.x(a, c), s.y(a, stat.Mean+stat.SD))
			}
			for i := len(known) - 1; i >= 0; i-- {
				stat := s.Sweep.Stat(known[i], lane, s.Measure)
				s.points = append(s.points, s.x(a, known[i]), s.y(a, stat.Mean-stat.SD))
			}
			l.Fade(bandOpacity)
			l.Polygon(p.Colour, scene.Pen{}, s.points...)
			l.Fade(1)
			s.points = s.points[:0]
			for _, c := range known {
				s.points = append(s.points, s.x(a, c), s.y(a, s.Sweep.Stat(c, lane, s.Measure).Mean))
			}
			l.Line(p, s.points...)
		}
		known = known[:0]
	}
	for c := range s.at {
		if s.Sweep.Stat(c, lane, s.Measure).N == 0 {
			flush()
			continue
		}
		known = append(known, c)
	}
	flush()
	for c := range s.at {
		if stat := s.Sweep.Stat(c, lane, s.Measure); stat.N > 0 {
			l.Mark(scene.Circle, s.x(a, c), s.y(a, stat.Mean), 3, p.Colour, scene.Pen{Colour: scene.Paper, Width: 1})
		}
	}
	l.Fade(0.6)
	for c := range s.at {
		for seed := range s.Sweep.Plan.Seeds {
			if v, ok := s.Sweep.Value(s.Sweep.Plan.Job(c, seed), lane, s.Measure); ok {
				l.Mark(scene.Circle, s.x(a, c), s.y(a, v), 1.5, p.Colour, scene.Pen{})
			}
		}
	}
	l.Fade(1)
}

// drawNames writes each lane's name at the end of its curve, beside a sample of its line.
func (s *Curves) drawNames(l *scene.List, a layout.Area, box chart.Box) {
	s.ends, s.lanes = s.ends[:0], s.lanes[:0]
	for lane := range s.Titles {
		for c := len(s.at) - 1; c >= 0; c-- {
			if stat := s.Sweep.Stat(c, lane, s.Measure); stat.N > 0 {
				s.ends, s.lanes = append(s.ends, s.y(a, stat.Mean)), append(s.lanes, lane)
				break
			}
		}
	}
	s.order = trace.Resize(s.order, len(s.ends))
	layout.Spread(s.ends, s.order, layout.LineHeight, 8, a.Y1)
	for j, lane := range s.lanes {
		chart.DrawLaneName(l, lane, chart.LaneTitle(s.Titles[lane]), a.X1+8, s.ends[j], box.W-a.X1-8, box)
	}
}
