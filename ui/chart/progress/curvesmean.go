package progress

import (
	"math"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Noisy curves are hard to tell apart, so their moving mean is drawn over them.

// When a mean is drawn: the smallest number of rounds, and the total variation of the curve in
// multiples of its range.
const (
	meanRounds  = 20
	meanSwings  = 6
	meanMinimum = 0.1 // of the axis: curves with a smaller range look smooth
)

// window returns the number of rounds in the moving mean: 5 % of the run, at least 5, odd.
func (s *curveScale) window() int { return max(s.rounds/20, 5) | 1 }

// isNoisy reports whether the curve of a lane is drawn as a moving mean. If so, c.sums has its
// cumulative sums by round.
func (c *Curves) isNoisy(h *trace.Header, frames []trace.Frame, s *curveScale, evaluated bool) bool {
	if len(frames) < meanRounds || s.noteWidth < shortNoteWidth || c.Metric.cumulative() ||
		evaluated && c.Metric.evaluated() {
		return false
	}
	c.sums = append(c.sums[:0], 0)
	lo, hi, moved, last := math.Inf(1), math.Inf(-1), 0.0, c.Metric.Of(h, &frames[0])
	for t := range frames {
		value := c.Metric.Of(h, &frames[t])
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return false
		}
		lo, hi = min(lo, value), max(hi, value)
		moved += math.Abs(value - last)
		last = value
		c.sums = append(c.sums, c.sums[t]+value)
	}
	return moved > meanSwings*(hi-lo) && hi-lo > meanMinimum*(s.hi-s.lo)
}

// movingMean returns the mean of the rounds around one, from c.sums: as many after it as before
// it, fewer at the ends.
func (c *Curves) movingMean(round, window int) float64 {
	half := min(window/2, round, len(c.sums)-2-round)
	return (c.sums[round+half+1] - c.sums[round-half]) / float64(2*half+1)
}

// shortNoteWidth is the width of the shortest note on the mean, in CSS pixels.
const shortNoteWidth = 130

// drawMeanNote writes below the axis that the lines are means, on the side of the shown round
// that has more space.
func (c *Curves) drawMeanNote(l *scene.List, s *curveScale, shown int) {
	font := scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}
	for _, text := range [...]string{say.Textf("mean of %d rounds; pale: every round", s.window()),
		say.Textf("mean of %d rounds", s.window()), say.Textf("mean of %d", s.window())} {
		w := scene.TextWidth(text, layout.Small, false)
		const margin = 10 // between the note and the numbers
		c.number = strconv.AppendInt(c.number[:0], int64(s.rounds), 10)
		n := scene.TextWidth(c.number, layout.Small, true)
		from, to, now := s.X0+margin+n/2, s.X1-margin-n, s.x(shown)
		for _, left := range [...]float32{from, to - w} {
			if left >= from && left+w <= to && (left+w < now-margin-n/2 || left > now+margin+n/2) {
				l.Text(left, s.Y1+2, font, text)
				return
			}
		}
	}
}

// roundTitle returns the title of the axis of rounds, which says so if the lines are means.
func (c *Curves) roundTitle(v *chart.View) string {
	s := c.scale(v, chart.Box{W: 600, H: 300})
	for i := range v.Run.Tracks {
		if c.Metric.defined(v, i) && c.isNoisy(v.Run.Header, v.Run.Tracks[i].Frames, &s, v.Evaluated()) {
			return say.Textf("Round (mean of %d rounds; pale: every round)", s.window())
		}
	}
	return "Round"
}
