package book_test

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/cmd/flock/book"
)

// Every sweep that is not said to be impossible has a plan whose points all go together
// and which the engine would run.
func TestPlans(t *testing.T) {
	all, err := book.All()
	if err != nil {
		t.Fatal(err)
	}
	papers, impossible := 0, 0
	for _, s := range all {
		if s.IsPaper() {
			papers++
			if s.Source == "" {
				t.Errorf("%s has no source", s.Name)
			}
		}
		if len(s.Cannot) > 0 {
			impossible++
			if _, _, err := s.Plan(false); err == nil || !strings.Contains(err.Error(), s.Cannot[0]) {
				t.Errorf("%s: got %v, want why it cannot be run", s.Name, err)
			}
			continue
		}
		for _, reduced := range []bool{false, true} {
			p, labels, err := s.Plan(reduced)
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
			if p.Seeds != map[bool]int{false: s.Seeds, true: s.Reduced}[reduced] {
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
	if papers < 30 || impossible == papers {
		t.Errorf("there are %d sweeps of papers, %d of them impossible", papers, impossible)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":       {"", "needs a title"},
		"no query":      {"title T", "needs a title, and a query"},
		"unknown line":  {"title T\nquery T=5\ncolour red", `no lines that begin with "colour"`},
		"half a number": {"title T\nquery T=5\npaper a | b", "got 2 parts, want 5"},
		"measure":       {"title T\nquery T=5\nmeasure beauty", "beauty"},
		"claim":         {"title T\nquery T=5\nclaim perhaps | * | a > b | ari | x", "want holds"},
		"claim's sign":  {"title T\nquery T=5\nclaim holds | * | a < b | ari | x", "want A > B"},
		"no reason":     {"title T\nquery T=5\nclaim fails | * | a > b | ari | x", "WHY"},
	} {
		if _, err := book.Read("x", tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
	s, err := book.Read("x", "title T\nquery T=5\nrow a | dphi=5\nrow b | K=3")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Plan(false); err == nil || !strings.Contains(err.Error(), "they need one key") {
		t.Errorf("rows of two keys: %v", err)
	}
	if _, err := book.Find("nothing"); err == nil {
		t.Error("a sweep that is not there is found")
	}
}
