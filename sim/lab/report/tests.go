package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/stats"
	"flockscope/sim/say"
)

// Pair compares two methods on the same settings and seeds.
type Pair struct {
	A, B   int // methods
	Better int // number of blocks in which A is better
	Worse  int
	Median float64 // median of the differences, A minus B
	// runs of A: with the largest difference in its favour, the largest against it, and the one nearest to the median
	most, least, typical *Run
	stats.SignedRank
	Holm    float64 // P, adjusted for the number of pairs
	MinHolm float64 // least possible value of Holm with this number of pairs
}

// Comparison has the results of tests for a measure.
type Comparison struct {
	Methods  []int    // methods with the measure
	Missing  []string // methods without it
	Excluded int      // number of blocks that are excluded because a method has no value in them
	stats.Ranking
	Critical float64 // difference of mean ranks, at the level of 0.05
	Baseline int     // method with which all others are compared, −1 for all pairs
	Pairs    []Pair
}

// Unit is the unit of a comparison: what a block is.
type Unit string

// The units.
const (
	BySeed    Unit = "seed"    // each setting with each seed
	BySetting Unit = "setting" // the mean over seeds of each setting
)

// Level is the significance level of the tests: reports do not say that methods differ unless p is below it.
const Level = 0.05

// maxPairMethods is the maximum number of methods for which all pairs are compared.
const maxPairMethods = 5

// block has a value per method, NaN for none, and the runs of these values.
type block struct {
	values []float64
	runOf  []*Run
}

// blocks returns the blocks that are ranked and compared in some of the settings.
func (s *Study) blocks(m *Measure, unit Unit, settings []int) (out []block) {
	for _, setting := range settings {
		if unit == BySetting {
			b := block{make([]float64, len(s.Methods)), make([]*Run, len(s.Methods))}
			for method := range s.Methods {
				e := s.Entry(setting, method, m)
				b.values[method], b.runOf[method] = e.Mean, e.Typical(SD)
			}
			out = append(out, b)
			continue
		}
		for seed := range s.Seeds {
			b := block{make([]float64, len(s.Methods)), make([]*Run, len(s.Methods))}
			any := false
			for method := range s.Methods {
				r := s.Run(setting, method, seed)
				v, ok := m.Value(r)
				if any = any || ok; !ok {
					v = math.NaN()
				}
				b.values[method], b.runOf[method] = v, r
			}
			if any {
				out = append(out, b)
			}
		}
	}
	return out
}

// Compare tests which methods are better. against is the method with which others are compared; −1 stands for the one
// with the best mean rank, or for all pairs of a few methods.
func (s *Study) Compare(m *Measure, unit Unit, against int) Comparison {
	c := Comparison{Baseline: against}
	blocks := s.blocks(m, unit, slices.Concat(s.groups(-1)...))
	for method, name := range s.Methods {
		if slices.ContainsFunc(blocks, func(b block) bool { return !math.IsNaN(b.values[method]) }) {
			c.Methods = append(c.Methods, method)
		} else {
			c.Missing = append(c.Missing, name)
		}
	}
	whole := complete(blocks, c.Methods)
	c.Excluded = len(blocks) - len(whole)
	if r, err := stats.Friedman(whole, m.HigherIsBetter); err == nil {
		c.Ranking = r
		c.Critical = stats.CriticalDifference(len(c.Methods), r.Blocks, Level)
	} else {
		c.Ranking.Blocks = len(whole)
	}
	if against < 0 && len(c.Methods) > maxPairMethods && c.Mean != nil {
		best := 0
		for i := range c.Mean {
			if c.Mean[i] < c.Mean[best] {
				best = i
			}
		}
		c.Baseline = c.Methods[best]
	}
	var p []float64
	for i, a := range c.Methods {
		for _, b := range c.Methods[i+1:] {
			switch {
			case c.Baseline < 0 || a == c.Baseline:
				c.Pairs = append(c.Pairs, pair(blocks, a, b, m.HigherIsBetter))
			case b == c.Baseline:
				c.Pairs = append(c.Pairs, pair(blocks, b, a, m.HigherIsBetter))
			default:
				continue
			}
			p = append(p, c.Pairs[len(c.Pairs)-1].P)
		}
	}
	least := make([]float64, len(p))
	for i, v := range stats.Holm(p) {
		c.Pairs[i].Holm, least[i] = v, c.Pairs[i].Least
	}
	for i, v := range stats.Holm(least) {
		c.Pairs[i].MinHolm = v
	}
	return c
}

