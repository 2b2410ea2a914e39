package sweeps

import (
	"strings"

	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// measureNames are the names of measures in sentences.
var measureNames = [...]string{"ARI", "accuracy", "misplaced clients", "loss",
	"round from which the clustering stays correct", "Val", "Test"}

// MeasureTitle is the title of the axis of a measure.
func MeasureTitle(m sweep.Measure) string {
	if m == sweep.Settled {
		return "Round"
	}
	return strings.ToUpper(measureNames[m][:1]) + measureNames[m][1:]
}

// isPercent reports whether a measure is written in percent.
func isPercent(m sweep.Measure) bool { return m == sweep.Accuracy || m == sweep.Val || m == sweep.Test }

// AppendMeasure appends a value of a measure as the curves write it.
func AppendMeasure(dst []byte, m sweep.Measure, v float64) []byte {
	switch m {
	case sweep.ARI:
		return chart.AppendFixed(dst, v, 2)
	case sweep.Misplaced, sweep.Settled:
		return chart.AppendFixed(dst, v, 1)
	}
	if isPercent(m) {
		return chart.AppendPercent(dst, v)
	}
	return chart.AppendNumber(dst, v)
}

// Describe gives the means at both ends, and the number of runs.
func (s *Preview) Describe(*chart.View) string {
	name := say.Message(s.Name)
	if s.Sweep == nil {
		return say.Textf("%s: no runs yet.", name)
	}
	first, last, runs := -1, -1, 0
	for c := range s.At {
		if n := s.Sweep.Runs(c); n > 0 {
			if last = c; first < 0 {
				first = c
			}
			runs = max(runs, n)
		}
	}
	if first < 0 {
		return say.Textf("%s: no runs yet.", name)
	}
	var words []string
	for lane, title := range s.Titles {
		title = chart.LaneTitle(title)
		if noClusters(s.Sweep, lane, s.Measure) {
			words = append(words, title+" "+say.Text("no clusters"))
			continue
		}
		at := func(c int) string {
			return string(AppendMeasure(nil, s.Measure, s.Sweep.Stat(c, lane, s.Measure).Mean))
		}
		words = append(words, title+" "+say.Textf("%s to %s", at(first), at(last)))
	}
	values, unit := s.Sweep.Plan.Axes[0].Values, say.Text(s.Unit)
	return say.Textf("%s from %s to %s, mean %s of n = %d runs each: %s.", name, values[first]+unit, values[last]+unit,
		say.Message(measureNames[s.Measure]), runs, say.List(words))
}

// Table lists the means and standard deviations of all lanes by value.
func (s *Preview) Table(*chart.View) (head []string, rows [][]string) {
	return table(s.Sweep, s.Measure, s.Titles)
}
