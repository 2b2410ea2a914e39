// Package theorems holds what the papers prove beside what runs show, where all is known in closed form: CFL-GP's bounds
// on linear regression, CLoVE's on mixed regressions, HCFL's on linear representations.
//
//	theorems.go  runs, numbers, and the document
//	cflgp.go     misplaced clients, error rate, schedule
//	clove.go     separation, one shot, decay
//	hcfl.go      unequal groups
package theorems

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/plot"
	"flockscope/sim/engine"
	"flockscope/sim/lab/report"
	"flockscope/sim/trace"
)

// Book plays the runs and simulations that the document is about.
type Book struct {
	Seeds int // of each row
	// Played is called after each run, unless it is nil.
	Played func(query string)
}

// Document plays all runs and returns tables and pictures of them.
func (b *Book) Document(ctx context.Context) (*report.Document, error) {
	d := &report.Document{Title: "Theory beside measurement"}
	d.Parts = []report.Part{{Text: []string{
		"What three papers prove, beside what happens, on data whose distributions are known in closed form: every quantity of " +
			"a theorem can then be computed. A bound above its trivial value is called vacuous: it is true and says nothing, " +
			"such as a bound of 400 on the misplaced ones of twelve clients.",
		fmt.Sprintf("Numbers are means over the seeds 1 to %d unless a table says otherwise. Numbers that come from runs link to "+
			"the run of seed 1; the card Theory of the page draws its curves. Other numbers come from package sim/theory, which has "+
			"the equations, and from its simulations of what the theorems are about. Independent programs in NumPy, beside its "+
			"tests, compute the same quantities.", b.Seeds)}}}
	for _, section := range []func(context.Context) ([]report.Part, error){b.misplaced, b.errorRate, b.optimal,
		b.schedule, b.oneShot, b.decay, b.unequal} {
		parts, err := section(ctx)
		if err != nil {
			return nil, err
		}
		d.Parts = append(d.Parts, parts...)
	}
	return d, nil
}

// seeded returns a query with all seeds set.
func seeded(query string, seed int) string {
	return fmt.Sprintf("%s&sd=%d&sm=%[2]d&sa=%[2]d", query, seed)
}

// play returns, by seed, the frames of the only lane of a query, without those after a divergence.
func (b *Book) play(ctx context.Context, query string) ([][]trace.Frame, error) {
	var out [][]trace.Frame
	for seed := 1; seed <= b.Seeds; seed++ {
		c, problems := catalog.Schema().Parse(seeded(query, seed))
		if len(problems) > 0 {
			return nil, fmt.Errorf("%s: %w", query, problems[0].Err)
		}
		r, err := engine.Record(ctx, c, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", query, err)
		}
		frames := r.Tracks[0].Frames
		if s := r.Tracks[0].Summary; s.Diverged >= 0 {
			frames = frames[:s.Diverged]
		}
		if out = append(out, frames); b.Played != nil {
			b.Played(seeded(query, seed))
		}
	}
	return out, nil
}

// at returns the mean over runs of a number of a round; NaN if some run does not have the round.
func at(runs [][]trace.Frame, round int, of func(f *trace.Frame) float64) float64 {
	sum := 0.0
	for _, frames := range runs {
		if round >= len(frames) {
			return math.NaN()
		}
		sum += of(&frames[round]) / float64(len(runs))
	}
	return sum
}

func distance(f *trace.Frame) float64  { return float64(f.Theory.Error) }
func misplaced(f *trace.Frame) float64 { return float64(f.Misplaced) }

// since returns the first round of a run from which a condition holds up to the end, −1 if there is none.
func since(frames []trace.Frame, holds func(f *trace.Frame) bool) int {
	n := len(frames)
	for n > 0 && holds(&frames[n-1]) {
		n--
	}
	if n == len(frames) {
		return -1
	}
	return n
}

// number returns v with three significant digits.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case math.IsInf(v, 0):
		return "none"
	case v == 0:
		return "0"
	case math.Abs(v) >= 1e6 || math.Abs(v) < 1e-4:
		mantissa, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e")
		n, _ := strconv.Atoi(power)
		return mantissa + " · 10^" + strconv.Itoa(n)
	case math.Abs(v) >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', max(2-int(math.Floor(math.Log10(math.Abs(v)))), 0), 64)
}

// word and from make cells: from links to the run of seed 1.
func word(text string) report.Cell { return report.Cell{Text: text} }

func value(v float64) report.Cell { return report.Cell{Text: number(v)} }

func from(query string, v float64) report.Cell {
	return report.Cell{Text: number(v), Query: seeded(query, 1), Hint: "seed 1"}
}

// median returns the middle of some numbers, infinite if half of them are.
func median(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	if len(s)%2 == 0 {
		return (s[len(s)/2-1] + s[len(s)/2]) / 2
	}
	return s[len(s)/2]
}

// curves draws curves over rounds; values are drawn as log10(1 + v/unit).
func curves(title, y string, unit float64, rounds []int, names []string,
	of func(series, round int) float64) (string, error) {
	values, series := make([]string, len(rounds)), make([]plot.Series, len(names))
	for n, t := range rounds {
		values[n] = strconv.Itoa(t)
	}
	for i, name := range names {
		series[i].Name = name
		for _, t := range rounds {
			v := math.Log10(1 + of(i, t)/unit)
			s := &series[i]
			s.Y, s.Low, s.High = append(s.Y, v), append(s.Low, v), append(s.High, v)
		}
	}
	var out strings.Builder
	err := plot.Curves(title, "round", y, values, series).SVG(&out)
	return out.String(), err
}
