package arena

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
	"flockscope/sim/say"
)

// choice is one choice changed.
type choice struct {
	name string
	set  func(*Choices)
}

// changed are the choices that the appendix changes, each by itself.
var changed = []choice{
	{"half of the seeds", func(c *Choices) { c.Half = true }},
	{"equal within ± 0.02", func(c *Choices) { c.Rope = 0.02 }},
	{"equal floats", func(c *Choices) { c.Budget = "floats" }},
	{"equal steps", func(c *Choices) { c.Budget = "steps" }},
	{"tuned settings", func(c *Choices) { c.Tuned = true }},
	{"rows for families", func(c *Choices) { c.ByRows = true }},
}

// stay is what holds of an answer with another choice.
const stay = "stays"

// change says how an answer differs with another choice: its verdict on clustering, or the method that is best with K known
// or unknown, if that is no longer within Near of the best.
func change(c, d *Contest, a, b *Answer) string {
	var out []string
	if a.Clustering.Verdict != b.Clustering.Verdict {
		out = append(out, fmt.Sprintf("clustering: %s", b.Clustering.Verdict))
	}
	for _, p := range []struct {
		name string
		a, b *Pick
	}{{"K known", &a.Known, &b.Known}, {"K unknown", &a.Unknown, &b.Unknown}} {
		if p.a.Best >= 0 && (p.b.Best < 0 || !slices.Contains(p.b.Close, p.a.Best)) {
			out = append(out, p.name+": "+d.names(p.b.Close, 3))
		}
	}
	if len(out) == 0 {
		return stay
	}
	return strings.Join(out, "; ")
}

// sensitivity answers again with each choice changed in turn, and says how much stays.
func (a *Arena) sensitivity(answers []Answer, c *Contest) (parts []report.Part, stays string, err error) {
	t := &report.Table{Names: 1, Head: []string{"your clients"},
		Caption: "What changes with other choices: the verdict on clustering, and the best methods if the best one of before is no longer within 0.02 of the best"}
	for i := range answers {
		t.Rows = append(t.Rows, report.TextRow(answers[i].Family))
	}
	all, same, verdicts := 0, 0, 0
	var missing []string
	for _, x := range changed {
		choices := Usual
		if x.set(&choices); choices.ByRows || choices.Tuned && !a.HasTuned() {
			continue
		}
		d, err := a.Contest(choices)
		if err != nil {
			return nil, "", err
		}
		if choices.Budget != "rounds" && len(d.ranked()) == 0 {
			missing = append(missing, x.name)
			continue
		}
		t.Head = append(t.Head, x.name)
		others := d.Answers()
		for i := range answers {
			at := slices.IndexFunc(others, func(o Answer) bool { return o.Family == answers[i].Family })
			if at < 0 { // it has no rows under this choice
				t.Rows[i] = append(t.Rows[i], report.Cell{Text: "–"})
				continue
			}
			other := others[at]
			text := change(c, d, &answers[i], &other)
			t.Rows[i] = append(t.Rows[i], report.Cell{Text: text})
			all++
			if text == stay {
				same++
			}
			if other.Clustering.Verdict == answers[i].Clustering.Verdict {
				verdicts++
			}
		}
	}
	text := []string{"The answers of the page again, with one choice changed at a time. Floats and steps are as many as FedAvg needs " +
		"for all rounds: scores are of the last evaluation within."}
	if len(missing) > 0 {
		text = append(text, fmt.Sprintf("Left out: %s, since records of older programs do not say what was spent by when.",
			strings.Join(missing, ", ")))
	}
	t.Names = len(t.Head)
	parts = []report.Part{{Heading: "What stays with other choices", Text: text, Table: t}}

	choices := Usual
	choices.ByRows = true
	rows, err := a.Contest(choices)
	if err != nil {
		return nil, "", err
	}
	by := &report.Table{Names: 6, Head: []string{"row", "of the family", "to beat", "K known", "K unknown", "against the family"},
		Caption: "Each row by itself"}
	differ := 0
	for i, other := range rows.Answers() {
		f := c.Rows[i].Family
		text := change(c, rows, &answers[f], &other)
		if text != stay {
			differ++
		}
		by.Rows = append(by.Rows, report.TextRow(other.Family, c.Families[f], other.baseline(), rows.cell(&other.Known),
			rows.cell(&other.Unknown), text))
	}
	parts = append(parts, report.Part{Heading: "Rows in the place of families", Table: by})
	stays = fmt.Sprintf("With other choices (%s), %d of %d answers stay in all they say, and %d in their verdict on clustering; "+
		"[the tables](%s) say which. %d of %d rows say something else than their families.", strings.Join(t.Head[1:], ", "), same, all,
		verdicts, TablesFile, differ, len(c.Rows))
	return parts, stays, nil
}

