package ui

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
)

// Every case of what a lane's verdict and story can be.
func TestWords(t *testing.T) {
	at := func(round int) func(*App, *pretender) { return func(a *App, _ *pretender) { a.Seek(round) } }
	tests := []struct {
		name, query  string
		prepare      func(p *pretender)
		then         func(a *App, p *pretender)
		score, story string // of the first lane
	}{
		{name: "the start", query: "", score: "ARI 0.25 · 2 wrong", story: "The start. No client has been heard yet."},
		{name: "wrong", query: "", then: at(2), score: "ARI 0.25 · 2 wrong",
			story: "2 of 12 clients are in the wrong place. Nobody was given model B or C."},
		{name: "settled", query: "", then: at(3), score: "ARI 1.00 · 0 wrong",
			story: "All 12 clients are in the right place, since round 3 and for good."},
		{name: "right for now", query: "", prepare: func(p *pretender) {
			p.conclude = func(_ *trace.Header, _ int, s *trace.Summary) { s.Settled = 90 }
		}, then: at(50), score: "ARI 1.00 · 0 wrong", story: "All 12 clients are in the right place, but not for long."},
		{name: "right at last, by luck", query: "", prepare: func(p *pretender) {
			p.conclude = func(_ *trace.Header, _ int, s *trace.Summary) { s.Settled = 199 }
		}, then: at(200), score: "ARI 1.00 · 0 wrong", story: "All 12 clients are in the right place."},
		{name: "many idle", query: "K=8&D=2", then: at(2), score: "ARI 0.25 · 2 wrong",
			story: "2 of 12 clients are in the wrong place. Nobody was given model B or C or D."},
		{name: "no evidence", query: "", prepare: func(p *pretender) {
			p.paint = func(_ *trace.Header, _ int, f *trace.Frame) {
				if f.Round < 2 {
					f.XY = nil
				}
			}
		}, then: at(1), score: "ARI 0.25 · 2 wrong", story: "No evidence yet: the labels are as they were at the start."},
		{name: "one group", query: "D=1", then: at(7), score: "ARI 1.00 · 0 wrong", story: "There is one group only; one model can serve everybody."},
		{name: "one model", query: "algos=fedavg", prepare: wrong, then: at(8), score: "ARI 0.00 · 8 wrong",
			story: "One model for 3 groups: error 0.100, best possible 0.040."},
		{name: "alone", query: "algos=local", prepare: wrong, then: at(8), score: "ARI 0.00 · 8 wrong",
			story: "Everybody learns alone: error 0.100, best possible 0.040."},
		{name: "no truth", query: "algos=clove", prepare: func(p *pretender) { p.unknown = true }, then: at(8),
			score: "0 models in use", story: "0 models in use: error 0.100."},
		{name: "no truth, one model", query: "algos=clove", prepare: func(p *pretender) {
			p.unknown = true
			p.paint = func(_ *trace.Header, _ int, f *trace.Frame) { f.Clusters = 1 }
		}, then: at(8), score: "1 model in use", story: "1 model in use: error 0.100."},
		{name: "diverged", query: "", prepare: func(p *pretender) {
			diverge(p)
			p.conclude = func(_ *trace.Header, _ int, s *trace.Summary) {
				s.Diverged, s.Cause = 4, "learning rate 9 is above 0.8"
			}
		}, then: at(6), score: "diverged", story: "Learning rate 9 is above 0.8."},
		{name: "diverged, cause unknown", query: "", prepare: diverge, then: at(6), score: "diverged",
			story: "The models blew up. Try a smaller learning rate."},
	}
	for _, tt := range tests {
		a, p := open(t, tt.query)
		if tt.prepare != nil {
			tt.prepare(p)
		}
		if a.Score(0) != "" || a.Story(0) != "Nothing computed yet." || a.Cost(0) != "" {
			t.Errorf("%s: without a run the page says %q, %q", tt.name, a.Score(0), a.Story(0))
		}
		p.finish()
		if tt.then != nil {
			tt.then(a, p)
		}
		if got := a.Score(0); got != tt.score {
			t.Errorf("%s: Score = %q, want %q", tt.name, got, tt.score)
		}
		if got := a.Story(0); got != tt.story {
			t.Errorf("%s: Story = %q, want %q", tt.name, got, tt.story)
		}
	}
}

