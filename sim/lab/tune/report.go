package tune

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// number reads a value that a setting had.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Headings of parts of [Result.Document].
const (
	EveryTry = "Every try"
	Ranges   = "Ranges"
)

// Document presents a result: what was chosen, what fewer tries would have found, every try, and the ranges.
func (r *Result) Document(title string) (*report.Document, error) {
	d := &report.Document{Title: title}
	d.Parts = append(d.Parts, report.Part{Text: r.about(), Table: r.chosen()},
		report.Part{Heading: "What fewer tries find", Text: []string{"Mean over all choices of so many tries of the best one among them. " +
			"A curve that still rises asks for more tries."}, Table: r.curves()},
		report.Part{Heading: EveryTry, Table: r.tries()})
	spaces, err := r.spaces()
	if err != nil {
		return nil, err
	}
	d.Parts = append(d.Parts, report.Part{Heading: Ranges, Table: spaces})
	return d, nil
}

// about says how values were chosen, and how to go on.
func (r *Result) about() []string {
	s := r.Search
	by := "new samples with seeds of their own"
	if s.Base.Reads(HoldsBack) {
		by = "the 30% of its training samples that each client held back; nothing was trained or evaluated on test samples"
	}
	first := s.Base.FirstSeed() + SeedsApart
	tries := "1 try"
	if s.Tries > 1 {
		tries = fmt.Sprintf("%d tries", s.Tries)
	}
	text := []string{fmt.Sprintf("Random search: %s of each method, each with %s from seed %d on, compared by %s on %s. The "+
		"first try, number 0, has the defaults. Computing time: %s.", tries, say.Amount(s.Seeds, "seed"), first,
		r.Measure.Title, by, seconds(r.Seconds))}
	text = append(text, r.Notes...)
	for i := range r.Methods {
		t := &r.Methods[i]
		if t.Best < 0 {
			text = append(text, fmt.Sprintf("Of %s no try has all of its runs, so nothing is chosen.", t.Method))
		}
		if names := r.AtEdge(t); len(names) > 0 {
			text = append(text, fmt.Sprintf("Of %s, %s near the edge of the range: a wider one may have better values.", t.Method,
				strings.Join(names, " and ")+say.Either(len(names), " is", " are")))
		}
	}
	return append(text, "The chosen values in a sweep: flock sweep -vary "+plan.ShellWord(r.Lanes()))
}

func seconds(s float64) string { return say.Number(math.Round(s)) + " s" }

// score formats a try's mean with its spread.
func score(x *Tried) string {
	if x.Runs == 0 {
		return "–"
	}
	text := strconv.FormatFloat(x.Mean, 'f', 4, 64)
	if x.N > 1 {
		text += " ± " + strconv.FormatFloat(x.SD, 'f', 4, 64)
	}
	if x.Missing > 0 {
		text += fmt.Sprintf(" [%d of %d]", x.Runs, x.Runs+x.Missing)
	}
	if x.Diverged > 0 {
		text += fmt.Sprintf(" (%d diverged)", x.Diverged)
	}
	return text
}

// settings formats the settings of a try.
func settings(x *Tried) string {
	if len(x.Settings) == 0 {
		return "defaults"
	}
	var words []string
	for _, p := range x.Settings {
		words = append(words, p[0]+"="+p[1])
	}
	return strings.Join(words, ", ")
}

// chosen has a row for each method.
func (r *Result) chosen() *report.Table {
	t := &report.Table{Names: 2, Head: []string{"method", "chosen", "try", r.Measure.Title, "with the defaults"},
		Caption: "The best of all tries; a link opens a run with the chosen values"}
	for i := range r.Methods {
		x := &r.Methods[i]
		if x.Best < 0 {
			none := report.Cell{Text: "–"}
			t.Rows = append(t.Rows, []report.Cell{{Text: x.Method}, none, none, none, {Text: score(&x.Tries[0])}})
			continue
		}
		best := &x.Tries[x.Best]
		t.Rows = append(t.Rows, []report.Cell{{Text: x.Method}, {Text: settings(best), Query: r.Query(x)},
			{Text: strconv.Itoa(x.Best)}, {Text: score(best)}, {Text: score(&x.Tries[0])}})
	}
	return t
}

// curves has the expected best of some numbers of tries.
func (r *Result) curves() *report.Table {
	t := &report.Table{Names: 1, Head: []string{"method"}, Caption: "The best of a number of tries, expected: " + r.Measure.Title}
	var at []int
	for n := 1; n <= r.Search.Tries; n++ {
		if n <= 6 || n == r.Search.Tries || n%4 == 0 && n <= 16 || n&(n-1) == 0 {
			at = append(at, n)
			t.Head = append(t.Head, strconv.Itoa(n))
		}
	}
	for i := range r.Methods {
		x := &r.Methods[i]
		row := []report.Cell{{Text: x.Method}}
		for _, n := range at {
			c := report.Cell{Text: "–"}
			if n <= len(x.Curve) {
				c.Text = strconv.FormatFloat(x.Curve[n-1], 'f', 4, 64)
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// tries has a row for each try.
func (r *Result) tries() *report.Table {
	t := &report.Table{Names: 3, Head: []string{"method", "try", "settings", r.Measure.Title},
		Caption: "Mean ± standard deviation over runs; the chosen try in bold"}
	for i := range r.Methods {
		x := &r.Methods[i]
		for j := range x.Tries {
			try := &x.Tries[j]
			t.Rows = append(t.Rows, []report.Cell{{Text: x.Method}, {Text: strconv.Itoa(j)}, {Text: settings(try)},
				{Text: score(try), Bold: j == x.Best}})
		}
	}
	return t
}

// spaces has a row for each setting that was searched.
func (r *Result) spaces() (*report.Table, error) {
	t := &report.Table{Names: 4, Head: []string{"setting", "name", "methods", "source", "from", "to", "scale"}}
	var fields []param.Field
	by := map[string][]string{}
	for _, method := range r.Search.Methods {
		space, err := r.Search.Space(method)
		if err != nil {
			return nil, err
		}
		for _, f := range space {
			if !slices.ContainsFunc(fields, func(g param.Field) bool { return g.Name == f.Name }) {
				fields = append(fields, f)
			}
			by[f.Name] = append(by[f.Name], method)
		}
	}
	for _, f := range fields {
		scale := "linear"
		if f.Tune.Log {
			scale = "logarithmic"
		}
		methods := strings.Join(by[f.Name], ", ")
		if len(by[f.Name]) == len(r.Search.Methods) {
			methods = "all"
		}
		t.Rows = append(t.Rows, []report.Cell{{Text: f.Name}, {Text: f.Label}, {Text: methods}, {Text: f.Tune.Source},
			{Text: param.FormatFloat(f.Tune.Low)}, {Text: param.FormatFloat(f.Tune.High)}, {Text: scale}})
	}
	return t, nil
}