// tables are all numbers behind the page.
func (a *Arena) tables(c *Contest, answers []Answer, overall []Overall, sensitivity []report.Part) []report.Part {
	parts := []report.Part{{Text: []string{fmt.Sprintf("The numbers behind [the arena's page](%s), from [its records](%s). Settings of "+
		"rows and methods: `flock arena -design`.", PageFile, RecordsFile)}}}
	if a.real(c) > 0 {
		parts[0].Text = append(parts[0].Text, a.Sweep.Rights...)
	}
	parts = append(parts, c.overallPart(overall), c.ranksPart(overall))
	rows := func(heading, caption string, cell func(m int, r *ContestRow) string) {
		t := &report.Table{Names: 1, Caption: caption, Head: []string{"method"}}
		for _, r := range c.Rows {
			t.Head = append(t.Head, r.Label)
		}
		for _, o := range overall {
			line := report.TextRow(c.Methods[o.Method].Lane)
			for i := range c.Rows {
				line = append(line, report.Cell{Text: cell(o.Method, &c.Rows[i])})
			}
			t.Rows = append(t.Rows, line)
		}
		parts = append(parts, report.Part{Heading: heading, Table: t})
	}
	values := func(m int, r *ContestRow, of func(*report.Run) (float64, bool)) stats.Summary {
		var out []float64
		for _, run := range c.runs[m][r.From:r.To] {
			if run != nil {
				if v, ok := of(run); ok {
					out = append(out, v)
				}
			}
		}
		return stats.Summarize(out)
	}
	rows("Gains", "Mean gain over the better of fedavg and local", func(m int, r *ContestRow) string {
		return signed(stats.Mean(c.Gains[m][r.From:r.To], nil))
	})
	rows("Accuracy", "Accuracy: mean ± standard deviation over seeds", func(m int, r *ContestRow) string {
		s := values(m, r, accuracy.Value)
		if s.N == 0 {
			return "–"
		}
		return fmt.Sprintf("%.3f ± %.3f", s.Mean, s.SD)
	})
	ari := must(report.FindMeasure("ari"))
	rows("Clusters", "Adjusted Rand index at the end, and in how many of the runs with it the clustering was right at any time, and from some round to the end",
		func(m int, r *ContestRow) string {
			s := values(m, r, ari.Value)
			if s.N == 0 {
				return "–"
			}
			found, settled := 0, 0
			for _, run := range c.runs[m][r.From:r.To] {
				if run != nil && run.Lane.Found != nil {
					found++
				}
				if run != nil && run.Lane.Settled != nil {
					settled++
				}
			}
			return fmt.Sprintf("%s, %d, %d of %d", strings.Replace(fmt.Sprintf("%.2f", s.Mean), "-", "−", 1), found, settled, s.N)
		})
	parts = append(parts, c.spentPart(overall), a.worseOff(c, overall), a.wrongKPart())
	return append(parts, sensitivity...)
}

