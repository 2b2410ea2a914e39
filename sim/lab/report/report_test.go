package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
)

func planOf(t *testing.T, text string) *plan.Plan {
	t.Helper()
	d, err := plan.ParseDraft(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// computed plays the cells of a plan.
func computed(t *testing.T, p *plan.Plan) []plan.Record {
	t.Helper()
	var out []plan.Record
	met := map[string]bool{}
	for n := range p.Cells() {
		c, err := p.Cell(n)
		if err != nil || met[c.ID] {
			continue
		}
		met[c.ID] = true
		w := c.Watch()
		if err := engine.Run(context.Background(), c.Config, nil, w); err != nil {
			t.Fatal(err)
		}
		out = append(out, w.Record())
	}
	return out
}

func study(t *testing.T, sources ...report.Source) *report.Study {
	t.Helper()
	s, err := report.New(sources, catalog.Schema().Parse, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func written(t *testing.T, s *report.Study, o report.Options, f report.Format) string {
	t.Helper()
	d, err := s.Report(&o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := d.Write(&out, f, "https://flock.example.org/"); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const digits = "query data=digits&n=80&C=4&exam=5&every=4&net=softmax&b=8&probe=8&shift=none&T=4\n"

// Each number of a table opens the run that it comes from, with its fingerprint.
func TestLinksOpenTheRun(t *testing.T) {
	p := planOf(t, digits+"vary K=2,3\nvary algos=ifca,fedavg,local\nseeds 3\n")
	s := study(t, report.Source{Name: "a", Plan: p, Records: computed(t, p)})
	if got := fmt.Sprint(s.Methods, len(s.Axes), s.Axes[0].Key, s.Seeds,
		s.Notes); got != "[ifca fedavg local] 1K[1 2 3] []" {
		t.Errorf("the study has %s", got)
	}
	links := regexp.MustCompile(`<a href="https://flock\.example\.org/\?([^"]*)" title="fingerprint ([^",]*)[^"]*">`).
		FindAllStringSubmatch(written(t, s, report.Options{Runs: true}, report.HTML), -1)
	if len(links) < 25 {
		t.Fatalf("the report has %d links", len(links))
	}
	checked := map[string]bool{}
	for _, link := range links {
		query := strings.ReplaceAll(link[1], "&amp;", "&")
		if checked[query] {
			continue
		}
		checked[query] = true
		c, problems := catalog.Schema().Parse(query)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		cell := planOf(t, "query "+query).At(c, 0)
		w := cell.Watch()
		if err := engine.Run(context.Background(), c, nil, w); err != nil {
			t.Fatal(err)
		}
		if got := w.Record().Fingerprint; got != link[2] {
			t.Errorf("%s has fingerprint %s, and the link says %s", query, got, link[2])
		}
	}
	for _, f := range []report.Format{report.Markdown, report.LaTeX} {
		if text := written(t, s, report.Options{}, f); strings.Count(text, "https://flock.example.org/?") < 9 {
			t.Errorf("%s has no links:\n%s", f, text)
		}
	}
}

// Pictures inside a page have names of their own.
func TestPicturesInside(t *testing.T) {
	p := planOf(t, "query T=5&C=6\nvary K=2,3\nvary algos=ifca,clove,fedavg\nseeds 2\n")
	text := written(t, study(t, report.Source{Name: "a", Plan: p, Records: computed(t, p)}),
		report.Options{Pictures: true}, report.HTML)
	ids := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if ids[id[1]] {
			t.Errorf("two elements are called %s", id[1])
		}
		ids[id[1]] = true
	}
	if len(ids) < 6 || !strings.Contains(text, "<h1>Results</h1>") {
		t.Errorf("%d names in\n%s", len(ids), text)
	}
}

// A bound's sign decides a verdict, so that it is seen whatever its size.
func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{-0.5, 0.25, "−0.50 to 0.25"}, {-0.5, -0.0042, "−0.50 to −0.004"}, {0.00031, 0.16, "0.0003 to 0.16"}, {0, 0.8, "0.00 to 0.80"},
		{0.4782609, 0.4782609, "0.4783 to 0.4783"}, {-0.5, -0.005, "−0.50 to −0.01"}, {-3e-9, 0.5, "−3e-9 to 0.50"},
	} {
		if got := report.Interval(tt.low, tt.high); got != tt.want {
			t.Errorf("Interval(%g, %g) = %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}

// Records without their plan make the same tables: what differs among the queries is
// what was varied, and a method that does not read a setting stands beside all its values.
func TestDerived(t *testing.T) {
	p := planOf(t, "query T=5&C=6\nvary K=2,3\nvary dphi=10,30\nvary algos=ifca,fedavg\nseeds 2\n")
	records := computed(t, p)
	want := written(t, study(t, report.Source{Name: "a", Plan: p, Records: records}),
		report.Options{Columns: "dphi"}, report.Markdown)
	half := len(records) / 2
	got := written(t, study(t, report.Source{Name: "a", Records: records[:half]}, report.Source{Name: "b",
		Records: records}),
		report.Options{Columns: "dphi"}, report.Markdown)
	normal := func(text string) string { return strings.Replace(text, "dphi and K", "K and dphi", 1) }
	if normal(got) != normal(want) {
		t.Errorf("without the plan:\n%s\nwith it:\n%s", got, want)
	}
	mixed := planOf(t, "query T=5&C=6&algos=ifca\nvary data=linreg;mixreg\nseeds 1")
	s := study(t, report.Source{Name: "a", Records: computed(t, mixed)})
	if s.Axes[0].Key != "data" || len(s.Axes[0].Values) != 2 {
		t.Errorf("of two kinds of data: %+v", s.Axes)
	}
}

// A run that stands beside several settings, or in two files, is counted once.
func TestTime(t *testing.T) {
	p := planOf(t, "query T=5&C=6\nvary K=2,3\nvary algos=ifca,fedavg\nseeds 2\n")
	records := computed(t, p)
	for i := range records {
		records[i].Seconds = 0.5
	}
	s := study(t, report.Source{Name: "a", Plan: p, Records: records}, report.Source{Name: "b", Plan: p,
		Records: records[:2]})
	if s.Records != 6 || s.Seconds != 3 {
		t.Errorf("%d runs took %v s, want 6 and 3: fedavg does not read K", s.Records, s.Seconds)
	}
}

// made returns records with chosen scores, of ifca and local with some seeds.
func made(t *testing.T, accuracies map[string][][]float32) []plan.Record {
	t.Helper()
	var out []plan.Record
	for method, seeds := range accuracies {
		p := planOf(t, digits+"vary algos="+method+"\nseeds 9\n")
		for seed, clients := range seeds {
			if clients == nil {
				continue
			}
			c, err := p.Cell(seed)
			if err != nil {
				t.Fatal(err)
			}
			r := c.Failed("made up")
			r.Error, r.Fingerprint = "", fmt.Sprint(method, seed)
			mean := 0.0
			for _, v := range clients {
				mean += float64(v) / float64(len(clients))
			}
			r.Lanes = []plan.Lane{{Lane: method, Clients: clients, Scores: plan.Scores{Accuracy: &mean,
				Fingerprint: fmt.Sprint(method, seed)}}}
			out = append(out, r)
		}
	}
	return out
}

func TestWorseOff(t *testing.T) {
	s := study(t, report.Source{Name: "a", Records: made(t, map[string][][]float32{
		"ifca":   {{0.5, 0.5, 0.5, 0.5}, {0.5, 1, 1, 1}, {0, 0, 0, 0}},
		"local":  {{0.6, 0.5, 0.4, 0.3}, {0.6, 1.1, 0.5, 0.5}},
		"fedavg": {nil, nil, nil, {1, 1, 1, 1}},
	})})
	for i, m := range s.Methods {
		e := s.WorseOff(i)
		if n := map[string]int{"ifca": 2, "local": 2}[m]; e.N != n ||
			n > 0 && e.Mean != map[string]float64{"ifca": 0.375}[m] {
			t.Errorf("%s: %v of %d", m, e.Mean, e.N)
		}
	}
	text := written(t, s, report.Options{}, report.Markdown)
	for _, want := range []string{"| [38%](", "Not all methods have the same seeds in 1 setting",
		"fedavg has 1 run of 3", "no common seeds"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}

// What is missing for the share of clients that would be better off alone is said.
func TestWhyNotAlone(t *testing.T) {
	without := made(t, map[string][][]float32{"ifca": {{1}}, "local": {{1}}})
	for i := range without {
		without[i] = without[i].Without()
	}
	lines := planOf(t, "query T=3&C=6&algos=ifca,local")
	for want, records := range map[string][]plan.Record{
		"needs the method local":      made(t, map[string][][]float32{"ifca": {{1}}}),
		"written by an older flock":   without,
		"models classify nothing":     computed(t, lines),
		"no other method has the see": made(t, map[string][][]float32{"ifca": {{1}}, "local": {nil, {1}}}),
	} {
		if text := written(t, study(t, report.Source{Name: "a", Records: records}), report.Options{},
			report.Markdown); !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
}

// Input that would make a wrong table is refused or told.
func TestBadInput(t *testing.T) {
	good := made(t, map[string][][]float32{"ifca": {{1}, {1}}})
	change := func(do func(r *plan.Record)) []plan.Record {
		out := append([]plan.Record{}, good...)
		out[1].Lanes = append([]plan.Lane{}, out[1].Lanes...)
		do(&out[1])
		return out
	}
	same := append(change(func(r *plan.Record) { r.Fingerprint = "other" }), good[1])
	changed := append(change(func(r *plan.Record) { r.Lanes[0].Clusters++ }), good[1])
	for name, tt := range map[string]struct {
		source report.Source
		want   string
	}{
		"empty":   {report.Source{Name: "x"}, "x holds no results"},
		"damaged": {report.Source{Name: "x", Damaged: 2}, "2 records damaged"},
		"mixed versions": {report.Source{Name: "x", Records: change(func(r *plan.Record) { r.Version-- })},
			"version"},
		"differing results":            {report.Source{Name: "x", Records: same}, "two results of one cell differ"},
		"results with one fingerprint": {report.Source{Name: "x", Records: changed}, `has in lane "ifca" clusters `},
		"another plan": {report.Source{Name: "x", Plan: planOf(t, "query T=7"), Records: good},
			"none of the records belongs to the plan"},
		"all failed": {report.Source{Name: "x", Records: []plan.Record{{Cell: "1", Query: good[0].Query,
			Version: good[0].Version,
			Error:   "why"}}}, "none of 1 run succeeded"},
		"unreadable query": {report.Source{Name: "x",
			Records: change(func(r *plan.Record) { r.Query += "&nonsense=1" })}, "nonsense"},
	} {
		if _, err := report.New([]report.Source{tt.source}, catalog.Schema().Parse,
			nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
	failing := change(func(r *plan.Record) { r.Error, r.Lanes = "out of ink", nil })
	p := planOf(t, digits+"vary algos=ifca\nseeds 4")
	var notes []string
	notes = append(notes, study(t, report.Source{Name: "x", Plan: p, Records: failing, Damaged: 1}).Notes...)
	told := strings.Join(notes, "\n")
	for _, want := range []string{"1 record of x cannot be read",
		"2 runs of 4 are missing, the first: data=digits", "1 run failed", "out of ink"} {
		if !strings.Contains(told, want) {
			t.Errorf("the notes do not say %q:\n%s", want, told)
		}
	}
	diverged := change(func(r *plan.Record) { r.Lanes[0].Diverged = new(int) })
	if text := written(t, study(t, report.Source{Name: "x", Records: diverged}), report.Options{},
		report.Markdown); !strings.Contains(text, `1 \[1 of 2\]`) {
		t.Errorf("a run that diverged is left out silently:\n%s", text)
	}
	s := study(t, report.Source{Name: "x", Records: good})
	for _, o := range []report.Options{{Columns: "K"}, {Baseline: "nobody"}} {
		if _, err := s.Report(&o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// CSV and JSON have the numbers of the tables and every run.
func TestData(t *testing.T) {
	p := planOf(t, "query T=5&C=6\nvary K=2,3\nvary algos=ifca,clove,cflgp\nseeds 3\n")
	s := study(t, report.Source{Name: "a", Plan: p, Records: computed(t, p)})
	var out bytes.Buffer
	if err := s.WriteCSV(&out, &report.Options{}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+2*3*2 || rows[0][0] != "K" {
		t.Fatalf("%d rows, %v: %v", len(rows), err, rows)
	}
	best := 0
	for _, row := range rows[1:] {
		if row[10] == "1" {
			best++
		}
		if _, err := url.ParseQuery(row[11]); err != nil || row[4] != "3" {
			t.Errorf("row %v", row)
		}
	}
	if best < 4 {
		t.Errorf("%d entries are the best of theirs", best)
	}
	if err := s.WriteJSON(&out, &report.Options{}); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Entries []struct {
			Values []struct{ Query, Fingerprint string }
		}
		Tests []struct{ Pairs []struct{ P float64 } }
	}
	if err := json.Unmarshal(out.Bytes(),
		&back); err != nil || len(back.Entries) != 12 || len(back.Entries[0].Values) != 3 ||
		len(back.Tests) != 2 || len(back.Tests[0].Pairs) != 3 {
		t.Errorf("%v: %+v", err, back)
	}
	names := map[string]bool{}
	for _, picture := range s.Pictures(&report.Options{}) {
		names[picture.Name] = true
	}
	if !names["curves-ari-1.svg"] || !names["ranks-loss.svg"] {
		t.Errorf("the pictures are %v", names)
	}
}

// Methods are ranked in each table as in a report on that table alone, and in all of them.
func TestRanksOfEachTable(t *testing.T) {
	t.Parallel()
	const vary = "vary dphi=2,6\nvary algos=ifca,clove,cflgp\nseeds 3\n"
	p := planOf(t, "query T=5&C=6\nvary K=2,3\n"+vary)
	s := study(t, report.Source{Name: "a", Plan: p, Records: computed(t, p)})
	ari, _ := report.FindMeasure("ari")
	all := s.Compare(ari, report.BySeed, -1)
	tables := s.Ranked(ari, report.BySeed, 1, &all)
	if len(tables) != 2 || tables[0].Name != "K = 2" || tables[1].Name != "K = 3" ||
		slices.Equal(tables[0].Mean, tables[1].Mean) {
		t.Fatalf("ranked %+v", tables)
	}
	for i, k := range []string{"2", "3"} {
		p := planOf(t, "query T=5&C=6&K="+k+"\n"+vary)
		alone := study(t, report.Source{Name: "a", Plan: p, Records: computed(t, p)}).Compare(ari, report.BySeed, -1)
		if !reflect.DeepEqual(alone.Ranking, tables[i].Ranking) || alone.Critical != tables[i].Critical {
			t.Errorf("K = %s: ranked %+v in the table and %+v alone", k, tables[i], alone.Ranking)
		}
	}
	if text := written(t, s, report.Options{}, report.Markdown); !strings.Contains(text,
		"| method | mean rank | K = 2 | K = 3 |") {
		t.Errorf("the ranks of each table are missing:\n%s", text)
	}
	var out bytes.Buffer
	if err := s.WriteJSON(&out, &report.Options{}); err != nil ||
		strings.Count(out.String(), `"name": "K = `) != 4 {
		t.Errorf("JSON lacks them (%v):\n%s", err, out.String())
	}
}

// scored returns records of lanes with chosen values of ARI, a list of them for each.
func scored(t *testing.T, scores map[string][]float64) []plan.Record {
	t.Helper()
	var out []plan.Record
	for method, list := range scores {
		p := planOf(t, "query T=5&C=6&algos="+method+"\nseeds 20\n")
		for seed, v := range list {
			c, err := p.Cell(seed)
			if err != nil {
				t.Fatal(err)
			}
			r := c.Failed("made up")
			name := fmt.Sprint(method, seed)
			r.Error, r.Fingerprint = "", name
			r.Lanes = []plan.Lane{{Lane: method, Scores: plan.Scores{ARI: &v, Fingerprint: name}}}
			out = append(out, r)
		}
	}
	return out
}

func repeated(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }

// No word and no bold p says more than so few pairs can: the least p of n pairs is 2^(1−n).
func TestUndecided(t *testing.T) {
	ari, _ := report.FindMeasure("ari")
	o := report.Options{Measures: []*report.Measure{ari}}
	tenth, fifth := 0.1, 0.2 // of constants Go would know the exact sum
	sum := tenth + fifth
	for _, tt := range []struct {
		a, b []float64
		want string // the end of the row
	}{
		{repeated(1, 4), repeated(0, 4), "| 0.125 | 0.125 | exact, undecided |"},
		{repeated(1, 5), repeated(0, 5), "| 0.0625 | 0.0625 | exact, undecided |"},
		{repeated(1, 6), repeated(0, 6), "| 0.0312 | **0.0312** | exact |"},
		{append(repeated(1, 5), 0, 0, 0), repeated(0, 8), "| 0.0625 | 0.0625 | exact, undecided |"},
		{[]float64{sum, 0.3, 0.3}, []float64{0.3, sum, 0.3}, "| 1.00 | 1.00 | no difference, undecided |"},
		{[]float64{1, 1, 1, 1, 1, 0, 0}, []float64{0, 0, 0, 0, 0, 1, 1}, "| 0.453 | 0.453 | exact |"},
	} {
		s := study(t, report.Source{Name: "a", Records: scored(t, map[string][]float64{"ifca": tt.a, "clove": tt.b})})
		text := written(t, s, o, report.Markdown)
		if !strings.Contains(text, tt.want) {
			t.Errorf("%v against %v: the report does not say %q:\n%s", tt.a, tt.b, tt.want, text)
		}
		if got := strings.Contains(text, "so few pairs"); got != strings.Contains(tt.want, "undecided") {
			t.Errorf("%v against %v: that pairs are few is said: %v", tt.a, tt.b, got)
		}
	}
}

// Scores that only the order of a sum tells apart are both the best.
func TestBestUpToDust(t *testing.T) {
	tenth, fifth := 0.1, 0.2
	s := study(t, report.Source{Name: "a", Records: scored(t, map[string][]float64{"ifca": {tenth + fifth},
		"clove": {0.3}, "cfl": {0.2}})})
	ari, _ := report.FindMeasure("ari")
	text := written(t, s, report.Options{Measures: []*report.Measure{ari}}, report.Markdown)
	if got := strings.Count(text, "| **[0.3]("); got != 2 {
		t.Errorf("%d entries are the best, want 2:\n%s", got, text)
	}
	var out bytes.Buffer
	if err := s.WriteCSV(&out, &report.Options{Measures: []*report.Measure{ari}}); err != nil ||
		strings.Count(out.String(), ",1,data=") != 2 {
		t.Errorf("%v, in CSV:\n%s", err, out.String())
	}
}

// Three blocks with ties, in which the first is always the best: of 27 ways to order them
// 3 say as much, though χ² says 0.0498. Without ties 6 of 216 do, but no mean ranks are
// as far apart as three blocks ask for.
func TestRanksOfFewBlocks(t *testing.T) {
	ari, _ := report.FindMeasure("ari")
	for _, tt := range []struct {
		seeds  int
		others [2]float64
		want   []string
		bold   int
	}{
		{3, [2]float64{0, 0}, []string{"χ² = 6.0, p = 0.111 (exact).", "so who is better is undecided"}, 0},
		{3, [2]float64{0.5, 0}, []string{"p = 0.0278 (exact)."}, 2},
		{2, [2]float64{0.5, 0}, []string{"p = 0.167 (exact).", "undecided"}, 0},
		{20, [2]float64{0, 0}, []string{"p < 0.0001 (exact)."}, 1},
	} {
		s := study(t, report.Source{Name: "a", Records: scored(t, map[string][]float64{"ifca": repeated(1, tt.seeds),
			"clove": repeated(tt.others[0], tt.seeds), "cfl": repeated(tt.others[1], tt.seeds)})})
		text := written(t, s, report.Options{Measures: []*report.Measure{ari}}, report.Markdown)
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%d seeds: the report does not say %q:\n%s", tt.seeds, want, text)
			}
		}
		_, ranks, _ := strings.Cut(text, "| mean rank |")
		ranks, _, _ = strings.Cut(ranks, "Wilcoxon")
		if got := strings.Count(ranks, "| **"); got != tt.bold {
			t.Errorf("%d seeds, others %v: %d mean ranks are bold, want %d:\n%s", tt.seeds, tt.others, got, tt.bold, ranks)
		}
	}
}

// LaTeX that a document writes is within a small grammar: known commands, braces and
// environments that close, as many columns as the head says, no bare special character.
func TestLaTeX(t *testing.T) {
	p := planOf(t, digits+"vary K=2,3\nvary algos=ifca,fedavg,local\nseeds 3\n")
	s := study(t, report.Source{Name: "a", Plan: p, Records: computed(t, p)})
	for _, spread := range []report.Spread{report.SD, report.Quartiles} {
		text := written(t, s, report.Options{Title: `50% & more_{x} ~ #1 $ ^ \`, Runs: true, Spread: spread},
			report.LaTeX)
		for _, problem := range wrongLaTeX(text) {
			t.Error(problem)
		}
		if !strings.Contains(text, `\textbf{`) || !strings.Contains(text, `\toprule`) {
			t.Errorf("no booktabs or no bold:\n%s", text)
		}
	}
	for name, bad := range map[string]string{
		"brace":       "\\section*{a",
		"special":     "50 % of a_b",
		"columns":     "\\begin{tabular}{lr}\na & b & c \\\\\n\\end{tabular}",
		"command":     "\\fancy{a}",
		"environment": "\\begin{table}[htbp]\n\\end{tabular}",
		"letter":      "5 ± 3",
	} {
		if len(wrongLaTeX(bad)) == 0 {
			t.Errorf("the check passes a wrong %s: %s", name, bad)
		}
	}
}

var latexCommands = map[string]bool{"section*": true, "subsection*": true, "subsubsection*": true,
	"begin": true, "end": true, "centering": true,
	"caption": true, "toprule": true, "midrule": true, "bottomrule": true, "textbf": true, "href": true, "pm": true,
	"textbackslash": true, "textasciitilde": true, "textasciicircum": true, "times": true, "chi": true, "leq": true,
	"geq": true, "alpha": true, "sigma": true, "varphi": true, "Delta": true, "rho": true, "circ": true, "to": true, "cdot": true}

// wrongLaTeX lists what TeX would stumble over.
func wrongLaTeX(text string) (problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	var environments []string
	columns, depth, math := 0, 0, false
	command := regexp.MustCompile(`^\\([A-Za-z]+\*?|[^A-Za-z])`)
	for n, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "%") {
			continue
		}
		ampersands := 0
		for i := 0; i < len(line); {
			switch c := line[i]; {
			case c == '\\':
				m := command.FindString(line[i:])
				if len(m) > 2 && !latexCommands[m[1:]] || len(m) == 2 && !strings.Contains(`\&%$#_{}'`, m[1:]) {
					wrong("line %d: unknown command %s", n+1, m)
				}
				i += max(len(m), 1)
				continue
			case c == '{':
				depth++
			case c == '}':
				if depth--; depth < 0 {
					wrong("line %d: } without {", n+1)
				}
			case c == '$':
				math = !math
			case c == '&':
				ampersands++
			case c == '^' && !math, c == '%' || c == '#' || c == '~' || c == '_', c >= 0x80 || c < ' ' && c != '\t':
				wrong("line %d: a bare %q", n+1, c)
			}
			i++
		}
		if math || depth != 0 {
			wrong("line %d: not closed: %s", n+1, line)
		}
		if m := regexp.MustCompile(`^\\begin\{(\w+)\}(?:\{([lr]*)\})?`).FindStringSubmatch(line); m != nil {
			environments = append(environments, m[1])
			columns = len(m[2])
		}
		if m := regexp.MustCompile(`^\\end\{(\w+)\}`).FindStringSubmatch(line); m != nil {
			if len(environments) == 0 || environments[len(environments)-1] != m[1] {
				wrong("line %d: %s ends what has not begun", n+1, m[1])
			} else {
				environments = environments[:len(environments)-1]
			}
		}
		if strings.HasSuffix(line, `\\`) && ampersands+1 != columns {
			wrong("line %d: %d columns, want %d", n+1, ampersands+1, columns)
		}
	}
	if len(environments) > 0 {
		wrong("not ended: %v", environments)
	}
	return problems
}
