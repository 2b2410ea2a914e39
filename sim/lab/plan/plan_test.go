package plan_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/version"
)

func read(t testing.TB, text string) (*plan.Plan, error) {
	t.Helper()
	d, err := plan.ParseDraft(text)
	if err != nil {
		return nil, err
	}
	return d.Plan(catalog.Schema().Parse)
}

func must(t testing.TB, text string) *plan.Plan {
	t.Helper()
	p, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A text makes a plan, and the plan makes the text.
func TestText(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"numbers", "query T=5&algos=ifca\nvary dphi=5:15:5\nseeds 3", "query data=linreg&T=5&algos=ifca\nvary dphi=5,10,15\nseeds 3\n"},
		{"downwards", "query algos=ifca\nvary lr=0.1:0.0001:*0.1\nvary dphi=40:30:-5", "query data=linreg&algos=ifca\nvary lr=0.1,0.01,0.001,0.0001\nvary dphi=40,35,30\nseeds 1\n"},
		{"an old name", "query algos=ifca\nvary phi=5\n", ""},
		{"lanes, one each", "vary algos=ifca, CLoVE", "query data=linreg&algos=cflgp,ifca\nvary algos=ifca,clove\nseeds 1\n"},
		{"lanes together", "vary algos=cflgp,ifca;clove", "query data=linreg&algos=cflgp,ifca\nvary algos=cflgp,ifca;clove;\nseeds 1\n"},
		{"whole lanes", "vary algos=ifca;ifca:k5&ifca:k5.K=5", "query data=linreg&algos=cflgp,ifca\nvary algos=ifca;ifca:k5&ifca:k5.K=5;\nseeds 1\n"},
		{"data and split", "query algos=ifca\nvary data=digits\nvary split=even,skew1", "query data=linreg&algos=ifca\nvary data=digits\nvary split=even,skew1\nseeds 1\n"},
		{"a setting of a varied lane", "query algos=ifca\nvary ifca:b.K=2,3\nvary algos=ifca:b", "query data=linreg&algos=ifca\nvary ifca:b.K=2,3\nvary algos=ifca:b\nseeds 1\n"},
		{"a list", "query C=6&K=2\nvary star=1,2;1,2,3", ""},
		{"a list and none", "query data=csv&algos=ifca\nvary cols=,1:ignore", "query data=csv&algos=ifca\nvary cols=,1:ignore\nseeds 1\n"},
		{"what only others read", "query K=5&algos=cfl&eps1=0.3&data=linreg\nvary algos=cfl,ifca", "query data=linreg&eps1=0.3&K=5&algos=cfl\nvary algos=cfl,ifca\nseeds 1\n"},
		{"what is the default of the base", "query K=3&algos=ifca\nvary C=2,12", "query data=linreg&K=3&algos=ifca\nvary C=2,12\nseeds 1\n"},
		{"what nobody reads", "query K=5&algos=cfl\nvary dphi=5,10", "query data=linreg&algos=cfl\nvary dphi=5,10\nseeds 1\n"},
		{"a choice", "query data=digits&alpha=0.3&algos=ifca\nvary split=even,dirichlet", "query data=digits&alpha=0.3&algos=ifca\nvary split=even,dirichlet\nseeds 1\n"},
		{"a lane's own", "query K=5&algos=cfl,ifca&ifca.K=5\nvary K=4,5", "query data=linreg&K=5&algos=cfl,ifca&ifca.K=5\nvary K=4,5\nseeds 1\n"},
		{"a budget, a comment", "# why\n\nquery algos=ifca\nfloats 1e5\nfile abc", "query data=linreg&algos=ifca\nseeds 1\nfloats 100000\nfile abc\n"},
		{"twice the same", "query algos=ifca\nvary dphi=5,5.0,6", "query data=linreg&algos=ifca\nvary dphi=5,6\nseeds 1\n"},
	}
	for _, tt := range tests {
		p, err := read(t, tt.text)
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s: got\n%s", tt.name, p)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if p.String() != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, p, tt.want)
		} else if again := must(t, p.String()); again.String() != p.String() {
			t.Errorf("%s: read again it is\n%s", tt.name, again)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct{ text, want string }{
		{"vary colour=1", "there is no setting colour"},
		{"vary dphi", "a setting and its values"},
		{"vary dphi=5:1:1", "from:to:step"},
		{"vary dphi=5:1:1", "downwards the step is below 0"},
		{"vary lr=0.1:1e-9:*0.9999999", "more than 1000000 values"},
		{"vary sd=1:2000000:1", "more than 1000000 values"},
		{"vary algos=ifca,nonesuch", "nonesuch"},
		{"vary data=linreg,nonesuch", "nonesuch"},
		{"vary algos=ifca&colour=3", "colour"},
		{"vary dphi=5\nvary dphi=6", "varied twice"},
		{"vary dphi=;", "has no values"},
		{"query algos=local\nvary K=2,3", "no effect"},
		{"query C=4\nvary K=8,9", "more models than clients"},
		{"seeds 0", "line 1: seeds"},
		{"seeds 1\nfloats -1", "line 2: floats"},
		{"hello", "line 1: got \"hello\""},
		{"query colour=1", "unknown setting colour"},
		{"seeds 1000000\nvary sd=1:1000000:1", "more than 1000000000 cells"},
	}
	for _, tt := range tests {
		if _, err := read(t, tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want something about %q", tt.text, err, tt.want)
		}
	}
}