// overallPart is the table of all methods over all families.
func (c *Contest) overallPart(overall []Overall) report.Part {
	t := &report.Table{Names: 2, Head: []string{"method", "kind", "middle gain", "interval", "mean gain", "over the baseline",
		"against the best"}, Caption: "Over all families: the mean of the middle half of the gains"}
	for i, o := range overall {
		m := c.Methods[o.Method]
		best := "–"
		if i > 0 {
			best = judged(o.Best)
		}
		kind := string(m.Kind)
		if !c.complete(o.Method, allFamilies) {
			kind += fmt.Sprintf(", not ranked: %d of %s", o.Rows, say.Amount(len(c.Rows), "row"))
		}
		t.Rows = append(t.Rows, report.TextRow(m.Lane, kind, signed(o.Middle.Value),
			strings.TrimSpace(interval(o.Middle)), signed(o.Mean), judged(o.Verdict), best))
	}
	return report.Part{Heading: "Over all families", Table: t, Text: []string{fmt.Sprintf("Intervals are for other families, rows "+
		"and seeds. Verdicts are by the Bayesian signed-rank test with a region of ± %s, in which the rows of a family count as one "+
		"case; in parentheses how probable it is that the method is practically worse, equal, better. Methods that are not ranked "+
		"are at the end.", say.Number(c.Rope))}}
}

func judged(j report.Judgement) string {
	return fmt.Sprintf("%s (%.2f, %.2f, %.2f)", j, j.Worse, j.Equal, j.Better)
}

// ranksPart compares ranks by Friedman's test, and the best method with the others by Conover's.
func (c *Contest) ranksPart(overall []Overall) report.Part {
	var methods []int
	for _, o := range overall {
		if c.Methods[o.Method].Kind != papers.Unranked && c.complete(o.Method, allFamilies) {
			methods = append(methods, o.Method)
		}
	}
	var blocks [][]float64
	for _, r := range c.Rows {
		var block []float64
		for _, m := range methods {
			block = append(block, stats.Mean(c.Gains[m][r.From:r.To], nil))
		}
		if !slices.ContainsFunc(block, math.IsNaN) {
			blocks = append(blocks, block)
		}
	}
	part := report.Part{Heading: "Ranks"}
	ranking, err := stats.Friedman(blocks, true)
	if err != nil {
		part.Text = []string{"Ranks need three methods with runs in two rows."}
		return part
	}
	best := 0
	for i, rank := range ranking.Mean {
		if rank < ranking.Mean[best] {
			best = i
		}
	}
	p, err := stats.Conover(blocks)
	t := &report.Table{Names: 1, Head: []string{"method", "mean rank", "p against the best"}}
	var adjusted []float64
	if err == nil {
		p[best][best] = math.NaN()
		adjusted = stats.Holm(p[best])
	}
	order := make([]int, len(methods))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ranking.Mean[i], ranking.Mean[j]) })
	for _, i := range order {
		text := "–"
		if err == nil && i != best {
			text = probable("", adjusted[i])
		}
		t.Rows = append(t.Rows, report.TextRow(c.Methods[methods[i]].Lane, fmt.Sprintf("%.2f", ranking.Mean[i]), text))
	}
	part.Table = t
	part.Text = []string{fmt.Sprintf("Ranks by mean gain in %s, the best is 1. Friedman's test: χ² = %.1f, p %s; p-values are "+
		"Conover's with Holm's correction. Rows of one family count apart here, so p-values are too small; ranks do not say by how "+
		"much a method is better.", say.Amount(ranking.Blocks, "row"), ranking.Chi2, probable("= ", ranking.P))}
	return part
}

// probable is a p-value, with a word before it unless it is too small to print.
func probable(equal string, p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return fmt.Sprintf("%s%.4f", equal, p)
}

