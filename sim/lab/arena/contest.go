package arena

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
)

// Choices are what a contest could have done otherwise.
type Choices struct {
	Rope   float64 // gains within ± Rope are practically 0
	Near   float64 // methods within Near of the best are as good as the best
	Budget string  // rounds, floats or steps, as FedAvg needs for all rounds
	Half   bool    // only the first half of the seeds
	ByRows bool    // each row is a family of its own
	Tuned  bool    // tuned settings, where there are some, and only rows that they were chosen on
	Rows   []int   // only these rows of the arena; nil for all
}

// Usual are the choices of the page.
var Usual = Choices{Rope: 0.01, Near: 0.02, Budget: "rounds"}

// Contest has the gains of all methods, run by run, in the order of families, rows and seeds.
type Contest struct {
	Choices
	Families []string
	Rows     []ContestRow
	Methods  []Method
	Gains    [][]float64 // methods × runs; NaN where there is no run
	Design   stats.Design
	Diverged int // runs that diverged, which count as guessing

	runs  [][]*report.Run // methods × runs
	seeds []int           // of the runs
	test  *stats.SignedRanks
}

// ContestRow is a row with runs.
type ContestRow struct {
	Row       int // of the arena
	Label     string
	Family    int
	Reference string // the method that gains are over
	From, To  int    // its runs
}

// Sized is a number with its interval.
type Sized struct {
	Value float64
	stats.Interval
}

var accuracy = must(report.FindMeasure("accuracy"))

func must(m *report.Measure, err error) *report.Measure {
	if err != nil {
		panic(err)
	}
	return m
}

// Contest computes gains under some choices. It returns an error if no row has runs of FedAvg and of training alone.
func (a *Arena) Contest(c Choices) (*Contest, error) {
	out := &Contest{Choices: c, Methods: a.Methods}
	out.Gains, out.runs = make([][]float64, len(a.Methods)), make([][]*report.Run, len(a.Methods))
	families := map[string]int{}
	var strengths []float64
	for i, row := range a.rows {
		seeds := a.paired(i, c)
		if len(seeds) == 0 || c.Rows != nil && !slices.Contains(c.Rows, i) || c.Tuned && !a.tunedOn(&row) {
			continue
		}
		name := row.Family
		if c.ByRows {
			name = row.Label
		}
		f, known := families[name]
		if !known {
			f = len(out.Families)
			families[name] = f
			out.Families, out.Design = append(out.Families, name), append(out.Design, nil)
		}
		if f != len(out.Families)-1 {
			return nil, errors.New("the rows of a family are not together")
		}
		from := out.Design.Runs()
		out.Design[f] = append(out.Design[f], len(seeds))
		out.row(a, i, f, from, seeds)
	}
	if len(out.Rows) == 0 && c.Tuned {
		return nil, errors.New("tuned settings say nothing of these rows: they were chosen on rows with drawn samples; " +
			"choose the defaults")
	}
	if len(out.Rows) == 0 {
		return nil, errors.New("no row has runs of fedavg and of local with the same seeds; gains are over the better of the two")
	}
	for _, r := range out.Rows {
		strengths = append(strengths, 1/float64(len(out.Design[r.Family])))
	}
	out.test = stats.NewSignedRanks(strengths)
	return out, nil
}

// tunedOn reports whether tuned settings were chosen on a row.
func (a *Arena) tunedOn(row *papers.Row) bool {
	chosen := a.Sweep.OfFamily(row.Family).AllRows()
	return slices.ContainsFunc(chosen, func(r papers.Row) bool { return r.Label == row.Label })
}

// paired returns the seeds of a row with which both baselines have runs.
func (a *Arena) paired(row int, c Choices) []int {
	local := a.seeds(row, report.LocalTraining, false, 0)
	seeds := slices.DeleteFunc(a.seeds(row, report.GlobalTraining, false, 0), func(seed int) bool {
		return !slices.Contains(local, seed)
	})
	if c.Half {
		seeds = seeds[:(len(seeds)+1)/2]
	}
	return seeds
}

