package papers

import (
	"fmt"
	"slices"
	"strings"

	"flockscope/sim/lab/report"
	"flockscope/sim/say"
)

// Verdict is the result of testing a claim by runs.
type Verdict struct {
	report.Difference
	Holds bool // whether it holds in these runs
}

// Judge tests a claim. Settings without runs have no pairs.
func (c *Claim) Judge(study *report.Study) Verdict {
	settings := Settings(study, c.Row)
	v := Verdict{}
	switch {
	case !slices.Contains(study.Methods, c.A):
	case c.usesBound:
		v.Difference = study.Above(settings, c.A, c.Bound, c.Measure)
	case slices.Contains(study.Methods, c.B):
		v.Difference = study.Difference(settings, c.A, c.B, c.Measure)
	}
	v.Holds = v.N > 0 && v.Mean > 0
	return v
}

// Verdicts on a claim. A claim fails if the runs show the contrary.
const (
	holds, fails   = "holds", "does not hold"
	notSignificant = ", not significant" // suffix of one of these
	undecided      = "undecided"
	noRuns         = "no runs"
)

// Word returns the verdict in words. It only judges if p can be significant with the number of differing pairs: the
// least p of five pairs is 0.0625.
func (v *Verdict) Word() string {
	word := holds
	if !v.Holds {
		word = fails
	}
	switch {
	case v.N == 0:
		return noRuns
	case v.MinP >= report.Level:
		return undecided
	case v.P >= report.Level:
		return word + notSignificant
	}
	return word
}

// Report compares the paper's numbers and claims with the results here. made describes how the results were computed.
func (s *Sweep) Report(study *report.Study, o report.Options, made string) (*report.Document, error) {
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
	o.Intro = append(o.Intro, s.About...)
	if s.Data != "" {
		o.Intro = append(o.Intro, "Data: "+s.Data)
	}
	for _, sm := range s.Smaller {
		o.Intro = append(o.Intro, fmt.Sprintf("Smaller than the paper by a factor of %s: %s", say.Number(sm.Factor), sm.What))
	}
	for _, d := range s.Differs {
		o.Intro = append(o.Intro, "What differs: "+d)
	}
	o.Intro = append(o.Intro, made)
	d, err := study.Report(&o)
	if err != nil {
		return nil, err
	}
	var parts []report.Part
	if len(s.Numbers) > 0 && !s.IsReduced {
		parts = append(parts, s.numbers(study, &o))
	}
	if len(s.Claims) > 0 {
		parts = append(parts, s.claims(study))
	}
	if len(s.Absent) > 0 {
		t := &report.Table{Names: 2, Head: []string{"not here", "why"}}
		for _, a := range s.Absent {
			t.Rows = append(t.Rows, []report.Cell{{Text: a[0]}, {Text: a[1]}})
		}
		parts = append(parts, report.Part{Heading: "What is missing", Table: t})
	}
	d.Parts = slices.Insert(d.Parts, 1, parts...)
	return d, nil
}

func (s *Sweep) numbers(study *report.Study, o *report.Options) report.Part {
	t := &report.Table{Names: 3, Head: []string{"row", "method", "measure", "paper", "here", "runs",
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

func (s *Sweep) claims(study *report.Study) report.Part {
	t := &report.Table{Names: 3, Head: []string{"row", "claim", "measure", "mean difference", "pairs for it", "p",
		"here", "where"},
		Caption: "Orderings that are claimed; p is of Wilcoxon's signed-rank test, two-sided, and links to the run that says least for the claim"}
	few := ""
	for i := range s.Claims {
		c := &s.Claims[i]
		v := c.Judge(study)
		verdict := v.Word()
		switch verdict {
		case noRuns:
			v.Cell, v.Least = report.Cell{Text: "–"}, report.Cell{Text: "–"}
		case undecided:
			few = ". Undecided: so few pairs differ that p cannot be below 0.05"
		}
		where := c.Where
		if c.Note != "" {
			where += ". " + c.Note
		}
		t.Rows = append(t.Rows, []report.Cell{{Text: c.Row}, {Text: c.A + " > " + c.B},
			{Text: c.Measure.Title}, v.Cell,
			{Text: v.Pairs}, v.Least, {Text: verdict, Bold: verdict == fails}, {Text: where}})
	}
	t.Caption += few
	return report.Part{Heading: "Claims", Table: t}
}
