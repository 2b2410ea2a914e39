package papers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
	"flockscope/sim/say"
)

// Verdict is the result of testing a claim by runs.
type Verdict struct {
	report.Difference
	Word   string // one of the words below
	Reason string // why it is undecided or not judged, "" if the interval says it
	Row    string // the rows that it is about, and of a claim on each row the one whose numbers are here
}

// Words of verdicts. The interval of the mean difference decides, and never its sign alone.
const (
	Holds, Fails = "holds", "does not hold"
	Undecided    = "undecided"
	NotJudged    = "not judged"
)

// eachRow is what the row of a claim ends with that is about every row of a table by itself: "each" or "T=401, each".
const eachRow = "each"

// eachOf returns the rows of which a claim is about each by itself, if it is.
func eachOf(row string) (rows string, ok bool) {
	rows, ok = strings.CutSuffix(row, eachRow)
	return cmp.Or(strings.TrimSuffix(rows, ", "), "*"), ok
}

// leastPairs is the least number of pairs for a verdict.
const leastPairs = 5

// Judge tests a claim by the runs of a sweep. It holds if the 95 % bootstrap interval of the mean difference is above
// zero, and does not hold if it is below zero, both with at least five pairs and a better score above chance. Claims on
// numbers are not judged if the runs are smaller than the paper's.
func (s *Sweep) Judge(c *Claim, study *report.Study) Verdict {
	if rows, ok := eachOf(c.Row); ok {
		return s.judgeEach(c, study, Settings(study, rows))
	}
	return s.judge(c, study, Settings(study, c.Row))
}

// judgeEach tests a claim about every row by itself. It holds if it holds in each, and does not hold if it fails in one.
// The numbers are those of the row that is farthest from holding; a test of all rows together that each must pass needs no
// correction for their number (intersection-union test; Berger 1982, Technometrics 24).
func (s *Sweep) judgeEach(c *Claim, study *report.Study, settings []int) Verdict {
	out, rows, holding := Verdict{Word: NotJudged, Reason: "no runs", Row: c.rows()}, 0, 0
	for _, setting := range settings {
		v := s.judge(c, study, []int{setting})
		if v.N == 0 {
			continue
		}
		if v.Word == Holds {
			holding++
		}
		v.Row = fmt.Sprintf("%s: %s", c.rows(), s.rowName(study, setting))
		if rows++; rows == 1 || v.fartherThan(&out) {
			out = v
		}
	}
	if out.Word == Undecided || out.Word == Fails {
		held := fmt.Sprintf("holds in %d of %s", holding, say.Amount(rows, "row"))
		out.Reason = strings.TrimSuffix(held+"; "+out.Reason, "; ")
	}
	return out
}

// fartherThan reports whether a verdict is farther from holding than another one.
func (v *Verdict) fartherThan(other *Verdict) bool {
	words := []string{Fails, Undecided, Holds, NotJudged}
	rank := cmp.Compare(slices.Index(words, v.Word), slices.Index(words, other.Word))
	return cmp.Or(rank, cmp.Compare(v.Low, other.Low)) < 0
}

// rowName names a setting as claims do.
func (s *Sweep) rowName(study *report.Study, setting int) string {
	values := study.Values(setting)
	for i := range values {
		if len(s.Rows()) == 0 || i > 0 {
			values[i] = study.Axes[i].Key + "=" + values[i]
		}
	}
	return strings.Join(values, ", ")
}

// judge tests a claim by the runs of some settings.
func (s *Sweep) judge(c *Claim, study *report.Study, settings []int) Verdict {
	v := Verdict{Word: Undecided, Row: c.rows()}
	a, b := slices.Contains(study.Methods, c.A), slices.Contains(study.Methods, c.B)
	switch {
	case a && c.above:
		v.Difference = study.Above(settings, c.A, c.bound, c.Measure)
	case c.below && b:
		v.Difference = study.Below(settings, c.bound, c.B, c.Measure)
	case a && b:
		var others []int
		if c.Other != "" {
			others = Settings(study, c.Other)
		}
		v.Difference = study.Difference(settings, others, c.A, c.B, c.Measure)
	}
	switch {
	case v.N == 0:
		v.Word, v.Reason = NotJudged, "no runs"
	case (c.above || c.below) && (len(s.Smaller()) > 0 || s.IsReduced):
		v.Word, v.Reason = NotJudged, "smaller than the paper"
	case v.N < leastPairs:
		v.Reason = "only " + say.Amount(v.N, "pair")
	case v.Low == 0 && v.High == 0:
		v.Reason = "no difference in any pair"
	case v.Never:
		v.Reason = "no run of the better one gets there"
	case v.AtChance:
		v.Reason = fmt.Sprintf("no better than guessing (%s)", say.Number(stats.Round(v.Guess)))
	case v.Low > 0:
		v.Word = Holds
	case v.High < 0:
		v.Word = Fails
	}
	return v
}

