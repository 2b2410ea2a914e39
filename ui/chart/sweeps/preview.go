package sweeps

import (
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/lab/sweep"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var previewKind = chart.Kind{Name: "scent", Title: "Preview", Of: chart.NoTab, Many: true,
	New: func() chart.Figure { return new(Preview) }}

// Preview is drawn behind a slider: the final results of each lane over the slider's range, as a
// line through the means with a band of one standard deviation. Values without a run are hatched.
// It is a scented widget (Willett, Heer and Agrawala, IEEE TVCG 13(6), 2007), therefore "scent"
// in links.
type Preview struct {
	Sweep   *sweep.Table // nil before the first run
	At      []float32    // positions of the values on the slider, 0 to 1
	Measure sweep.Measure
	Titles  []string // of the lanes
	Name    string   // of the setting
	Unit    string
	Inset   float32 // distance of the slider's ends from the edges: half the width of its thumb

	points   []float32
	low, top float64 // the values at the edges
}

func (s *Preview) x(box chart.Box, at float32) float32 { return s.Inset + (box.W-2*s.Inset)*at }

func (s *Preview) y(box chart.Box, v float64) float32 {
	return box.H - 3 - (box.H-6)*share(v, s.low, s.top)
}

// edges returns the part of the slider around a value.
func (s *Preview) edges(box chart.Box, cell int) (from, to float32) {
	from, to = 0, box.W
	if cell > 0 {
		from = s.x(box, (s.At[cell-1]+s.At[cell])/2)
	}
	if cell+1 < len(s.At) {
		to = s.x(box, (s.At[cell]+s.At[cell+1])/2)
	}
	return from, to
}

// Draw draws the preview into box, which should be about 28 px high.
func (s *Preview) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.W < 60 || box.H < 20 {
		return
	}
	l.Line(scene.Pen{Colour: scene.Line, Width: 1}, 0, box.H-1, box.W, box.H-1)
	if s.Sweep == nil {
		drawHatch(l, 0, 0, box.W, box.H-1)
		return
	}
	s.drawUnknown(l, box)
	s.low, s.top = rangeOf(s.Sweep, s.Measure, len(s.Titles))
	if s.low < 0 {
		y := s.y(box, 0)
		l.Line(scene.Pen{Colour: scene.Line, Width: 1}, 0, y, box.W, y)
	}
	for lane := len(s.Titles) - 1; lane >= 0; lane-- { // the first on top
		s.eachStretch(lane, func(cells []int) { s.drawBand(l, box, lane, cells) })
	}
	for lane := len(s.Titles) - 1; lane >= 0; lane-- {
		s.eachStretch(lane, func(cells []int) { s.drawLine(l, box, lane, cells) })
	}
}

// drawUnknown hatches values without a run.
func (s *Preview) drawUnknown(l *scene.List, box chart.Box) {
	for c := 0; c < len(s.At); c++ {
		if s.Sweep.Runs(c) > 0 {
			continue
		}
		from, to := s.edges(box, c)
		for c+1 < len(s.At) && s.Sweep.Runs(c+1) == 0 {
			c++
			_, to = s.edges(box, c)
		}
		drawHatch(l, from, 0, to-from, box.H-1)
	}
}

// eachStretch calls do with every stretch of neighbouring cells in which a lane's measure is
// known.
func (s *Preview) eachStretch(lane int, do func(cells []int)) {
	var cells []int
	for c := range s.At {
		if s.Sweep.Stat(c, lane, s.Measure).N > 0 {
			cells = append(cells, c)
		} else if len(cells) > 0 {
			do(cells)
			cells = cells[:0]
		}
	}
	if len(cells) > 0 {
		do(cells)
	}
}