// row appends the gains of one row.
func (c *Contest) row(a *Arena, row, family, from int, seeds []int) {
	values := make([][]float64, len(c.Methods))
	c.seeds = append(c.seeds, seeds...)
	for m := range c.Methods {
		runs, diverged := []*report.Run(nil), 0
		runs, values[m], diverged = c.scores(a, row, m, seeds, c.Tuned)
		if c.Tuned && c.isBaseline(m) { // tuned settings that do worse must not make it easier to be better
			if usual, v, d := c.scores(a, row, m, seeds, false); stats.Mean(v, nil) > stats.Mean(values[m], nil) {
				runs, values[m], diverged = usual, v, d
			}
		}
		c.runs[m], c.Diverged = append(c.runs[m], runs...), c.Diverged+diverged
	}
	reference := report.GlobalTraining
	if stats.Mean(values[c.method(report.LocalTraining)], nil) > stats.Mean(values[c.method(reference)], nil) {
		reference = report.LocalTraining
	}
	base := slices.Clone(values[c.method(reference)])
	for m := range values {
		for i, v := range values[m] {
			c.Gains[m] = append(c.Gains[m], stats.Difference(v, base[i]))
		}
	}
	c.Rows = append(c.Rows, ContestRow{row, a.rows[row].Label, family, reference, from, from + len(seeds)})
}

// scores returns the runs of a method in a row, nil for none, with their scores, and how many diverged. With tuned settings,
// methods that have none keep the default ones.
func (c *Contest) scores(a *Arena, row, method int, seeds []int, tuned bool) (runs []*report.Run, scores []float64,
	diverged int) {
	lane := c.Methods[method].Lane
	for _, seed := range seeds {
		r := a.runs[place{row, lane, tuned, 0, seed}]
		if r == nil && tuned {
			r = a.runs[place{row, lane, false, 0, seed}]
		}
		if r != nil && r.Lane.Diverged != nil {
			diverged++
		}
		runs, scores = append(runs, r), append(scores, c.score(a, r, row, seed))
	}
	return runs, scores, diverged
}

// isBaseline reports whether gains may be over a method.
func (c *Contest) isBaseline(method int) bool {
	lane := c.Methods[method].Lane
	return lane == report.GlobalTraining || lane == report.LocalTraining
}

// score returns the accuracy of a run within the budget. A run that diverged counts as guessing.
func (c *Contest) score(a *Arena, r *report.Run, row, seed int) float64 {
	if r == nil {
		return math.NaN()
	}
	if r.Lane.Diverged != nil {
		if v, ok := accuracy.Chance(r); ok {
			return v
		}
	}
	v, ok := accuracy.Value(r)
	if base := a.runs[place{row, report.GlobalTraining, false, 0, seed}]; c.Budget != "rounds" && base != nil {
		floats, computed := base.Lane.Down+base.Lane.Up, 0.0
		if c.Budget == "steps" {
			floats, computed = 0, base.Lane.Computed
		}
		v, _, ok = r.Lane.Within(floats, computed)
	}
	if !ok {
		return math.NaN()
	}
	return v
}

func (c *Contest) method(lane string) int {
	return slices.IndexFunc(c.Methods, func(m Method) bool { return m.Lane == lane })
}