// Settings returns the indices of a study's settings that a row names.
func Settings(study *report.Study, row string) []int {
	var out []int
	for setting := range study.Settings() {
		fits := true
		if row != "*" {
			values := study.Values(setting)
			for part := range strings.SplitSeq(row, ",") {
				any := false
				for i, v := range values {
					any = any || named(study.Axes[i].Key, v, part)
				}
				fits = fits && any
			}
		}
		if fits {
			out = append(out, setting)
		}
	}
	return out
}

// named reports whether a part of a row's name is a value of a setting.
func named(key, label, part string) bool {
	part = strings.TrimSpace(part)
	return part == label || part == key+"="+label
}

// Text returns the verdict with its reason.
func (v *Verdict) Text() string {
	if v.Reason != "" {
		return v.Word + ": " + v.Reason
	}
	return v.Word
}

// Report compares the paper's numbers and claims with the results here. What a reader needs to trust or doubt them comes
// first; made is what one needs to compute them again, and comes last.
func (s *Sweep) Report(study *report.Study, o report.Options, made ...string) (*report.Document, error) {
	o.Title = s.Title
	if len(o.Measures) == 0 {
		o.Measures = s.Measures
	}
	if o.Columns == "" {
		o.Columns = s.Columns
	}
	if s.Source != "" {
		o.Intro = append(o.Intro, "Source: "+s.Source+".")
	}
	if s.Data != "" {
		o.Intro = append(o.Intro, "Data: "+strings.TrimSuffix(s.Data, ".")+".")
	}
	o.Intro = append(o.Intro, s.About...)
	for _, sm := range s.Smaller() {
		o.Intro = append(o.Intro, fmt.Sprintf("Smaller than the paper by a factor of %s: %s.", say.Number(sm.Factor), sm.What))
	}
	for _, d := range s.Differs {
		o.Intro = append(o.Intro, "What differs: "+d)
	}
	if s.IsReduced && s.IsPaper() {
		o.Intro = append(o.Intro, "This is the reduced form, to try the table out: it is not comparable with the paper, "+
			"so the paper's numbers are left out.")
	}
	d, err := study.Report(&o)
	if err != nil {
		return nil, err
	}
	var parts []report.Part
	if len(s.Claims) > 0 {
		parts = append(parts, s.claims(study))
	}
	if len(s.Numbers) > 0 && !s.IsReduced {
		parts = append(parts, s.numbers(study, &o))
	}
	drawn, err := s.drawings(study)
	if err != nil {
		return nil, err
	}
	parts = append(parts, drawn...)
	if len(s.Absent) > 0 {
		t := &report.Table{Names: 2, Head: []string{"not here", "why"}}
		for _, a := range s.Absent {
			t.Rows = append(t.Rows, []report.Cell{{Text: a[0]}, {Text: a[1]}})
		}
		parts = append(parts, report.Part{Heading: "What is missing", Table: t})
	}
	d.Parts = append(slices.Insert(d.Parts, 1, parts...),
		report.Part{Heading: "How to repeat a number", Text: slices.Concat(s.Files, made)})
	return d, nil
}

// drawings returns the curves over the rounds, heat maps, the losses of models on groups, and the classes in clusters.
func (s *Sweep) drawings(study *report.Study) (parts []report.Part, err error) {
	pictures := 0
	for _, c := range s.Curves {
		for _, p := range study.ByRound(c) {
			pictures++
			part, err := p.Embedded()
			if err != nil {
				return nil, err
			}
			if pictures == 1 {
				part.Heading = "Over the rounds"
				part.Text = []string{"Mean over seeds, with a band of one standard deviation."}
			}
			parts = append(parts, part)
		}
	}
	if s.Heat != nil {
		for i, p := range study.Heats(s.Heat) {
			part, err := p.Embedded()
			if err != nil {
				return nil, err
			}
			if i == 0 {
				part.Heading = "Heat maps"
			}
			parts = append(parts, part)
		}
	}
	if s.HeatLosses {
		for i, p := range study.Losses() {
			part, err := p.Embedded()
			if err != nil {
				return nil, err
			}
			if i == 0 {
				part.Heading = "Losses of models on groups"
				part.Text = []string{"Rows are groups, of each of which one client has computed the loss of every model on its " +
					"samples of the last round. Models are in the order of the groups whose clients have them, so that a right " +
					"clustering has its own models on the diagonal. Each picture is of the first seed."}
			}
			parts = append(parts, part)
		}
	}
	for _, method := range s.Contents {
		if t, ok := study.Contents(method); ok {
			parts = append(parts, report.Part{Heading: "Classes in clusters", Table: t})
		}
	}
	return parts, nil
}

