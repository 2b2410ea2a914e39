package page_test

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/chart/progress"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// Every case of a lane's verdict and story.
func TestWords(t *testing.T) {
	at := func(round int) func(*pagetest.Page, *pagetest.Engines) {
		return func(a *pagetest.Page, _ *pagetest.Engines) { a.Do(Seek{Round: round}) }
	}
	tests := []struct {
		name, query  string
		prepare      func(p *pagetest.Engines)
		then         func(a *pagetest.Page, p *pagetest.Engines)
		score, story string // of the first lane
	}{
		{name: "the start", query: "", score: "", story: "The start. No client has replied yet."},
		{name: "the start, tried", query: "data=digits&algos=cflgp", score: "73%",
			story: "The start. No client has replied yet."},
		{name: "wrong", query: "", then: at(2), score: "ARI 0.25 · 2 wrong",
			story: "2 of 12 clients are in the wrong place. No client has model B or C."},
		{name: "settled", query: "", then: at(3), score: "ARI 1.00 · 0 wrong",
			story: "All 12 clients are in the right place, from round 3 to the end."},
		{name: "right for now", query: "", prepare: func(p *pagetest.Engines) {
			p.EditSummary = func(_ *trace.Header, _ int, s *trace.Summary) { s.Settled = 90 }
		}, then: at(50), score: "ARI 1.00 · 0 wrong",
			story: "All 12 clients are in the right place, but not until the end."},
		{name: "right at last, by luck", query: "", prepare: func(p *pagetest.Engines) {
			p.EditSummary = func(_ *trace.Header, _ int, s *trace.Summary) { s.Settled = 199 }
		}, then: at(200), score: "ARI 1.00 · 0 wrong", story: "All 12 clients are in the right place."},
		{name: "many idle", query: "K=8&D=2", then: at(2), score: "ARI 0.25 · 2 wrong",
			story: "2 of 12 clients are in the wrong place. 7 of the 8 models have no clients."},
		{name: "no evidence", query: "", prepare: func(p *pagetest.Engines) {
			p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) {
				if f.Round < 2 {
					f.XY = nil
				}
			}
		}, then: at(1), score: "ARI 0.25 · 2 wrong", story: "No evidence yet: the labels are the initial ones."},
		{name: "one group", query: "D=1", then: at(7), score: "ARI 1.00 · 0 wrong", story: "There is only one group: one model can serve all clients."},
		{name: "one model", query: "algos=fedavg", prepare: wrong, then: at(8), score: "ARI 0.00 · 8 wrong",
			story: "One model for 3 groups: error 0.100, noise floor 0.040."},
		{name: "alone", query: "algos=local", prepare: wrong, then: at(8), score: "no clusters",
			story: "Each client has a model of its own: error 0.100, noise floor 0.040."},
		{name: "personal", query: "algos=fedpac", prepare: wrong, then: at(8), score: "no clusters",
			story: "Each client has a model of its own: error 0.100, noise floor 0.040."},
		{name: "adapted", query: "algos=fedala", prepare: wrong, then: at(8), score: "no clusters",
			story: "One model, adapted by each client: error 0.100, noise floor 0.040."},
		{name: "alone, no truth", query: "algos=local", prepare: func(p *pagetest.Engines) { p.NoTruth = true }, then: at(8), score: "no clusters",
			story: "Each client has a model of its own: error 0.100."},
		{name: "no truth", query: "algos=clove", prepare: func(p *pagetest.Engines) { p.NoTruth = true }, then: at(8),
			score: "0 models in use", story: "0 models in use: error 0.100."},
		{name: "no truth, one model", query: "algos=clove", prepare: func(p *pagetest.Engines) {
			p.NoTruth = true
			p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) { f.Clusters = 1 }
		}, then: at(8), score: "1 model in use", story: "1 model in use: error 0.100."},
		{name: "tried", query: "data=digits&algos=cflgp", then: at(5), score: "ARI 1.00 · 73%",
			story: "All 16 clients are in the right place, from round 3 to the end. Mean accuracy 73%."},
		{name: "tried some rounds ago", query: "data=digits&algos=cflgp", then: at(7), score: "ARI 1.00 · 73%",
			story: "All 16 clients are in the right place, from round 3 to the end. Mean accuracy 73% when last evaluated."},
		{name: "tried, wrong", query: "data=digits&algos=cflgp", then: at(2), score: "ARI 0.25 · 2 wrong · 73%",
			story: "2 of 16 clients are in the wrong place. No client has model B or C or D. Mean accuracy 73% when last evaluated."},
		{name: "some heard", query: "C=6", prepare: func(p *pagetest.Engines) {
			p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) {
				if f.Round > 0 {
					f.Events |= trace.Partial
					f.State = []trace.State{trace.Absent, trace.Present, trace.Present, trace.Absent, trace.Absent,
						trace.Absent}
					f.State[3+f.Round%2] = trace.Present
				}
			}
		}, then: at(5), score: "ARI 1.00 · 0 wrong",
			story: "All 4 clients that have replied so far are in the right place, from round 3 to the end."},
		{name: "fewer models than groups", query: "K=2&C=12", prepare: func(p *pagetest.Engines) {
			p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) { f.ARI, f.Misplaced, f.Clusters = 0.5, 5, 2 }
		}, then: at(8), score: "ARI 0.50 · 5 wrong",
			story: "5 of 12 clients are in the wrong place. With 2 models for 3 groups, at least 4 clients must be misplaced."},
		{name: "clusters to be found", query: "K=3&C=40&algos=cfl", prepare: func(p *pagetest.Engines) {
			p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) { f.ARI, f.Misplaced, f.Clusters = 0.5, 5, 2 }
		}, then: at(8), score: "ARI 0.50 · 5 wrong",
			story: "5 of 40 clients are in the wrong place. There are 2 clusters."},
		{name: "one cluster found, of models too few", query: "C=12&algos=cfl&most=2", prepare: wrong, then: at(8), score: "ARI 0.00 · 8 wrong",
			story: "8 of 12 clients are in the wrong place. There is 1 cluster."},
		{name: "one cluster looked for and found", query: "C=12&algos=cflgp&findk=gap", prepare: func(p *pagetest.Engines) {
			wrong(p)
			paint := p.EditFrame
			p.EditFrame = func(h *trace.Header, lane int, f *trace.Frame) {
				paint(h, lane, f)
				if f.Round == 22 {
					f.Spectrum, f.Directions = []float32{3, 1}, 1
				}
			}
		}, then: at(24), score: "ARI 0.00 · 8 wrong",
			story: "8 of 12 clients are in the wrong place. The method found K = 1: one model for all clients, as in FedAvg."},
		{name: "not looked for yet", query: "C=12&algos=cflgp&findk=gap", prepare: wrong, then: at(8), score: "ARI 0.00 · 8 wrong",
			story: "8 of 12 clients are in the wrong place. There is 1 cluster."},
		{name: "all models have weight", query: "C=12&algos=fedsoft", prepare: func(p *pagetest.Engines) {
			p.EditFrame = func(h *trace.Header, _ int, f *trace.Frame) {
				clear(f.Label)
				f.ARI, f.Misplaced, f.Clusters, f.Events = 0, 8, 1, f.Events|trace.Soft
				for range h.Clients {
					f.Mixture = append(f.Mixture, 0.8, 0.2, 0) // of three models
				}
			}
		}, then: at(8), score: "ARI 0.00 · 8 wrong", story: "8 of 12 clients are in the wrong place. No client has model C."},
		{name: "one wrong", query: "C=8", prepare: func(p *pagetest.Engines) {
			p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) { f.ARI, f.Misplaced, f.Clusters = 0.5, 1, 3 }
		}, then: at(8), score: "ARI 0.50 · 1 wrong", story: "1 of 8 clients is in the wrong place."},
		{name: "two clients", query: "C=2&D=2&K=2", prepare: func(p *pagetest.Engines) {
			p.EditSummary = func(_ *trace.Header, _ int, s *trace.Summary) { s.Settled = 90 }
		}, then: at(8), score: "ARI 1.00 · 0 wrong", story: "Both clients are in the right place, but not until the end."},
		{name: "one heard", query: "C=6", prepare: func(p *pagetest.Engines) {
			p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) {
				if f.Round > 0 {
					f.Events |= trace.Partial
					f.State = []trace.State{trace.Present, trace.Absent, trace.Absent, trace.Absent, trace.Absent,
						trace.Absent}
				}
			}
		}, then: at(5), score: "ARI 1.00 · 0 wrong",
			story: "The only client that has replied so far is in the right place, from round 3 to the end."},
		{name: "tried, one model", query: "data=digits&algos=fedavg", prepare: wrong, then: at(10), score: "ARI 0.00 · 8 wrong · 73%",
			story: "One model for 4 groups: accuracy 73%."},
		{name: "tried, alone", query: "data=digits&algos=local", prepare: wrong, then: at(10), score: "no clusters · 73%",
			story: "Each client has a model of its own: accuracy 73%."},
		{name: "tried, no truth", query: "data=digits&algos=clove", prepare: func(p *pagetest.Engines) { p.NoTruth = true }, then: at(10),
			score: "0 models in use · 73%", story: "0 models in use: accuracy 73%."},
		{name: "diverged", query: "", prepare: func(p *pagetest.Engines) {
			p.Diverge()
			p.EditSummary = func(_ *trace.Header, _ int, s *trace.Summary) {
				s.Diverged, s.Cause = 4, "learning rate 9 is above 0.8"
			}
		}, then: at(6), score: "diverged", story: "Learning rate 9 is above 0.8."},
		{name: "diverged, cause unknown", query: "", prepare: (*pagetest.Engines).Diverge, then: at(6), score: "diverged",
			story: "The models diverged. Try a smaller learning rate."},
	}
	for _, tt := range tests {
		a, p := open(t, tt.query)
		if tt.prepare != nil {
			tt.prepare(p)
		}
		if a.Score(0) != "" || a.Story(0) != "Nothing computed yet." || a.Cost(0) != "" {
			t.Errorf("%s: without a run the page says %q, %q", tt.name, a.Score(0), a.Story(0))
		}
		p.Finish()
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

func wrong(p *pagetest.Engines) {
	p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) { f.ARI, f.Misplaced, f.Clusters = 0, 8, 1 }
}

