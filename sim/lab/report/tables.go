package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/stats"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Options are the options of a report.
type Options struct {
	Title    string
	Measures []*Measure // empty: the default measures
	Spread   Spread
	Columns  string // the setting whose values are columns; "" for the one with the most values that fit
	Unit     Unit
	Baseline string // the method with which others are compared; "" for the best
	Score    Score  // "": no effect sizes
	// Rope is the half width of the region in which methods are practically equal; nil: 0.01, of shares 0.05.
	Rope     *float64
	Family   string // the setting whose values are families; "": data if it varies, else each setting is one
	Runs     bool   // list every run
	NoTests  bool   // only tables
	NoTables bool   // no tables and tests: only the parts that a named sweep adds
	Pictures bool   // include pictures (HTML)
	Intro    []string
}

// maxColumns is the maximum number of values of a setting in columns.
const maxColumns = 16

// against returns the method with which others are compared, −1 for none.
func (s *Study) against(o *Options) (int, error) {
	i := slices.Index(s.Methods, o.Baseline)
	if i < 0 && o.Baseline != "" {
		return i, &param.Error{Field: "-against", Got: o.Baseline,
			Want: say.Messagef("a method of the results: %s", say.List(s.Methods))}
	}
	return i, nil
}

// Report returns the document of a study.
func (s *Study) Report(o *Options) (*Document, error) {
	against, err := s.against(o)
	if err != nil {
		return nil, err
	}
	columns, err := s.columns(o.Columns)
	if err != nil {
		return nil, err
	}
	if o.Score != "" {
		if err := s.checkScore(o, against); err != nil {
			return nil, err
		}
	}
	d := &Document{Title: cmp.Or(o.Title, "Results")}
	d.Parts = append(d.Parts, Part{Text: append(slices.Clone(o.Intro), s.about()...)})
	if o.NoTables {
		return d, nil
	}
	for _, m := range s.measures(o) {
		if o.Score != "" && m.best() {
			d.Parts = append(d.Parts, s.scoreParts(m, o, against)...)
		}
		parts := s.measureParts(m, o, columns)
		if len(parts) == 0 {
			d.Parts = append(d.Parts, Part{Text: []string{fmt.Sprintf("No run has the measure %s.", m.Title)}})
			continue
		}
		d.Parts = append(d.Parts, parts...)
		if !o.NoTests {
			c := s.Compare(m, o.Unit, against)
			d.Parts = append(d.Parts, s.comparisonParts(m, o, columns, &c)...)
			if o.Score != "" && len(c.Methods) > 2 {
				if t := s.conoverTable(m, o, &c); t != nil {
					d.Parts = append(d.Parts, Part{Table: t})
				}
			}
		}
	}
	if !o.NoTests {
		d.Parts = append(d.Parts, s.costPart())
	}
	if o.Pictures {
		for _, p := range s.Pictures(o) {
			part, err := p.Embedded()
			if err != nil {
				return nil, err
			}
			d.Parts = append(d.Parts, part)
		}
	}
	if o.Runs {
		d.Parts = append(d.Parts, s.runsPart(s.measures(o)))
	}
	return d, nil
}

// about describes the contents of the study and what is missing.
func (s *Study) about() []string {
	var axes []string
	for _, x := range s.Axes {
		axes = append(axes, x.Key)
	}
	text := fmt.Sprintf("%s, %s, %s", say.Amount(len(s.Methods), "method"), say.Amount(s.settings, "setting"),
		say.Amount(len(s.Seeds), "seed"))
	if len(axes) > 0 {
		text += "; varied: " + say.List(axes)
	}
	return append([]string{text + ". A number links to the run whose value is nearest to it."}, s.Notes...)
}

// columns returns the index of the axis whose values are columns, −1 for none.
func (s *Study) columns(key string) (int, error) {
	best := -1
	var keys []string
	for i, x := range s.Axes {
		keys = append(keys, x.Key)
		if x.Key == key {
			return i, nil
		}
		if len(x.Values) <= maxColumns && (best < 0 || len(x.Values) >= len(s.Axes[best].Values)) {
			best = i
		}
	}
	if key != "" {
		return 0, &param.Error{Field: "-columns", Got: key, Want: say.Messagef("a setting that is varied: %s", say.List(keys))}
	}
	return best, nil
}