func (s *Preview) drawBand(l *scene.List, box chart.Box, lane int, cells []int) {
	s.points = s.points[:0]
	for _, c := range cells {
		stat := s.Sweep.Stat(c, lane, s.Measure)
		s.points = append(s.points, s.x(box, s.At[c]), s.y(box, stat.Mean+stat.SD))
	}
	for i := len(cells) - 1; i >= 0; i-- {
		stat := s.Sweep.Stat(cells[i], lane, s.Measure)
		s.points = append(s.points, s.x(box, s.At[cells[i]]), s.y(box, stat.Mean-stat.SD))
	}
	l.Fade(bandOpacity)
	l.Polygon(chart.LanePen(lane).Colour, scene.Pen{}, s.points...)
	l.Fade(1)
}

func (s *Preview) drawLine(l *scene.List, box chart.Box, lane int, cells []int) {
	s.points = s.points[:0]
	for _, c := range cells {
		s.points = append(s.points, s.x(box, s.At[c]), s.y(box, s.Sweep.Stat(c, lane, s.Measure).Mean))
	}
	p := chart.LanePen(lane)
	p.Width = 1.5
	if len(cells) == 1 {
		l.Mark(scene.Circle, s.points[0], s.points[1], 1.5, p.Colour, scene.Pen{})
		return
	}
	l.Line(p, s.points...)
}

// bandOpacity is the opacity of bands of one standard deviation.
const bandOpacity = 0.18

// rangeOf returns the values at the ends of an axis for a measure. The upper one is 1 for shares,
// else a round number above the means. The lower one is 0, or with an ARI below 0 a round number
// below all that is drawn of it.
func rangeOf(t *sweep.Table, m sweep.Measure, lanes int) (low, top float64) {
	if m != sweep.ARI {
		return 0, topOf(t, m, lanes)
	}
	for lane := range lanes {
		for c := range t.Plan.Cells() {
			if s := t.Stat(c, lane, m); s.N > 0 {
				low = min(low, s.Mean-s.SD)
			}
		}
		for job := range t.Plan.Jobs() {
			if v, ok := t.Value(job, lane, m); ok {
				low = min(low, v)
			}
		}
	}
	const steps = 20 // in 1
	return math.Floor(low*steps+1e-9) / steps, 1
}

// share returns where a value lies between the ends of an axis, from 0 to 1.
func share(v, low, top float64) float32 {
	return float32(min(max((v-low)/(top-low), 0), 1))
}

func topOf(t *sweep.Table, m sweep.Measure, lanes int) float64 {
	if isPercent(m) {
		return 1
	}
	top := 0.0
	for c := range t.Plan.Cells() {
		for lane := range lanes {
			if s := t.Stat(c, lane, m); s.N > 0 && !math.IsInf(s.Mean, 0) {
				top = max(top, s.Mean)
			}
		}
	}
	if top <= 0 {
		return 1
	}
	return layout.Nice(top)
}

// drawHatch fills a rectangle with slanted lines: values are unknown.
func drawHatch(l *scene.List, x, y, w, h float32) {
	if w <= 0 || h <= 0 {
		return
	}
	const gap = 6
	l.Clip(x, y, w, h)
	p := scene.Pen{Colour: scene.Line, Width: 1}
	// Multiples of the gap, so that neighbouring stretches join.
	for at := float32(math.Floor(float64(x/gap))) * gap; at < x+w+h; at += gap {
		l.Line(p, at, y, at-h, y+h)
	}
	l.Unclip()
}

// RunAt returns the job whose result is nearest to a point of the figure; ok is false if there is
// none.
func (s *Preview) RunAt(box chart.Box, x, y float32) (job int, ok bool) {
	if s.Sweep == nil {
		return 0, false
	}
	for c := range s.At {
		from, to := s.edges(box, c)
		if x < from || x >= to {
			continue
		}
		least := float32(math.Inf(1))
		for seed := range s.Sweep.Plan.Seeds {
			j := s.Sweep.Plan.Job(c, seed)
			for lane := range s.Titles {
				v, known := s.Sweep.Value(j, lane, s.Measure)
				if !known {
					continue
				}
				if d := float32(math.Abs(float64(s.y(box, v) - y))); d < least {
					job, ok, least = j, true, d
				}
			}
		}
	}
	return job, ok
}