// An incomplete run has no verdict about the future.
func TestIncompleteRunWords(t *testing.T) {
	a, p := open(t, "C=1000")
	p.Rounds(p.Last(), -1, 20)
	a.Do(Seek{Round: 20})
	if got := a.Story(0); !strings.HasPrefix(got, "All 1000 clients are in the right place") ||
		strings.Contains(got, "not for long") || strings.Contains(got, "for good") {
		t.Errorf("at round 20 of 200, with 20 computed, the page says %q", got)
	}
}

func TestCost(t *testing.T) {
	a, _ := ready(t, "")
	a.Do(Seek{Round: 8})
	if got := a.Cost(0); got != "48 down · 32 up" {
		t.Errorf("Cost = %q", got)
	}
}

func TestCard(t *testing.T) {
	a, p := ready(t, "algos=cflgp,fedavg,local,clove:b&clove:b.K=6")
	if got := a.Card(); got.Head != "" || len(got.Rows) != 0 {
		t.Errorf("with nobody in focus the card says %+v", got)
	}
	a.Do(Seek{Round: 12})
	a.Do(HoverClient{Client: 4})
	want := Card{"Client 5, group 2 (square)", []string{
		"CFL-GP: model B since round 3; losses A 0.250, B 0.300, C 0.350",
		"FedAvg: model A since round 0; losses A 0.250",
		"Local only: its own model, loss 0.250",
		"CLoVE · b: model B since round 3; losses A 0.250, B 0.300, C 0.350, D 0.400, …",
	}}
	if got := a.Card(); got.Head != want.Head || !slices.Equal(got.Rows, want.Rows) {
		t.Errorf("the card says\n%q\n%q, want\n%q\n%q", got.Head, got.Rows, want.Head, want.Rows)
	}
	// The client under the pointer takes precedence over the selected one.
	a.Do(SelectClient{Client: 0})
	if a.FocusedClient() != 4 {
		t.Errorf("Subject = %d, want the one pointed at", a.FocusedClient())
	}
	a.Do(HoverClient{Client: -1})
	if a.FocusedClient() != 0 || !strings.HasPrefix(a.Card().Head, "Client 1, group 1 (circle)") {
		t.Errorf("Subject = %d, %q", a.FocusedClient(), a.Card().Head)
	}
	a.Do(SelectClient{Client: 0})
	if a.FocusedClient() != -1 {
		t.Error("selecting again does not let go")
	}
	p.NoTruth = true
	set(t, a, "dphi", "5")
	p.Finish()
	a.Do(HoverClient{Client: 4})
	if got := a.Card().Head; got != "Client 5" {
		t.Errorf("without groups the card says %q", got)
	}
}