func (s *Sweep) numbers(study *report.Study, o *report.Options) report.Part {
	t := &report.Table{Names: 3, Words: 1, Head: []string{"row", "method", "measure", "paper", "here", "runs",
		"where in the paper"},
		Caption: "The paper's numbers, and those of the same row here"}
	for _, n := range s.Numbers {
		here := study.Pooled(Settings(study, n.Row), slices.Index(study.Methods, n.Method), n.Measure, o.Spread,
			strings.Contains(n.Value, "%"))
		t.Rows = append(t.Rows, []report.Cell{{Text: n.Row}, {Text: n.Method}, {Text: n.Measure.Title},
			{Text: n.Value}, here.Cell,
			{Text: fmt.Sprint(here.N)}, {Text: n.Where}})
	}
	return report.Part{Heading: "Paper and Flockscope", Table: t}
}

// Verdicts judges all claims, in their order.
func (s *Sweep) Verdicts(study *report.Study) []Verdict {
	out := make([]Verdict, len(s.Claims))
	for i := range s.Claims {
		out[i] = s.Judge(&s.Claims[i], study)
	}
	return out
}

func (s *Sweep) claimed() string {
	if s.IsPaper() {
		return "Every ordering that the paper claims"
	}
	return "Orderings that were chosen from the first seeds"
}

func (s *Sweep) claims(study *report.Study) report.Part {
	t := &report.Table{Names: 3, Words: 2, Head: []string{"row", "claim", "measure", "mean difference", "95% interval",
		"pairs for it", "p", "p (Holm)", "here", "where"},
		Caption: s.claimed()}
	verdicts, p := s.Verdicts(study), make([]float64, len(s.Claims))
	counts := tally{}
	for i := range verdicts {
		counts[verdicts[i].Word]++
	}
	text := append([]string{fmt.Sprintf("Of %s that %s judged here, %s.", say.Amount(counts.judged(), "claim"),
		say.Either(counts.judged(), "is", "are"), counts), "A > B means that A has the higher value, be that better or worse, * all rows of this page together, and each " +
		"every row by itself: such a claim holds if it holds in each, and does not hold if it fails in one; its numbers are those of the row " +
		"behind the colon, which is farthest from holding. The interval is of the mean difference over pairs of runs with the same samples, by bootstrap. A claim holds if the interval " +
		"is above zero, and does not hold if it is below; it is undecided otherwise, with less than five pairs, or if the better score " +
		"is that of guessing. p is of Wilcoxon's signed-rank test, two-sided, and links to the pair with the smallest difference; " +
		"Holm's is corrected for the number of claims. They do not decide: with five pairs p cannot be below 0.0625."},
		study.Idle()...)
	for i := range verdicts {
		if p[i] = verdicts[i].P; verdicts[i].N == 0 {
			p[i] = math.NaN()
		}
	}
	p = stats.Holm(p)
	for i := range s.Claims {
		c, v := &s.Claims[i], &verdicts[i]
		interval, holm := "–", "–"
		if v.N == 0 {
			v.Cell, v.Least, v.Pairs = report.Cell{Text: "–"}, report.Cell{Text: "–"}, "–"
		} else {
			holm = report.FormatP(p[i])
			if v.N > 1 {
				interval = report.Interval(v.Low, v.High)
			}
		}
		t.Rows = append(t.Rows, []report.Cell{{Text: v.Row}, {Text: c.A + " > " + c.B},
			{Text: c.Measure.Title}, v.Cell, {Text: interval}, {Text: v.Pairs}, v.Least, {Text: holm},
			{Text: v.Text(), Bold: v.Word == Fails}, {Text: c.place()}})
	}
	return report.Part{Heading: "Claims", Text: text, Table: t}
}
