package page_test

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/ui/chart/progress"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// A lane's verdict and score as the page puts them together; package verdict tests the words.
func TestWords(t *testing.T) {
	at := func(round int) func(a *pagetest.Page) { return func(a *pagetest.Page) { a.Do(Seek{Round: round}) } }
	for _, tt := range []struct {
		name, query string
		then        func(a *pagetest.Page)
		kind        verdict.Kind
		story       string // how it begins
	}{
		{"the start", "t=0", at(0), verdict.Start, "No evidence yet"},
		{"shared", "dphi=8", at(2), verdict.Shared, "All three groups share one model. No client has B or C. The server "},
		{"right", "dphi=8", at(3), verdict.Right, "All 12 right, since round 3."},
		{"one model", "algos=fedavg", at(8), verdict.None, "Does not cluster"},
		{"alone", "algos=local", at(8), verdict.None, "Does not cluster"},
	} {
		a, p := open(t, tt.query)
		if a.Score(0) != "" || a.Story(0) != "Nothing computed yet." || a.Cost(0) != "" {
			t.Errorf("%s: without a run the page says %q, %q", tt.name, a.Score(0), a.Story(0))
		}
		p.Finish()
		tt.then(a)
		if got := a.Judged(0).Kind; got != tt.kind {
			t.Errorf("%s: kind %v, want %v", tt.name, got, tt.kind)
		}
		if got := a.Story(0); !strings.HasPrefix(got, tt.story) {
			t.Errorf("%s: Story = %q, want %q", tt.name, got, tt.story)
		}
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
	if got := a.MoreMetrics(); !slices.Equal(got, []progress.Metric{progress.Clusters, progress.Worst, progress.Weakest,
		progress.Computation}) {
		t.Errorf("without groups the curves can also show %v", got)
	}
	p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) { f.Computed = 0 }
	set(t, a, "sd", "3")
	p.Finish()
	if slices.Contains(a.Metrics(), progress.Computation) {
		t.Error("the curves of a run of an older program offer its computation")
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
		"lane,round,ari,misplaced,loss,accuracy,clusters,up,down,computed,val,test\n") {
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