// complete returns the values of the methods in the blocks in which all have one.
func complete(blocks []block, methods []int) (whole [][]float64) {
	for _, b := range blocks {
		row := make([]float64, len(methods))
		for i, method := range methods {
			row[i] = b.values[method]
		}
		if !slices.ContainsFunc(row, math.IsNaN) {
			whole = append(whole, row)
		}
	}
	return whole
}

// maxRankedTables is the maximum number of tables of a measure whose mean ranks are shown side by side.
const maxRankedTables = 6

// Ranked is the ranking of methods in one of the tables of a measure.
type Ranked struct {
	Name string // name of the table, such as "K = 3"
	stats.Ranking
	Critical float64 // difference of mean ranks, at the level of 0.05
}

// Ranked ranks the methods of a comparison in each table of its measure alone: the best method for the right K need not
// be the best on average over K. It returns nothing unless there are several tables, each of which can be ranked.
func (s *Study) Ranked(m *Measure, unit Unit, columns int, c *Comparison) (out []Ranked) {
	groups := s.groups(columns)
	if len(groups) < 2 || len(groups) > maxRankedTables {
		return nil
	}
	for _, group := range groups {
		r, err := stats.Friedman(complete(s.blocks(m, unit, group), c.Methods), m.HigherIsBetter)
		if err != nil {
			return nil
		}
		out = append(out, Ranked{s.groupName(group[0], columns), r,
			stats.CriticalDifference(len(c.Methods), r.Blocks, Level)})
	}
	return out
}

// pair compares two methods. Two runs that stand in several blocks, because neither method reads what differs, are one pair.
func pair(blocks []block, a, b int, higher bool) Pair {
	out := Pair{A: a, B: b}
	var d []float64
	var runs []*Run
	seen := map[[2]*plan.Lane]bool{}
	for _, block := range blocks {
		v := stats.Difference(block.values[a], block.values[b])
		if math.IsNaN(v) {
			continue
		}
		lanes := [2]*plan.Lane{block.runOf[a].Lane, block.runOf[b].Lane}
		if seen[lanes] {
			continue
		}
		seen[lanes] = true
		d, runs = append(d, v), append(runs, block.runOf[a])
		switch {
		case v == 0:
		case (v > 0) == higher:
			out.Better++
		default:
			out.Worse++
		}
	}
	out.Median = stats.Summarize(d).Median
	out.SignedRank = stats.Wilcoxon(d)
	if len(d) == 0 {
		return out
	}
	best, worst, near := 0, 0, 0
	for i, v := range d {
		gain, most, least := v, d[best], d[worst]
		if !higher {
			gain, most, least = -v, -most, -least
		}
		if gain > most {
			best = i
		}
		if gain < least {
			worst = i
		}
		if math.Abs(v-out.Median) < math.Abs(d[near]-out.Median) {
			near = i
		}
	}
	out.most, out.least, out.typical = runs[best], runs[worst], runs[near]
	return out
}

// bold returns which mean ranks do not differ significantly from the best if others do. It returns nothing unless
// Friedman's test rejects, as Demšar recommends, and some mean rank is far enough from the best.
func bold(r stats.Ranking, critical float64) []bool {
	out := make([]bool, len(r.Mean))
	least := slices.Min(r.Mean)
	if r.P < Level && slices.Max(r.Mean)-least >= critical {
		for i, mean := range r.Mean {
			out[i] = mean-least < critical
		}
	}
	return out
}

// undecided describes what a ranking does not decide, "" if it decides.
func undecided(r stats.Ranking, critical float64) string {
	switch {
	case r.P >= Level:
		return " It does not reject that all methods do equally well, so who is better is undecided."
	case slices.Max(r.Mean)-slices.Min(r.Mean) < critical:
		return " Methods differ, but no two mean ranks are so far apart: which of them differ is undecided."
	}
	return ""
}

// comparisonParts presents a comparison: mean ranks, and the tests of pairs.
func (s *Study) comparisonParts(m *Measure, o *Options, columns int, c *Comparison) []Part {
	if len(c.Methods) < 2 {
		return nil
	}
	p := Part{Heading: "Who is better: " + m.Title}
	if len(c.Missing) > 0 {
		p.Text = append(p.Text, fmt.Sprintf("Without this measure, and left out: %s.", say.List(c.Missing)))
	}
	if c.Mean != nil {
		p.Text = append(p.Text, c.friedmanText(o.Unit))
		p.Table = s.rankTable(m, c, append([]Ranked{{"mean rank", c.Ranking, c.Critical}}, s.Ranked(m, o.Unit, columns, c)...))
	} else if len(c.Methods) > 2 {
		p.Text = append(p.Text, fmt.Sprintf("No ranking: of all methods together there %s only %s.",
			say.Either(c.Blocks, "is", "are"), say.Amount(c.Blocks, "block")))
	}
	return []Part{p, {Table: s.pairTable(m, c)}}
}

