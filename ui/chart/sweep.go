package chart

import (
	"math"
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var sweepKind = Kind{Name: "sweep", Title: "Sweep", Of: Apart, New: func() Figure { return new(Sweep) }}

// Sweep shows how every lane ends along one setting: means with bands of one
// standard deviation, and a dot for every run. Lanes differ by dash pattern and
// by the name at the end of their curve, as in the curves over the rounds.
type Sweep struct {
	SweepView

	at     []float64 // the values, or their logarithms
	top    float64
	points []float32
	ends   []float32
	lanes  []int
	order  []int
	words  []byte
}

// area is where the curves are.
func (s *Sweep) area(v *View, box Box) area {
	name := float32(0)
	if v.Paper.On { // the legend below has the names
		return area{42, 12, box.W - 14, box.H - 36}
	}
	for _, title := range s.Titles {
		name = max(name, scene.TextWidth(title, small, false))
	}
	return area{42, 12, box.W - laneRoom(name, box) - 14, box.H - 36}
}

func (s *Sweep) x(a area, cell int) float32 {
	lo, hi := s.at[0], s.at[len(s.at)-1]
	if hi == lo {
		return (a.x0 + a.x1) / 2
	}
	return a.x0 + (a.x1-a.x0)*float32((s.at[cell]-lo)/(hi-lo))
}

func (s *Sweep) y(a area, v float64) float32 {
	return a.y1 - (a.y1-a.y0)*float32(min(max(v/s.top, 0), 1))
}

// place reads the values of the setting.
func (s *Sweep) place() {
	s.at = s.at[:0]
	for _, text := range s.Sweep.Plan.Axes[0].Values {
		v, _ := strconv.ParseFloat(text, 64)
		if s.Logs[0] && v > 0 {
			v = math.Log(v)
		}
		s.at = append(s.at, v)
	}
}

// AxisTitles say what the axes show.
func (s *Sweep) AxisTitles(*View) (across, up string) { return "", sweepTitle(s.Measure) }

// Draw draws the sweep into box.
func (s *Sweep) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() || s.Sweep == nil || len(s.Sweep.Plan.Axes) != 1 {
		return
	}
	s.place()
	s.top = topOf(s.Sweep, s.Measure, len(s.Titles))
	a := s.area(v, box)
	if a.x1-a.x0 < 40 || a.y1-a.y0 < 30 {
		return
	}
	s.axes(l, a, box)
	s.unknown(l, a)
	for lane := len(s.Titles) - 1; lane >= 0; lane-- {
		s.lane(l, a, lane)
	}
	if !v.Paper.On {
		s.names(l, a, box)
	}
	if !v.Paper.On && s.Light >= 0 && s.Light < len(s.at) {
		x := s.x(a, s.Light)
		l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x, a.y0-4, x, a.y1)
	}
	for c := range s.at {
		hits.add(s.x(a, c), (a.y0+a.y1)/2, (a.y1-a.y0)/2, c)
	}
}

func (s *Sweep) axes(l *scene.List, a area, box Box) {
	font := scene.Font{Size: small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Quiet}
	for i := range 3 {
		value := s.top * float64(i) / 2
		y := s.y(a, value)
		l.Line(scene.Pen{Colour: scene.Line, Width: 1}, a.x0, y, a.x1, y)
		s.words = s.words[:0]
		if percent(s.Measure) {
			s.words = appendPercent(s.words, value)
		} else {
			s.words = appendTick(s.words, value)
		}
		l.TextBytes(a.x0-6, y, font, s.words)
	}
	font.Anchor, font.Baseline = scene.Middle, scene.Top
	free := float32(-1)
	for c, text := range s.Sweep.Plan.Axes[0].Values {
		x, w := s.x(a, c), scene.TextWidth(text, small, false)
		l.Line(scene.Pen{Colour: scene.Line, Width: 1}, x, a.y1, x, a.y1+3)
		if x-w/2 > free {
			l.Text(x, a.y1+5, font, text)
			free = x + w/2 + 6
		}
	}
	name := s.Names[0]
	if s.Units[0] != "" {
		name += " in " + s.Units[0]
	}
	l.Text((a.x0+a.x1)/2, a.y1+5+lineHeight, font, fitting(name, small, box.W))
}

// unknown hatches the values that have not been tried.
func (s *Sweep) unknown(l *scene.List, a area) {
	for c := range s.at {
		if s.Sweep.Runs(c) > 0 {
			continue
		}
		from, to := a.x0, a.x1
		if c > 0 {
			from = (s.x(a, c-1) + s.x(a, c)) / 2
		}
		if c+1 < len(s.at) {
			to = (s.x(a, c+1) + s.x(a, c)) / 2
		}
		hatch(l, from, a.y0, to-from, a.y1-a.y0)
	}
}

// lane draws one lane: its band, its line, and its runs.
func (s *Sweep) lane(l *scene.List, a area, lane int) {
	p := lanePen(lane)
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
			l.Fade(bandShade)
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

// names writes each lane's name at the end of its curve, beside a sample of its line.
func (s *Sweep) names(l *scene.List, a area, box Box) {
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
	spread(s.ends, s.order, lineHeight, 8, a.y1)
	for j, lane := range s.lanes {
		laneName(l, lane, s.Titles[lane], a.x1+8, s.ends[j], box.W-a.x1-8, box)
	}
}