// groups returns the settings of each table: groups of settings that differ only in the axis of columns, or single
// settings for −1.
func (s *Study) groups(columns int) [][]int {
	if columns < 0 {
		var out [][]int
		for setting := range s.settings {
			out = append(out, []int{setting})
		}
		return out
	}
	stride := 1
	for _, x := range s.Axes[columns+1:] {
		stride *= len(x.Values)
	}
	n := len(s.Axes[columns].Values)
	var out [][]int
	for setting := range s.settings {
		if setting/stride%n == 0 {
			var group []int
			for j := range n {
				group = append(group, setting+j*stride)
			}
			out = append(out, group)
		}
	}
	return out
}

// groupName returns the labels of a group, except that of the axis of columns.
func (s *Study) groupName(setting, columns int) string {
	var words []string
	for i, v := range s.Values(setting) {
		if i != columns {
			words = append(words, s.Axes[i].Key+" = "+v)
		}
	}
	return strings.Join(words, ", ")
}

// cell formats an entry as a cell of a table.
func (s *Study) cell(e *Entry, spread Spread) Cell {
	c := Cell{Text: e.words(spread)}
	if i := e.nearest(e.centre(spread)); i >= 0 {
		c.open(e.runs[i], number(e.values[i], -1)+e.unit+" in this run")
	}
	return c
}

// open links the cell to a run, unless it is nil. about is the tooltip, "" for none.
func (c *Cell) open(r *Run, about string) {
	if r == nil {
		return
	}
	if c.Query, c.Hint = r.Query, "fingerprint "+r.Fingerprint; about != "" {
		c.Hint += ", " + about
	}
}

// measureParts returns a table for each combination of the settings that are not columns.
func (s *Study) measureParts(m *Measure, o *Options, columns int) []Part {
	var parts []Part
	for _, group := range s.groups(columns) {
		t := &Table{Names: 1, Head: []string{"method"}}
		best := make([]float64, len(group))
		found := make([]bool, len(group))
		var entries [][]Entry
		for method := range s.Methods {
			row := make([]Entry, len(group))
			for j, setting := range group {
				row[j] = s.Entry(setting, method, m)
				v := stats.Round(row[j].centre(o.Spread))
				if row[j].N > 0 && (!found[j] || m.HigherIsBetter && v > best[j] || !m.HigherIsBetter && v < best[j]) {
					best[j], found[j] = v, true
				}
			}
			entries = append(entries, row)
		}
		if !slices.Contains(found, true) {
			continue
		}
		for _, setting := range group {
			if columns < 0 {
				t.Head = append(t.Head, m.Title)
				continue
			}
			t.Head = append(t.Head, s.Values(setting)[columns])
		}
		for method, name := range s.Methods {
			row := []Cell{{Text: name}}
			for j := range group {
				e := &entries[method][j]
				c := s.cell(e, o.Spread)
				c.Bold = e.N > 0 && stats.Round(e.centre(o.Spread)) == best[j] && len(s.Methods) > 1 && m.best()
				row = append(row, c)
			}
			t.Rows = append(t.Rows, row)
		}
		t.Caption = strings.ToUpper(m.Title[:1]) + m.Title[1:]
		if name := s.groupName(group[0], columns); name != "" {
			t.Caption += ", " + name
		}
		spread := "mean ± standard deviation"
		if o.Spread == Quartiles {
			spread = "median (quartiles)"
		}
		t.Caption += ": " + spread
		if m.best() && len(s.Methods) > 1 {
			t.Caption += ", best in bold"
		}
		if columns >= 0 {
			t.Caption += "; columns: " + s.Axes[columns].Key
		}
		parts = append(parts, Part{Table: t})
	}
	if len(parts) > 0 {
		parts[0].Heading = strings.ToUpper(m.Title[:1]) + m.Title[1:]
	}
	return parts
}

// LocalTraining is the method that trains without cooperation.
const LocalTraining = "local"

// WorseOff returns, for each run that can be compared, the fraction of clients whose accuracy is lower than with local
// training on the same seeds.
func (s *Study) WorseOff(method int) (e Entry) {
	alone := slices.Index(s.Methods, LocalTraining)
	if alone < 0 {
		return e
	}
	seen := map[[2]*plan.Lane]bool{} // runs that stand in several settings count once
	for setting := range s.settings {
		for seed := range s.Seeds {
			a, b := s.Run(setting, method, seed), s.Run(setting, alone, seed)
			if a == nil || b == nil || len(a.Lane.Clients) == 0 || len(a.Lane.Clients) != len(b.Lane.Clients) ||
				a.Lane.Diverged != nil || b.Lane.Diverged != nil || seen[[2]*plan.Lane{a.Lane, b.Lane}] {
				continue
			}
			seen[[2]*plan.Lane{a.Lane, b.Lane}] = true
			worse := 0
			for i, v := range a.Lane.Clients {
				if v < b.Lane.Clients[i] {
					worse++
				}
			}
			e.values = append(e.values, float64(worse)/float64(len(a.Lane.Clients)))
			e.runs = append(e.runs, a)
		}
	}
	e.Summary = stats.Summarize(e.values)
	return e
}