func TestFingerprintWords(t *testing.T) {
	a, p := open(t, "T=5")
	if a.FingerprintWords() != "Result …" {
		t.Errorf("without a run: %q", a.FingerprintWords())
	}
	p.Rounds(p.Last(), -1, 5)
	if a.FingerprintWords() != "Result …" {
		t.Errorf("before the end: %q", a.FingerprintWords())
	}
	p.End(p.Last())
	words := a.FingerprintWords()
	if len(words) != len("Result 0123-4567") || words != "Result "+a.Fingerprint() {
		t.Errorf("at the end: %q", words)
	}
	set(t, a, "dphi", "5")
	p.Finish()
	if a.FingerprintWords() == words {
		t.Error("another run has the same fingerprint")
	}
}

// For evaluated classifiers the card has the accuracy of the client's model, and not its losses,
// which may be older.
func TestCardOfPictures(t *testing.T) {
	a, _ := ready(t, "data=digits&algos=cflgp,local")
	a.Do(Seek{Round: 7})
	a.Do(HoverClient{Client: 0})
	want := Card{"Client 1, group 1 (circle): 0°",
		[]string{"CFL-GP: model A since round 0, accuracy 50% in round 5",
			"Local only: its own model, accuracy 50% in round 5"}}
	if got := a.Card(); got.Head != want.Head || !slices.Equal(got.Rows, want.Rows) {
		t.Errorf("Card = %+v, want %+v", got, want)
	}
	a.Do(Seek{Round: 4})
	a.Do(HoverClient{Client: 15})
	if got := a.Card().Rows[0]; got != "CFL-GP: model D since round 3, accuracy 75% in round 0 with model A" {
		t.Errorf("of a client that has moved the card says %q", got)
	}
	a.Do(Seek{Round: 7})
	a.Do(HoverClient{Client: 0})
	if got := a.Describe("answers", 0); !strings.Contains(got, "evaluated after round 5") ||
		!strings.Contains(got, "client 1's model A is correct on 50%") {
		t.Errorf("Describe(answers) = %q", got)
	}
	if got := a.Describe("data", 0); !strings.Contains(got,
		"16 clients with images of 2 × 1 pixels in 3 classes, in 4 groups") || !strings.Contains(got, "labels its images cat and dog") {
		t.Errorf("Describe(data) = %q", got)
	}
	if got := a.Describe("curves", 0); !strings.Contains(got,
		"Accuracy over 60 rounds; at round 7, last evaluated after round 5: CFL-GP 73%") {
		t.Errorf("Describe(curves) = %q", got)
	}
}

