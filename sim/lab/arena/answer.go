package arena

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
	"flockscope/sim/say"
)

// Verdict says whether a gain is one.
type Verdict string

// The verdicts. A gain is better if its whole interval is above the region of practical equivalence, and practically equal
// if the whole interval is inside. With fewer than minRuns runs nothing is known: bootstrap intervals of so few are too
// narrow, since all of them may lie on one side of the mean.
const (
	Better Verdict = "better"
	Equal  Verdict = "practically equal"
	Worse  Verdict = "worse"
	// NotBetter means that the whole interval is below the upper end of the region, and a part of it below the lower one.
	NotBetter Verdict = "not better"
	NotKnown  Verdict = "not known"
)

const minRuns = 5

// verdict judges the gain on one family of rows, which has some runs.
func (c *Contest) verdict(gain Sized, runs int) Verdict {
	switch {
	case runs < minRuns:
	case gain.Low > c.Rope:
		return Better
	case gain.High < -c.Rope:
		return Worse
	case gain.Low >= -c.Rope && gain.High <= c.Rope:
		return Equal
	case gain.High <= c.Rope:
		return NotBetter
	}
	return NotKnown
}

// Pick is the best of some methods for a family of rows.
type Pick struct {
	Best    int // −1 if none has runs
	Gain    Sized
	Close   []int // the best, baselines within Near of it, and others within Near of it
	Verdict Verdict
	// Honest is the gain of the method that is best on half of the seeds, measured on the other half, as the mean of both
	// ways: that of the best of many methods on the same seeds is too large. NaN with one seed.
	Honest float64
}

// Answer is what a family of rows says.
type Answer struct {
	Family         string
	Baseline       []string // the better baseline of each row
	Clustering     Pick     // of methods that make clusters, with K known
	Finding        Pick     // of methods that make clusters and find K
	Known, Unknown Pick     // of all methods
	Oracle         Sized    // gain of FedAvg within each true group; NaN without a run
	Seeds, Rows    int
	HalfWidth      float64 // median half width of the intervals of the gains
}

// Answers picks the best methods for every family.
func (c *Contest) Answers() (out []Answer) {
	for f := range c.Families {
		out = append(out, c.answer(f, c.gains(f)))
	}
	return out
}

// answer picks the best methods for a family, or for all, on which methods have some gains.
func (c *Contest) answer(family int, gains []Sized) Answer {
	ranked := slices.DeleteFunc(c.ranked(), func(m int) bool { return !c.complete(m, family) })
	clustering := slices.DeleteFunc(slices.Clone(ranked), func(m int) bool { return !c.Methods[m].Clustering() })
	unknown := slices.DeleteFunc(slices.Clone(ranked), func(m int) bool { return c.Methods[m].Kind == papers.NeedsK })
	a := Answer{Oracle: Sized{Value: math.NaN()}}
	if family != allFamilies {
		a.Family = c.Families[family]
	}
	a.Oracle.Low, a.Oracle.High = math.NaN(), math.NaN()
	for _, r := range c.Rows {
		if r.in(family) {
			a.Baseline = append(a.Baseline, r.Reference)
			a.Seeds = max(a.Seeds, r.To-r.From)
			a.Rows++
		}
	}
	if m := slices.IndexFunc(c.Methods, isOracle); m >= 0 {
		a.Oracle = gains[m]
	}
	a.Clustering, a.Known = c.pick(family, gains, clustering), c.pick(family, gains, ranked)
	a.Unknown = c.pick(family, gains, unknown)
	finding := slices.DeleteFunc(clustering, func(m int) bool { return c.Methods[m].Kind == papers.NeedsK })
	a.Finding = c.pick(family, gains, finding)
	var widths []float64
	for _, m := range ranked {
		if w := (gains[m].High - gains[m].Low) / 2; w > 0 {
			widths = append(widths, w)
		}
	}
	a.HalfWidth = stats.Summarize(widths).Median
	return a
}

func isOracle(m Method) bool { return m.Lane == report.GlobalTraining+":oracle" }

// pick returns the best of some methods on a family, or on all.
func (c *Contest) pick(family int, gains []Sized, of []int) Pick {
	p := Pick{Best: -1, Honest: math.NaN(), Verdict: NotKnown}
	of = slices.DeleteFunc(slices.Clone(of), func(m int) bool { return math.IsNaN(gains[m].Value) })
	if len(of) == 0 {
		return p
	}
	slices.SortStableFunc(of, func(a, b int) int { return cmp.Compare(gains[b].Value, gains[a].Value) })
	p.Best, p.Gain = of[0], gains[of[0]]
	baselines := 1 // they stand behind the best
	for i, m := range of {
		switch {
		case gains[p.Best].Value-gains[m].Value > c.Near:
		case i > 0 && c.isBaseline(m):
			p.Close = slices.Insert(p.Close, baselines, m)
			baselines++
		default:
			p.Close = append(p.Close, m)
		}
	}
	from, to := c.span(family)
	p.Verdict = c.verdict(p.Gain, to-from)
	p.Honest = (c.chosenOn(family, of, 0) + c.chosenOn(family, of, 1)) / 2
	return p
}

// chosenOn returns the mean gain on one half of the seeds of the method that is best on the other.
func (c *Contest) chosenOn(family int, of []int, half int) float64 {
	mean := func(method, half int) float64 {
		sum, rows := 0.0, 0.0
		for _, r := range c.Rows {
			if !r.in(family) {
				continue
			}
			var part []float64
			for i := r.From + half; i < r.To; i += 2 {
				part = append(part, c.Gains[method][i])
			}
			weight := 1.0
			if family == allFamilies {
				weight /= float64(len(c.Design[r.Family]))
			}
			sum += float64(weight * stats.Mean(part, nil))
			rows += weight
		}
		return sum / rows
	}
	best := slices.MaxFunc(of, func(a, b int) int { return cmp.Compare(mean(a, half), mean(b, half)) })
	return mean(best, 1-half)
}

// names lists methods, the first ones only if there are many.
func (c *Contest) names(methods []int, most int) string {
	var out []string
	for i, m := range methods {
		if i == most {
			out = append(out, "and "+say.Whole(len(methods)-most)+" more")
			break
		}
		out = append(out, c.Methods[m].Lane)
	}
	return strings.Join(out, ", ")
}

// baseline returns the baselines of an answer, each once.
func (a *Answer) baseline() string {
	names := slices.Clone(a.Baseline)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " or ")
}