// costPart shows the cost of each method's results, and how many clients are worse off with it than with local
// training.
func (s *Study) costPart() Part {
	price, _ := FindMeasure("price")
	traffic, _ := FindMeasure("traffic")
	t := &Table{Names: 1, Head: []string{"method", "clients worse off than alone", "clustering found",
		"floats until then", "floats in all"},
		Caption: "Clients and costs, over all settings; floats are those that a client sent and received, median (quartiles). A number of clusterings found links to a run that did not find it, if there is one"}
	compared := 0
	for method, name := range s.Methods {
		worse := Cell{Text: "–"}
		if e := s.WorseOff(method); e.N > 0 && name != LocalTraining {
			worse.Text = fmt.Sprintf("%.0f%%", 100*e.Mean)
			i := e.nearest(e.Mean)
			worse.open(e.runs[i], fmt.Sprintf("%.0f%% in this run", 100*e.values[i]))
			compared++
		}
		var prices, floats Entry
		judged := 0
		var never *Run // the first run that did not find it
		seen := map[*plan.Lane]bool{}
		for setting := range s.settings {
			for seed := range s.Seeds {
				r := s.Run(setting, method, seed)
				if r == nil || seen[r.Lane] {
					continue
				}
				seen[r.Lane] = true
				prices.add(r, price)
				floats.add(r, traffic)
				if r.Lane.ARI != nil {
					judged++
					if _, ok := price.Value(r); !ok && never == nil {
						never = r
					}
				}
			}
		}
		found := Cell{Text: "–"}
		if judged > 0 {
			found.Text = fmt.Sprintf("%s of %s", say.Whole(len(prices.values)), say.Whole(judged))
			if found.open(never, "not found in this run"); never == nil {
				found.open(prices.runs[0], "found in this run")
			}
		}
		for _, e := range []*Entry{&prices, &floats} {
			e.Summary, e.Runs = stats.Summarize(e.values), len(e.values)
		}
		t.Rows = append(t.Rows, []Cell{{Text: name}, worse, found, s.cell(&prices, Quartiles), s.cell(&floats,
			Quartiles)})
	}
	p := Part{Heading: "Clients and costs", Table: t}
	if compared == 0 {
		p.Text = append(p.Text, s.missingLocalRuns())
	}
	return p
}

// missingLocalRuns says which runs are missing for a comparison with local training.
func (s *Study) missingLocalRuns() string {
	if !slices.Contains(s.Methods, LocalTraining) {
		return "Which clients would be better off alone is not known: it needs the method local on the same seeds. Add it to the lanes."
	}
	for _, r := range s.runs {
		if len(r.Lane.Clients) > 0 {
			return "Which clients would be better off alone is not known: no other method has the seeds of local."
		}
	}
	for _, r := range s.runs {
		if r.Lane.Accuracy != nil {
			return "Which clients would be better off alone is not known: these records were written by an older flock, without the accuracies of single clients. Compute them again into a new file."
		}
	}
	return "Which clients would be better off alone is not known: on these data models classify nothing, so no client has an accuracy."
}

// runsPart lists every run.
func (s *Study) runsPart(measures []*Measure) Part {
	t := &Table{Caption: "Every run"}
	for _, x := range s.Axes {
		t.Head = append(t.Head, x.Key)
	}
	t.Head = append(t.Head, "method", "seed")
	t.Names = len(t.Head)
	for _, m := range measures {
		t.Head = append(t.Head, m.Title)
	}
	t.Head = append(t.Head, "fingerprint")
	for setting := range s.settings {
		for method, name := range s.Methods {
			for seed, text := range s.Seeds {
				r := s.Run(setting, method, seed)
				if r == nil {
					continue
				}
				var row []Cell
				for _, v := range s.Values(setting) {
					row = append(row, Cell{Text: v})
				}
				row = append(row, Cell{Text: name}, Cell{Text: text})
				for _, m := range measures {
					c := Cell{Text: "–"}
					if v, ok := m.Value(r); ok {
						c.Text = number(v, -1)
						c.open(r, "")
					}
					row = append(row, c)
				}
				t.Rows = append(t.Rows, append(row, Cell{Text: r.Fingerprint, Query: r.Query, Hint: "opens the run"}))
			}
		}
	}
	return Part{Heading: "Runs", Table: t}
}