// has reports whether a method has any gain.
func (c *Contest) has(method int) bool {
	for _, v := range c.Gains[method] {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

// ranked returns the methods that are ranked and have runs.
func (c *Contest) ranked() (out []int) {
	for m := range c.Methods {
		if c.Methods[m].Kind != papers.Unranked && c.has(m) {
			out = append(out, m)
		}
	}
	return out
}

// allFamilies stands for all families together.
const allFamilies = -1

// in reports whether a row is of a family, or of all.
func (r *ContestRow) in(family int) bool { return r.Family == family || family == allFamilies }

// span returns the runs of a family, or of all.
func (c *Contest) span(family int) (from, to int) {
	from = -1
	for _, r := range c.Rows {
		if r.in(family) {
			if from < 0 {
				from = r.From
			}
			to = r.To
		}
	}
	return from, to
}

// byFamily returns the mean gains of all methods, families × methods.
func (c *Contest) byFamily() [][]Sized {
	out := make([][]Sized, len(c.Families))
	for f := range c.Families {
		out[f] = c.gains(f)
	}
	return out
}

// gains returns the mean gains of all methods on a family, or on all, with intervals for other seeds on the same rows.
func (c *Contest) gains(family int) (out []Sized) {
	from, to := c.span(family)
	part := c.Design
	if family != allFamilies {
		part = stats.Design{c.Design[family]}
	}
	means := func(weights, out []float64) {
		for m := range c.Methods {
			out[m] = stats.Mean(c.Gains[m][from:to], weights)
		}
	}
	values := make([]float64, len(c.Methods))
	means(part.Weights(), values)
	intervals := part.Bootstrap(stats.Stratified, len(values), means)
	for m := range values {
		out = append(out, Sized{values[m], intervals[m]})
	}
	return out
}

// Overall is how a method does over all families.
type Overall struct {
	Method  int
	Middle  Sized // interquartile mean of its gains, with an interval for other families, rows and seeds
	Mean    float64
	Verdict report.Judgement // is it practically better than the reference?
	Best    report.Judgement // and than the best method of the page?
	Runs    int
	Rows    int // rows with runs of the method
}

// complete reports whether a method has runs in all rows of a family, or of all: others are not ranked, since the rows that
// they lack may be those in which they would lose.
func (c *Contest) complete(method, family int) bool {
	return !slices.ContainsFunc(c.Rows, func(r ContestRow) bool { return r.in(family) && !c.hasIn(method, &r) })
}

// hasIn reports whether a method has runs in a row.
func (c *Contest) hasIn(method int, r *ContestRow) bool {
	for _, v := range c.Gains[method][r.From:r.To] {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

// Overall returns all methods with runs, the best first; then those that lack rows, and reference lines last.
func (c *Contest) Overall() []Overall {
	var out []Overall
	var middles []*stats.Interquartile
	weights := c.Design.Weights()
	for m := range c.Methods {
		if !c.has(m) {
			continue
		}
		q := stats.NewInterquartile(c.Gains[m])
		middles = append(middles, q)
		o := Overall{Method: m, Mean: stats.Mean(c.Gains[m], weights), Verdict: c.judge(c.Gains[m])}
		o.Middle.Value = q.Mean(weights)
		for _, v := range c.Gains[m] {
			if !math.IsNaN(v) {
				o.Runs++
			}
		}
		for _, r := range c.Rows {
			if c.hasIn(m, &r) {
				o.Rows++
			}
		}
		out = append(out, o)
	}
	intervals := c.Design.Bootstrap(stats.Hierarchical, len(out), func(weights, values []float64) {
		for i := range middles {
			values[i] = middles[i].Mean(weights)
		}
	})
	for i := range out {
		out[i].Middle.Interval = intervals[i]
	}
	slices.SortStableFunc(out, func(x, y Overall) int {
		if a, b := c.Methods[x.Method].Kind == papers.Unranked, c.Methods[y.Method].Kind == papers.Unranked; a != b {
			return map[bool]int{true: 1, false: -1}[a]
		}
		if a, b := c.complete(x.Method, allFamilies), c.complete(y.Method, allFamilies); a != b {
			return map[bool]int{true: -1, false: 1}[a]
		}
		return -cmp.Compare(x.Middle.Value, y.Middle.Value)
	})
	for i := range out {
		out[i].Best = c.judge(c.minus(out[i].Method, out[0].Method))
	}
	return out
}

// minus returns the differences between two methods, run by run.
func (c *Contest) minus(a, b int) []float64 {
	out := make([]float64, len(c.Gains[a]))
	for i := range out {
		out[i] = stats.Difference(c.Gains[a][i], c.Gains[b][i])
	}
	return out
}

// judge compares the means of rows: rows of one family together count as one case.
func (c *Contest) judge(differences []float64) report.Judgement {
	means := make([]float64, len(c.Rows))
	cases := 0.0
	for i, r := range c.Rows {
		means[i] = stats.Mean(differences[r.From:r.To], nil)
		if !math.IsNaN(means[i]) {
			cases += 1 / float64(len(c.Design[r.Family]))
		}
	}
	return report.Judgement{Verdict: c.test.Compare(means, c.Rope), Cases: cases}
}