// Curves show the accuracy of classifiers until the user selects another metric.
func TestShows(t *testing.T) {
	a, p := ready(t, "data=digits")
	if got := a.ShownMetric(); got != progress.Accuracy {
		t.Errorf("of pictures the curves show %v", got)
	}
	set(t, a, "data", "linreg")
	p.Finish()
	if got := a.ShownMetric(); got != progress.ARI {
		t.Errorf("of lines the curves show %v", got)
	}
	a, p = ready(t, "data=digits&curve=ari")
	if got := a.ShownMetric(); got != progress.ARI || !strings.Contains(a.Query(), "&curve=ari") {
		t.Errorf("asked for ARI the curves show %v, the link is %q", got, a.Query())
	}
	p.NoTruth = true
	set(t, a, "sd", "2")
	p.Finish()
	if got := a.Metrics(); !slices.Equal(got, []progress.Metric{progress.Accuracy, progress.Loss, progress.Cost}) ||
		a.ShownMetric() != progress.Accuracy {
		t.Errorf("without groups the curves can show %v and show %v", got, a.ShownMetric())
	}
	if got := a.MoreMetrics(); !slices.Equal(got, []progress.Metric{progress.Worst, progress.Weakest}) {
		t.Errorf("without groups the curves can also show %v", got)
	}
	// The others need groups and a clock.
	for _, m := range []progress.Metric{progress.Weakest, progress.Purity, progress.Time} {
		if a.Do(ShowMetric{Metric: m}); (a.ShownMetric() == m) != (m == progress.Weakest) {
			t.Errorf("asked for %v the curves show %v", m, a.ShownMetric())
		}
	}
	a, p = ready(t, "data=digits&guests=100&curve=test")
	if got := a.MoreMetrics(); !slices.Contains(got, progress.Val) || !slices.Contains(got, progress.Test) ||
		a.ShownMetric() != progress.Test {
		t.Errorf("where test clients come the curves can also show %v and show %v", got, a.ShownMetric())
	}
	p.Finish()
	if got := string(given(t, a, "csv").Data); !strings.HasPrefix(got,
		"lane,round,ari,misplaced,loss,accuracy,clusters,up,down,val,test\n") {
		t.Errorf("where test clients come the numbers begin with %.70q", got)
	}
	if got := string(given(t, a, "json").Data); !strings.Contains(got, `,"val":`) ||
		!strings.Contains(got, `,"test":`) {
		t.Error("where test clients come the JSON has no Val and no Test")
	}
}

// Capitalize changes the first letter, also in other scripts.
func TestCapitalize(t *testing.T) {
	for text, want := range map[string]string{"": "", "all of them": "All of them", "é": "É", "梯度": "梯度"} {
		if got := Capitalize(text); got != want {
			t.Errorf("capital(%q) = %q, want %q", text, got, want)
		}
	}
}