func wrong(p *pretender) {
	p.paint = func(_ *trace.Header, _ int, f *trace.Frame) { f.ARI, f.Misplaced, f.Clusters = 0, 8, 1 }
}

func diverge(p *pretender) {
	p.paint = func(_ *trace.Header, _ int, f *trace.Frame) {
		if f.Round > 4 {
			f.Events = trace.Diverged
		}
	}
}

// While a run is under way nobody knows yet what will last.
func TestNoProphecies(t *testing.T) {
	a, p := open(t, "C=1000")
	p.rounds(p.last(), -1, 20)
	a.Seek(20)
	if got := a.Story(0); !strings.HasPrefix(got, "All 1000 clients are in the right place") || strings.Contains(got, "not for long") || strings.Contains(got, "for good") {
		t.Errorf("at round 20 of 200, with 20 computed, the page says %q", got)
	}
}

func TestCost(t *testing.T) {
	a, _ := ready(t, "")
	a.Seek(8)
	if got := a.Cost(0); got != "48 down · 32 up" {
		t.Errorf("Cost = %q", got)
	}
}

func TestCard(t *testing.T) {
	a, p := ready(t, "algos=cflgp,fedavg,local,clove:b&clove:b.K=6")
	if got := a.Card(); got.Head != "" || len(got.Rows) != 0 {
		t.Errorf("with nobody in the light the card says %+v", got)
	}
	a.Seek(12)
	a.Point(4)
	want := Card{"Client 5, group 2 (square)", []string{
		"CFL-GP: model B since round 3; losses A 0.250, B 0.300, C 0.350",
		"FedAvg: model A since round 0; losses A 0.250",
		"Local only: its own model, loss 0.250",
		"CLoVE · b: model B since round 3; losses A 0.250, B 0.300, C 0.350, D 0.400, …",
	}}
	if got := a.Card(); got.Head != want.Head || !slices.Equal(got.Rows, want.Rows) {
		t.Errorf("the card says\n%q\n%q, want\n%q\n%q", got.Head, got.Rows, want.Head, want.Rows)
	}
	// The pointer goes before the choice; without it the choice is shown.
	a.Select(0)
	if a.Subject() != 4 {
		t.Errorf("Subject = %d, want the one pointed at", a.Subject())
	}
	a.Point(-1)
	if a.Subject() != 0 || !strings.HasPrefix(a.Card().Head, "Client 1, group 1 (circle)") {
		t.Errorf("Subject = %d, %q", a.Subject(), a.Card().Head)
	}
	a.Select(0)
	if a.Subject() != -1 {
		t.Error("selecting again does not let go")
	}
	p.unknown = true
	set(t, a, "dphi", "5")
	p.finish()
	a.Point(4)
	if got := a.Card().Head; got != "Client 5" {
		t.Errorf("without groups the card says %q", got)
	}
}

func TestFingerprintWords(t *testing.T) {
	a, p := open(t, "T=5")
	if a.FingerprintWords() != "Result …" {
		t.Errorf("without a run: %q", a.FingerprintWords())
	}
	p.rounds(p.last(), -1, 5)
	if a.FingerprintWords() != "Result …" {
		t.Errorf("before the end: %q", a.FingerprintWords())
	}
	p.end(p.last())
	words := a.FingerprintWords()
	if len(words) != len("Result 0123-4567") || words != "Result "+a.Fingerprint() {
		t.Errorf("at the end: %q", words)
	}
	set(t, a, "dphi", "5")
	p.finish()
	if a.FingerprintWords() == words {
		t.Error("another run has the same fingerprint")
	}
}

// Without an answer to compare with there is no ARI, anywhere.
func TestNoAnswer(t *testing.T) {
	a, p := open(t, "curve=misplaced")
	p.unknown = true
	p.finish()
	a.Seek(9)
	html := page(t, a)
	for _, word := range []string{"ARI 0", "misplaced", "wrong place", " wrong<"} {
		if strings.Contains(html, word) {
			t.Errorf("without groups the page says %q", word)
		}
	}
	if !strings.Contains(html, "no right or wrong, and no ARI") || !a.NoAnswer() {
		t.Error("the page does not say that nobody knows the groups")
	}
	p.unknown = false
	set(t, a, "dphi", "5")
	p.finish()
	if metricWords(a.Shows()) != "misplaced" {
		t.Errorf("with groups again, the curves show %s, want what was chosen", metricWords(a.Shows()))
	}
}