// friedmanText formats the result of Friedman's test as a sentence.
func (c *Comparison) friedmanText(unit Unit) string {
	block := "a setting with a seed"
	if unit == BySetting {
		block = "the mean over seeds of a setting"
	}
	left := ""
	if c.Excluded > 0 {
		left = fmt.Sprintf(" %s some method and %s left out.",
			say.Amount(c.Excluded, "block")+say.Either(c.Excluded, " lacks", " lack"), say.Either(c.Excluded, "is", "are"))
	}
	return fmt.Sprintf("Friedman's test over %s (%s): χ² = %s, p %s (%s).%s Two methods differ at the level "+
		"of 0.05 when their mean ranks are %.2f apart (Nemenyi).%s", say.Amount(c.Blocks, "block"), block,
		number(c.Chi2, 1), equals(c.P), c.Variant, left, c.Critical, undecided(c.Ranking, c.Critical))
}

// rankTable has the mean ranks of the methods in one or several rankings, the best of the first
// ranking on top.
func (s *Study) rankTable(m *Measure, c *Comparison, rankings []Ranked) *Table {
	t := &Table{Names: 1, Head: []string{"method"},
		Caption: "Mean ranks by " + m.Title + "; in bold those that do not differ from the best, where others do"}
	if len(rankings) > 1 {
		t.Caption += ", over all blocks and in each table above by itself"
	}
	critical := []Cell{{Text: "critical difference"}}
	bolds := make([][]bool, len(rankings))
	for i, r := range rankings {
		t.Head = append(t.Head, r.Name)
		critical = append(critical, Cell{Text: number(r.Critical, 2)})
		bolds[i] = bold(r.Ranking, r.Critical)
	}
	order := make([]int, len(c.Methods))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Mean[a], c.Mean[b]) })
	for _, i := range order {
		row := []Cell{{Text: s.Methods[c.Methods[i]]}}
		for j, r := range rankings {
			row = append(row, Cell{Text: number(r.Mean[i], 2), Bold: bolds[j][i]})
		}
		t.Rows = append(t.Rows, row)
	}
	if len(rankings) > 1 {
		t.Rows = append(t.Rows, critical)
	}
	return t
}

// pairTable has a row per pair of methods.
func (s *Study) pairTable(m *Measure, c *Comparison) *Table {
	t := &Table{Names: 2, Head: []string{"method", "against", "pairs", "better", "worse", "median difference",
		"p", "p (Holm)", "test"},
		Caption: "Wilcoxon's signed-rank test, two-sided, with Holm's correction: " + m.Title +
			". Better and worse link to the run in which the method is most so"}
	few := ""
	for _, p := range c.Pairs {
		if p.N+p.Zeros == 0 {
			t.Rows = append(t.Rows, []Cell{{Text: s.Methods[p.A]}, {Text: s.Methods[p.B]}, {Text: "0"}, {Text: "–"},
				{Text: "–"}, {Text: "–"}, {Text: "–"}, {Text: "–"}, {Text: "no common seeds"}})
			continue
		}
		better, worse := Cell{Text: fmt.Sprint(p.Better)}, Cell{Text: fmt.Sprint(p.Worse)}
		median := Cell{Text: number(p.Median, -1)}
		if median.open(p.typical, ""); p.Better > 0 {
			better.open(p.most, "")
		}
		if p.Worse > 0 {
			worse.open(p.least, "")
		}
		test := string(p.Variant)
		if p.MinHolm >= Level {
			test += ", undecided"
			few = "; undecided: so few pairs differ that p (Holm) cannot be below 0.05"
		}
		t.Rows = append(t.Rows, []Cell{{Text: s.Methods[p.A]}, {Text: s.Methods[p.B]},
			{Text: fmt.Sprint(p.N + p.Zeros)}, better, worse, median, {Text: FormatP(p.P)},
			{Text: FormatP(p.Holm), Bold: p.Holm < Level}, {Text: test}})
	}
	t.Caption += few
	return t
}

// FormatP formats a p-value.
func FormatP(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return fmt.Sprintf("%#.3g", p)
}

func equals(p float64) string {
	if text := FormatP(p); text[0] == '<' {
		return text
	}
	return "= " + FormatP(p)
}
