package report

import (
	"fmt"
	"math"
	"slices"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/stats"
)

// Settings returns the number of combinations of values.
func (s *Study) Settings() int { return s.settings }

// Difference compares two methods over some settings and all seeds that both methods have.
type Difference struct {
	N    int     // number of pairs
	Mean float64 // mean of the differences
	Low  float64 // ends of the interval of the mean, by [stats.Bootstrap]; NaN for less than two pairs
	High float64
	// AtChance means that the method with the better mean may only be guessing: the interval of its mean has Guess, the
	// mean of what guessing gets.
	AtChance bool
	Guess    float64
	Never    bool    // the method with the better mean never reached what the measure waits for
	P        float64 // of Wilcoxon's signed-rank test
	Cell     Cell    // mean, with a link to the first method's run that is nearest to it
	Pairs    string  // how many pairs have a higher value for the first method
	Least    Cell    // P, with a link to the run with the most contrary difference
}

// Difference tests by how much a measure of method a exceeds that of method b, with the same settings or, if others are
// given, that of method b with those, in their order.
func (s *Study) Difference(settings, others []int, a, b string, m *Measure) Difference {
	if others == nil {
		others = settings
	}
	if len(others) != len(settings) {
		return Difference{}
	}
	i := slices.Index(s.Methods, b)
	d := s.difference(settings, a, m, 1, func(setting, seed int) (*plan.Lane, float64, bool) {
		r := s.Run(others[slices.Index(settings, setting)], i, seed)
		v, ok := m.Value(r)
		if !ok {
			return nil, 0, false
		}
		return r.Lane, v, true
	})
	better, with := a, settings
	if (d.Mean < 0) == m.HigherIsBetter {
		better, with = b, others
	}
	method := slices.Index(s.Methods, better)
	d.AtChance, d.Guess = s.atChance(with, method, m)
	var runs []*Run
	for _, setting := range with {
		for seed := range s.Seeds {
			runs = append(runs, s.Run(setting, method, seed))
		}
	}
	d.Never = m.never(runs)
	return d
}

// atChance reports whether the mean of a method is not above what guessing gets by more than chance, and what guessing gets.
func (s *Study) atChance(settings []int, method int, m *Measure) (atChance bool, guess float64) {
	var above, guesses []float64
	seen := map[*plan.Lane]bool{}
	for _, setting := range settings {
		for seed := range s.Seeds {
			r := s.Run(setting, method, seed)
			v, ok := m.Value(r)
			if !ok || seen[r.Lane] {
				continue
			}
			seen[r.Lane] = true
			if chance, ok := m.Chance(r); ok {
				above, guesses = append(above, stats.Difference(v, chance)), append(guesses, chance)
			}
		}
	}
	low, _ := stats.Bootstrap(above)
	return len(above) > 0 && !(low > 0), stats.Summarize(guesses).Mean
}

// Above tests by how much a measure of a method exceeds a number.
func (s *Study) Above(settings []int, a string, bound float64, m *Measure) Difference {
	return s.difference(settings, a, m, 1, func(int, int) (*plan.Lane, float64, bool) { return nil, bound, true })
}

// Below tests by how much a number exceeds a measure of a method.
func (s *Study) Below(settings []int, bound float64, b string, m *Measure) Difference {
	return s.difference(settings, b, m, -1, func(int, int) (*plan.Lane, float64, bool) { return nil, bound, true })
}

// differ returns v − w, 0 if they differ by no more than the rounding error of a mean of accuracies, which have 24 bits.
func differ(v, w float64) float64 {
	d := stats.Difference(v, w)
	if math.Abs(d) <= 1e-7*max(math.Abs(v), math.Abs(w)) {
		return 0
	}
	return d
}

// difference compares a method with another one, or with a number; other returns the lane of its run, too. Two runs that
// stand in several settings, because neither method reads what differs, are one pair. With a sign of −1 the differences
// are those of the other from the method.
func (s *Study) difference(settings []int, a string, m *Measure, sign float64,
	other func(setting, seed int) (lane *plan.Lane, v float64, ok bool)) Difference {
	method := slices.Index(s.Methods, a)
	var d []float64
	var runs []*Run
	seen := map[[2]*plan.Lane]bool{}
	for _, setting := range settings {
		for seed := range s.Seeds {
			r := s.Run(setting, method, seed)
			v, ok := m.Value(r)
			lane, w, both := other(setting, seed)
			if ok && both && !seen[[2]*plan.Lane{r.Lane, lane}] {
				seen[[2]*plan.Lane{r.Lane, lane}] = true
				d, runs = append(d, sign*differ(v, w)), append(runs, r)
			}
		}
	}
	test := stats.Wilcoxon(d)
	out := Difference{N: len(d), Mean: stats.Round(stats.Summarize(d).Mean), P: test.P}
	out.Low, out.High = stats.Bootstrap(d)
	out.Cell, out.Least = Cell{Text: number(out.Mean, -1)}, Cell{Text: FormatP(out.P)}
	e := Entry{values: d}
	if i := e.nearest(out.Mean); i >= 0 {
		out.Cell.open(runs[i], number(d[i], -1)+" in this pair")
	}
	if len(d) > 0 {
		i := slices.Index(d, slices.Min(d))
		out.Least.open(runs[i], number(d[i], -1)+" in this pair")
	}
	more := 0
	for _, v := range d {
		if v > 0 {
			more++
		}
	}
	out.Pairs = fmt.Sprintf("%d of %d", more, len(d))
	return out
}

// Pooled is a measure of one method over several settings.
type Pooled struct {
	N    int
	Cell Cell
}

// Pooled returns a measure of a method over settings and seeds, in percent if percent is set.
func (s *Study) Pooled(settings []int, method int, m *Measure, spread Spread, percent bool) Pooled {
	var e Entry
	seen := map[*plan.Lane]bool{}
	for _, setting := range settings {
		for seed := range s.Seeds {
			if r := s.Run(setting, method, seed); r != nil && !seen[r.Lane] {
				seen[r.Lane] = true
				e.add(r, m)
			}
		}
	}
	if percent {
		e.unit = "%"
		for i := range e.values {
			e.values[i] *= 100
		}
	}
	e.Summary = stats.Summarize(e.values)
	return Pooled{len(e.values), s.cell(&e, spread)}
}