// Every cell is another query; a setting that nobody reads makes no other cell, and
// neither does how the plan was written. All else does.
func TestCells(t *testing.T) {
	p := must(t, "query T=5&C=6\nvary algos=ifca,local\nvary K=2,3,9\nseeds 2")
	if p.Points() != 6 || p.Cells() != 12 {
		t.Fatalf("%d points, %d cells", p.Points(), p.Cells())
	}
	ids, unfit := map[string]int{}, 0
	for n := range p.Cells() {
		point, seed := p.Split(n)
		if p.Join(point, seed) != n {
			t.Fatalf("cell %d is point %d with seed %d, which is cell %d", n, point, seed, p.Join(point, seed))
		}
		c, err := p.Cell(n)
		if err != nil {
			unfit++
			continue
		}
		ids[c.ID]++
		if same := must(t, "query "+c.Query); mustCell(t, same, 0).ID != c.ID {
			t.Errorf("%s is another cell in a plan of its own", c.Query)
		}
	}
	if want := 2*2 + 2; len(ids) != want || unfit != 2 { // local reads no K
		t.Errorf("%d cells differ, %d do not fit; want %d and 2", len(ids), unfit, want)
	} else if p.Runs() != want {
		t.Errorf("%d runs, want %d", p.Runs(), want)
	}
	base := mustCell(t, must(t, "query T=5"), 0).ID
	for _, other := range []string{"query T=6", "query T=5\nfloats 10", "query T=5\nfile abc"} {
		if mustCell(t, must(t, other), 0).ID == base {
			t.Errorf("%q is the same cell", other)
		}
	}
}