// spentPart says what runs cost, relative to FedAvg.
func (c *Contest) spentPart(overall []Overall) report.Part {
	t := &report.Table{Names: 1, Head: []string{"method", "floats", "multiply-adds"}}
	base := c.method(report.GlobalTraining)
	for _, o := range overall {
		var floats, steps []float64
		for i, r := range c.runs[o.Method] {
			if b := c.runs[base][i]; r != nil && b != nil {
				floats = append(floats, (r.Lane.Down+r.Lane.Up)/(b.Lane.Down+b.Lane.Up))
				if b.Lane.Computed > 0 {
					steps = append(steps, r.Lane.Computed/b.Lane.Computed)
				}
			}
		}
		times := func(v float64) string {
			if math.IsNaN(v) {
				return "–"
			}
			return fmt.Sprintf("%.2f", v)
		}
		t.Rows = append(t.Rows, report.TextRow(c.Methods[o.Method].Lane, times(stats.Summarize(floats).Median),
			times(stats.Summarize(steps).Median)))
	}
	return report.Part{Heading: "What runs cost", Table: t,
		Text: []string{"Times what FedAvg's run on the same clients needs per client, the median of the runs."}}
}

// worseOff says how many clients have a lower accuracy than alone.
func (a *Arena) worseOff(c *Contest, overall []Overall) report.Part {
	t := &report.Table{Names: 1, Head: append([]string{"method"}, c.Families...),
		Caption: "Share of clients with a lower accuracy than when they train alone, with its interval for other seeds"}
	local := c.method(report.LocalTraining)
	shares := make([][]float64, len(c.Methods))
	for m := range c.Methods {
		for i, r := range c.runs[m] {
			v := math.NaN()
			if b := c.runs[local][i]; r != nil && b != nil && len(r.Lane.Clients) > 0 &&
				len(r.Lane.Clients) == len(b.Lane.Clients) {
				n := 0
				for j, accuracy := range r.Lane.Clients {
					if accuracy < b.Lane.Clients[j] {
						n++
					}
				}
				v = float64(n) / float64(len(r.Lane.Clients))
			}
			shares[m] = append(shares[m], v)
		}
	}
	at := map[int][]report.Cell{}
	for f := range c.Families {
		from, to := c.span(f)
		part := stats.Design{c.Design[f]}
		means := func(weights, out []float64) {
			for m := range shares {
				out[m] = stats.Mean(shares[m][from:to], weights)
			}
		}
		values := make([]float64, len(shares))
		means(part.Weights(), values)
		intervals := part.Bootstrap(stats.Stratified, len(values), means)
		for m, v := range values {
			text := "–"
			if !math.IsNaN(v) {
				text = fmt.Sprintf("%.2f", v)
				if !math.IsNaN(intervals[m].Low) {
					text += fmt.Sprintf(" [%.2f, %.2f]", intervals[m].Low, intervals[m].High)
				}
			}
			at[m] = append(at[m], report.Cell{Text: text})
		}
	}
	for _, o := range overall {
		if o.Method != local {
			t.Rows = append(t.Rows, append(report.TextRow(c.Methods[o.Method].Lane), at[o.Method]...))
		}
	}
	return report.Part{Heading: "Who is worse off than alone", Table: t}
}

// wrongKPart is the table of the fourth figure.
func (a *Arena) wrongKPart() report.Part {
	ks, methods, rows := a.WrongKs()
	part := report.Part{Heading: "A wrong number of clusters"}
	if len(methods) == 0 {
		part.Text = []string{"These records do not have the study of wrong numbers; flock arena -study k computes it."}
		return part
	}
	part.Text = []string{fmt.Sprintf("Change of accuracy when methods are told another number than the right one, on %s with groups, "+
		"with intervals for other families, rows and seeds.", say.Amount(rows, "row"))}
	t := &report.Table{Names: 1, Head: []string{"method"}}
	for _, k := range ks {
		t.Head = append(t.Head, "K = "+strconv.Itoa(k))
	}
	for _, m := range methods {
		line := report.TextRow(m.Lane)
		for _, lost := range m.Lost {
			line = append(line, report.Cell{Text: signed(lost.Value) + interval(lost)})
		}
		t.Rows = append(t.Rows, line)
	}
	part.Table = t
	return part
}
