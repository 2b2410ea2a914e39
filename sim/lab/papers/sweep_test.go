package papers_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
)

// Every sweep that is not said to be impossible has a plan whose points all go together
// and which the engine would run.
func TestPlans(t *testing.T) {
	all, err := papers.All()
	if err != nil {
		t.Fatal(err)
	}
	number, impossible := 0, 0
	for _, s := range all {
		if s.IsPaper() {
			number++
			if s.Source == "" {
				t.Errorf("%s has no source", s.Name)
			}
		}
		if len(s.Cannot) > 0 {
			impossible++
			if _, _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), s.Cannot[0]) {
				t.Errorf("%s: got %v, want why it cannot be run", s.Name, err)
			}
			continue
		}
		for _, s := range []*papers.Sweep{s, s.Small()} {
			p, labels, err := s.Plan()
			if err != nil {
				t.Error(err)
				continue
			}
			for point := range p.Points() {
				c, err := p.Point(point)
				if err == nil {
					err = catalog.Check(c, nil)
				}
				if err != nil {
					t.Errorf("%s: %s: %v", s.Name, p.Name(point), err)
				}
			}
			if p.Seeds != s.Seeds {
				t.Errorf("%s has %d seeds", s.Name, p.Seeds)
			}
			for _, what := range s.Unknown(p, labels) {
				t.Errorf("%s: nothing is called %s", s.Name, what)
			}
			for key, names := range labels {
				if len(names) == 0 {
					t.Errorf("%s: the rows of %s have no names", s.Name, key)
				}
			}
		}
	}
	if number < 30 || impossible == number {
		t.Errorf("there are %d sweeps of papers, %d of them impossible", number, impossible)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":       {"", "needs a title"},
		"no query":      {"title T", "needs a title, and a query"},
		"unknown line":  {"title T\nquery T=5\ncolour red", `no lines that begin with "colour"`},
		"half a number": {"title T\nquery T=5\npaper a | b", "got 2 parts, want 5"},
		"measure":       {"title T\nquery T=5\nmeasure beauty", "beauty"},
		"claim":         {"title T\nquery T=5\nclaim holds | * | a > b | ari | x | y", "want ROW"},
		"claim's sign":  {"title T\nquery T=5\nclaim * | a < b | ari | x", "want A > B"},
		"factor":        {"title T\nquery T=5\nsmaller 1 | as large", "above 1"},
		"protocol":      {"title T\nquery T=5\nprotocol ifca | many rounds | x", "as in a query"},
	} {
		if _, err := papers.Read("x", tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
	s, err := papers.Read("x", "title T\nquery T=5\nrow a | dphi=5\nrow b | K=3")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), "they need one key") {
		t.Errorf("rows of two keys: %v", err)
	}
	if _, err := papers.Find("nothing"); err == nil {
		t.Error("a sweep that is not there is found")
	}
}

// The verdict on a claim is a word that its p-value can bear: exactly 2^(1−n) for n pairs
// of one sign.
func TestVerdicts(t *testing.T) {
	draft, err := plan.ParseDraft("query T=5&C=6\nvary algos=ifca,clove\nseeds 20\n")
	if err != nil {
		t.Fatal(err)
	}
	p, err := draft.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	tenth, fifth := 0.1, 0.2
	ones := func(n int) []float64 { return slices.Repeat([]float64{1}, n) }
	for _, tt := range []struct {
		claim string
		ifca  []float64 // ARI; that of CLoVE is 0.3
		want  string
		p     string
	}{
		{"ifca > clove", nil, "no runs", "–"},
		{"ifca > clove", ones(2), "undecided", "0.500"},
		{"ifca > clove", ones(5), "undecided", "0.0625"},
		{"clove > ifca", ones(5), "undecided", "0.0625"},
		{"ifca > 0.95", ones(5), "undecided", "0.0625"},
		{"ifca > clove", ones(6), "holds", "0.0312"},
		{"ifca > 0.95", ones(8), "holds", "0.00781"},
		{"clove > ifca", ones(6), "**does not hold**", "0.0312"},
		{"ifca > clove", append(ones(5), 0.3, 0.3, tenth+fifth), "undecided", "0.0625"},
		{"ifca > clove", []float64{1, 1, 1, 1, 0, 0, 0, 0}, "holds, not significant", "0.281"},
		{"clove > ifca", []float64{1, 1, 1, 1, 0, 0, 0, 0}, "does not hold, not significant", "0.281"},
	} {
		var records []plan.Record
		for n := range p.Cells() {
			c, err := p.Cell(n)
			if err != nil {
				t.Fatal(err)
			}
			_, seed := p.Split(n)
			method, ari := c.Config.Lanes()[0].ID(), 0.3
			if method == "ifca" {
				if seed >= len(tt.ifca) {
					continue
				}
				ari = tt.ifca[seed]
			}
			r := c.Failed("made up")
			r.Error, r.Fingerprint = "", c.ID
			r.Lanes = []plan.Lane{{Lane: method, Scores: plan.Scores{ARI: &ari, Fingerprint: c.ID}}}
			records = append(records, r)
		}
		study, err := report.New([]report.Source{{Name: "a", Plan: p, Records: records}}, catalog.Schema().Parse, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := papers.Read("a", "title T\nquery T=5\nclaim * | "+tt.claim+" | ari | here\n")
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Report(study, report.Options{}, "Made by a test.")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := d.Write(&out, report.Markdown, ""); err != nil {
			t.Fatal(err)
		}
		row := regexp.MustCompile(`\| \\\* \| ` + tt.claim + ` .*`).FindString(out.String())
		if !strings.Contains(row, " | "+tt.want+" | here |") || !strings.Contains(row, tt.p) {
			t.Errorf("%s of %v: want %s with p = %s, the row is\n%s", tt.claim, tt.ifca, tt.want, tt.p, row)
		}
	}
}