func mustCell(t *testing.T, p *plan.Plan, n int) plan.Cell {
	t.Helper()
	c, err := p.Cell(n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A cell that crosses a network is read with care.
func TestRead(t *testing.T) {
	good := mustCell(t, must(t, "query T=5"), 0)
	for name, change := range map[string]func(*plan.Cell){
		"":                  func(*plan.Cell) {},
		"another version":   func(c *plan.Cell) { c.Version++ },
		"another query":     func(c *plan.Cell) { c.Query = strings.Replace(c.Query, "T=5", "T=6", 1) },
		"not canonical":     func(c *plan.Cell) { c.Query += "&C=12" },
		"an unknown key":    func(c *plan.Cell) { c.Query += "&colour=1" },
		"another budget":    func(c *plan.Cell) { c.Floats = 7 },
		"a nonsense of one": func(c *plan.Cell) { c.Query = "" },
	} {
		c := good
		change(&c)
		if err := c.Read(catalog.Schema().Parse); (err == nil) != (name == "") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// compute plays a cell.
func compute(t testing.TB, c plan.Cell) plan.Record {
	t.Helper()
	r, err := c.Measure(nil,
		func(to plan.Sink) error { return engine.Run(context.Background(), c.Config, nil, to) },
		func(lane, round int, to plan.Sink) error {
			return engine.RunTo(context.Background(), c.Config, nil, lane, round, to)
		})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A budget evaluates at its last round, however often the run does: with evaluations after every
// round and after every fifth all scores are the same. What was not evaluated is null.
func TestBudgetIsEvaluated(t *testing.T) {
	const query = "query data=digits&n=80&C=4&exam=5&net=softmax&b=8&probe=8&shift=none&guests=4&T=8&algos=fedavg,local&every="
	whole := compute(t, mustCell(t, must(t, query+"1"), 0))
	perRound := (whole.Lanes[0].Down + whole.Lanes[0].Up) / 8
	for rounds := range 9 {
		budget := "\nfloats " + jsonText(t, perRound*(float64(rounds)+0.5))
		want := compute(t, mustCell(t, must(t, query+"1"+budget), 0))
		rare := mustCell(t, must(t, query+"5"+budget), 0)
		got := compute(t, rare)
		if *got.Lanes[0].Round != rounds {
			t.Fatalf("a budget for %d rounds ends after %d", rounds, *got.Lanes[0].Round)
		}
		w := rare.Watch()
		if err := engine.Run(context.Background(), rare.Config, nil, w); err != nil {
			t.Fatal(err)
		}
		once := w.Record()
		if unknown := rounds != 0 && rounds != 5 && rounds != 8; (once.Lanes[0].Loss == nil) != unknown ||
			(once.Lanes[0].Accuracy == nil) != unknown || (once.Lanes[0].Clients == nil) != unknown {
			t.Errorf("a budget for %d rounds, not evaluated: %s", rounds, jsonText(t, once.Lanes[0]))
		}
		for i := range want.Lanes {
			want.Lanes[i].Fingerprint = got.Lanes[i].Fingerprint                         // tells how often models were evaluated
			want.Lanes[i].History, got.Lanes[i].History = plan.History{}, plan.History{} // as do curves
			if got, want := jsonText(t, got.Lanes[i]), jsonText(t, want.Lanes[i]); got != want {
				t.Errorf("with floats for %d rounds: got %s, want %s", rounds, got, want)
			}
		}
	}
}

// A budget cuts the scores, not the run: they are those of a shorter run, and the
// fingerprint is that of the whole.
func TestBudget(t *testing.T) {
	const query = "query data=digits&n=80&C=4&exam=5&every=1&net=softmax&b=8&probe=8&shift=none&algos=ifca,fedavg&T="
	whole := compute(t, mustCell(t, must(t, query+"6"), 0))
	perRound := (whole.Lanes[1].Down + whole.Lanes[1].Up) / 6
	for _, rounds := range []int{1, 4, 6, 100} {
		limited := compute(t, mustCell(t, must(t, query+"6\nfloats "+jsonText(t, perRound*float64(rounds)+1)), 0))
		shorter := compute(t, mustCell(t, must(t, query+jsonText(t, min(rounds, 6))), 0))
		got, want := limited.Lanes[1], shorter.Lanes[1]
		if *got.Round != min(rounds, 6) || *got.Loss != *want.Loss || *got.Accuracy != *want.Accuracy ||
			got.Up != want.Up || *got.Weakest != *want.Weakest {
			t.Errorf("with floats for %d rounds: got %s, want %s", rounds, jsonText(t, got), jsonText(t, want))
		}
		sum := 0.0
		for _, v := range got.Clients {
			sum += float64(v) / float64(len(got.Clients))
		}
		if len(got.Clients) != 4 || math.Abs(sum-*got.Accuracy) > 1e-6 ||
			float64(slices.Min(got.Clients)) != *got.Weakest {
			t.Errorf("with floats for %d rounds: the clients have %v, in %s", rounds, got.Clients, jsonText(t, got))
		}
		if limited.Fingerprint != whole.Fingerprint {
			t.Errorf("the fingerprint is %s, want %s", limited.Fingerprint, whole.Fingerprint)
		}
		if rounds < 6 && *limited.Lanes[0].Round >= rounds {
			t.Errorf("IFCA, which receives more, has as many rounds: %d", *limited.Lanes[0].Round)
		}
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A record comes back as it was; one that is cut off or changed does not.
func TestRecord(t *testing.T) {
	r := compute(t, mustCell(t, must(t, "query T=5&algos=cflgp,local"), 0))
	text, err := r.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := plan.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	if twice, _ := again.AppendJSON(nil); string(twice) != string(text) {
		t.Errorf("got %s, want %s", twice, text)
	}
	for n := range text {
		if _, err := plan.ParseRecord(text[:n]); err == nil {
			t.Fatalf("%d of %d bytes are taken for a record", n, len(text))
		}
	}
	if _, err := plan.ParseRecord([]byte(strings.Replace(string(text), "T=5", "T=6", 1))); err == nil {
		t.Error("a record of another query is taken for this one's")
	}
	if local := r.Lanes[1]; local.ARI != nil || local.Settled != nil || r.Lanes[0].ARI == nil {
		t.Errorf("local training is judged: %s", jsonText(t, local))
	}
}

// A plan of a million cells is made at once, and its expansion keeps nothing.
func TestMillion(t *testing.T) {
	p := must(t, "query algos=cflgp,ifca,clove\nvary dphi=1:50:1\nvary b=10:1000:10\nvary K=2,3\nseeds 100")
	if p.Cells() != 1_000_000 {
		t.Fatalf("got %d cells", p.Cells())
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for n := 0; n < p.Cells(); n += 1009 { // of each region some
		if c := mustCell(t, p, n); c.ID == "" {
			t.Fatal("a cell without an ID")
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
		t.Errorf("expansion keeps %d bytes", grown)
	}
}

// Whoever explains a changed result raises the version of the engine, unless it is the page alone
// that opens something else.
func TestEngineVersion(t *testing.T) {
	text, err := os.ReadFile("../../experiment/CHANGES.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := len(regexp.MustCompile(`(?m)^## `).FindAll(text,
		-1)) - len(regexp.MustCompile(`(?m)^## The page: `).FindAll(text, -1))
	if sections != version.Engine {
		t.Errorf("CHANGES.md has %d sections and the engine's version is %d: set version.Engine to %d", sections,
			version.Engine, sections)
	}
}

// Each measure has a value in a run that has everything.
func TestMeasures(t *testing.T) {
	one, n := 0.5, 3
	s := plan.Scores{ARI: &one, ARIParticipants: &one, Accuracy: &one, Loss: &one, Misplaced: &n, Settled: &n,
		Val: &one, Test: &one}
	for _, m := range plan.Measures {
		if _, ok := s.Value(m); !ok {
			t.Errorf("%s has no value", m)
		}
	}
	s.Diverged = &n
	for _, m := range plan.Measures {
		if _, ok := s.Value(m); ok == slices.Contains([]string{"loss", "accuracy", "val", "test"}, m) {
			t.Errorf("%s of a lane that diverged: %v", m, ok)
		}
	}
}

var sink experiment.Config

func BenchmarkCell(b *testing.B) {
	p := must(b, "query algos=cflgp,ifca,clove\nvary dphi=1:50:1\nvary b=10:1000:10\nvary K=2,3\nseeds 100")
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		c, err := p.Cell(n % p.Cells())
		if err != nil {
			b.Fatal(err)
		}
		sink = c.Config
	}
}
