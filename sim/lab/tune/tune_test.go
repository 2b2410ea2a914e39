package tune_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/tune"
	"flockscope/sim/param"
)

const digits = "data=digits&n=80&C=4&T=3&net=softmax&avg=model&shift=none"

func parsed(t *testing.T, query string) experiment.Config {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if err := experiment.Strict(problems); err != nil {
		t.Fatal(err)
	}
	return c
}

func all() (names []string) {
	for _, m := range catalog.Schema().Finished().Algorithms {
		names = append(names, m.Name)
	}
	return names
}

func planOf(t *testing.T, s *tune.Search) *plan.Plan {
	t.Helper()
	p, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every method has a learning rate to tune, every range a source, and every value that can be drawn is one that the
// setting takes.
func TestSpaces(t *testing.T) {
	s := &tune.Search{Base: parsed(t, digits), Tries: 40}
	count := 0
	for _, method := range all() {
		space, err := s.Space(method)
		if err != nil {
			t.Fatal(err)
		}
		rate := func(f param.Field) bool { return f.Name == "lr" }
		if !slices.ContainsFunc(space, rate) {
			t.Errorf("%s has no learning rate", method)
		}
		for i := range space {
			f := &space[i]
			count++
			x := f.Tune
			if x.Source == "" || !(x.Low < x.High) || x.Low < f.Min || x.High > f.Max || x.Log && x.Low <= 0 {
				t.Errorf("%s: the range of %s is %+v", method, f.Name, *x)
			}
		}
		for try := range s.Tries {
			for i, pair := range tune.Try(space, try) {
				v, err := strconv.ParseFloat(pair[1], 64)
				canonical, wrong := space[i].Canonical(pair[1])
				x := space[i].Tune
				if err != nil || wrong != nil || canonical != pair[1] || v < x.Low || v > x.High {
					t.Errorf("%s: try %d of %s is %s, %v", method, try, pair[0], pair[1], wrong)
				}
			}
		}
	}
	if count < 30 {
		t.Errorf("all methods together have %d settings to tune", count)
	}
	// What the query sets is not tuned.
	s.Base = parsed(t, digits+"&lr=0.2&algos=cfl")
	if space, err := s.Space("cfl"); err != nil || len(space) != 2 {
		t.Errorf("with a learning rate, cfl has %d settings to tune, %v", len(space), err)
	}
	if _, err := s.Space("fedavg"); err == nil || !strings.Contains(err.Error(), "no setting to tune") {
		t.Errorf("with a learning rate fedavg is tuned: %v", err)
	}
}

// Tries cover a range evenly: of eight, no two neighbours are more than two eighths of it apart.
func TestTriesCoverTheRange(t *testing.T) {
	space := []param.Field{{Name: "lr", Kind: param.Float, Max: 1, Tune: &param.Space{High: 1}},
		{Name: "other", Kind: param.Float, Max: 1, Tune: &param.Space{High: 1}}}
	for i := range space {
		var at []float64
		for try := 1; try <= 8; try++ {
			v, err := strconv.ParseFloat(tune.Try(space, try)[i][1], 64)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, v)
		}
		slices.Sort(at)
		for j, v := range at {
			gap := at[(j+1)%len(at)] - v
			if gap < 0 {
				gap++
			}
			if gap > 0.26 {
				t.Errorf("%s: the values are %v", space[i].Name, at)
			}
		}
	}
	if first := fmt.Sprint(tune.Try(space, 3)); first != fmt.Sprint(tune.Try(space, 3)) || tune.Try(space, 0) != nil {
		t.Error("a try is not always the same, or the first has values")
	}
}

// All methods have as many tries, with the same seeds, which no comparison has, on training samples alone; a larger
// search has the cells of a smaller one.
func TestPlan(t *testing.T) {
	s := &tune.Search{Base: parsed(t, digits), Methods: []string{"ifca", "cfl", "fedavg"}, Tries: 4, Seeds: 2}
	p := planOf(t, s)
	if p.Points() != 3*4 || p.Seeds != 2 {
		t.Fatalf("%d points, %d seeds", p.Points(), p.Seeds)
	}
	ids := map[string]bool{}
	rates := map[string][]string{}
	for n := range p.Cells() {
		c, err := p.Cell(n)
		if err != nil {
			t.Fatal(err)
		}
		ids[c.ID] = true
		lane := c.Config.Lanes()[0]
		if first := c.Config.FirstSeed(); c.Config.Value("holdback") != "1" || first < 1001 || first > 1002 {
			t.Errorf("%s is a cell", c.Query)
		}
		if n < p.Points() {
			rates[lane.Algorithm] = append(rates[lane.Algorithm], c.Config.LaneValue(0, "lr"))
		}
	}
	if fmt.Sprint(rates["ifca"]) != fmt.Sprint(rates["cfl"]) || rates["ifca"][0] != "0.1" ||
		len(slices.Compact(slices.Sorted(slices.Values(rates["ifca"])))) != 4 {
		t.Errorf("the learning rates are %v", rates)
	}
	s.Tries, s.Seeds = 6, 3
	larger := planOf(t, s)
	for n := range larger.Cells() {
		if c, err := larger.Cell(n); err == nil {
			delete(ids, c.ID)
		}
	}
	if len(ids) > 0 {
		t.Errorf("a larger search lacks %d cells of a smaller one", len(ids))
	}
	// Lines have no samples to hold back.
	lines := &tune.Search{Base: parsed(t, "data=linreg&T=3"), Methods: []string{"ifca"}, Tries: 2, Seeds: 1}
	if c, err := planOf(t, lines).Cell(0); err != nil || c.Config.Reads("holdback") {
		t.Errorf("%s, %v", c.Query, err)
	}
	for _, wrong := range []*tune.Search{
		{Base: s.Base, Methods: []string{"nobody"}, Tries: 2, Seeds: 1},
		{Base: s.Base, Methods: []string{"ifca"}, Tries: 2, Seeds: 1, Vary: []string{"beauty=1"}},
	} {
		if _, err := wrong.Plan(); err == nil {
			t.Errorf("%v is planned", wrong.Methods)
		}
	}
}

// found returns the result of a search with made-up accuracies by lane and seed; NaN for a run that is missing, and
// negative for one that diverged.
func found(t *testing.T, s *tune.Search, measure string, value func(lane string, seed int) float64) *tune.Result {
	t.Helper()
	p := planOf(t, s)
	var records []plan.Record
	for n := range p.Cells() {
		c, err := p.Cell(n)
		if err != nil {
			t.Fatal(err)
		}
		lane := c.Config.Lanes()[0]
		_, seed := p.Split(n)
		v := value(lane.ID(), seed)
		if math.IsNaN(v) {
			continue
		}
		r := c.Failed("made up")
		r.Error, r.Fingerprint = "", fmt.Sprint(n)
		l := plan.Lane{Lane: lane.ID(), Scores: plan.Scores{Accuracy: &v, Loss: &v, Fingerprint: r.Fingerprint}}
		if l.Classes = 10; v < 0 {
			l.Diverged = &seed
		}
		r.Lanes = []plan.Lane{l}
		records = append(records, r)
	}
	study, err := report.New([]report.Source{{Name: "a", Plan: p, Records: records}}, catalog.Schema().Parse, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := report.FindMeasure(measure)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Choose(study, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The best mean wins, the first of equal ones; runs that diverged guess, and a try that lacks a run cannot win.
func TestChoose(t *testing.T) {
	s := &tune.Search{Base: parsed(t, digits), Methods: []string{"ifca", "fedavg", "local", "cfl"}, Tries: 4, Seeds: 2}
	table := map[string][2]float64{
		"ifca:try0": {0.5, 0.6}, "ifca:try1": {0.9, -1}, "ifca:try2": {0.7, 0.6}, "ifca:try3": {0.6, 0.7},
		"fedavg:try0": {0.4, 0.4}, "fedavg:try1": {0.4, 0.4}, "fedavg:try2": {0.3, 0.3}, "fedavg:try3": {0.9, math.NaN()},
		"local:try0": {math.NaN(), 1}, "local:try1": {math.NaN(), 1}, "local:try2": {math.NaN(), 1}, "local:try3": {math.NaN(), 1},
		"cfl:try0": {-1, -1}, "cfl:try1": {0.2, 0.3}, "cfl:try2": {0.1, 0.1}, "cfl:try3": {0.1, 0.1},
	}
	r := found(t, s, "accuracy", func(lane string, seed int) float64 { return table[lane][seed] })
	for i, want := range []int{2, 0, -1, 1} {
		if m := &r.Methods[i]; m.Best != want {
			t.Errorf("%s has chosen try %d, want %d", m.Method, m.Best, want)
		}
	}
	if x := r.Methods[0].Tries[1]; x.Diverged != 1 || math.Abs(x.Mean-0.5) > 1e-9 {
		t.Errorf("with a run that diverged: %+v", x)
	}
	space, _ := s.Space("ifca")
	lr := tune.Try(space, 2)[0][1]
	if want := "ifca&ifca.lr=" + lr + ";fedavg;cfl&"; !strings.HasPrefix(r.Lanes(), "algos="+want) {
		t.Errorf("the lanes are %s, want %s…", r.Lanes(), want)
	}
	q := parsed(t, r.Query(&r.Methods[0]))
	if q.Value("holdback") != "0" || q.FirstSeed() != 1 || q.LaneValue(0, "lr") != lr || r.Query(&r.Methods[2]) != "" {
		t.Errorf("the query is %s", q)
	}
	if _, err := plan.ParseAxes(s.Base, []string{r.Lanes()}); err != nil {
		t.Error(err)
	}
	d, err := r.Document("Chosen")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := d.Write(&out, report.Markdown, "http://x/"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4 tries of each method", "from seed 1001 on", "held back", "0.6500 ± 0.0707", "(1 diverged)",
		`\[1 of 2\]`, "| lr | Learning rate | all | ", "Of local no try has all of its runs", "-vary 'algos=ifca&ifca.lr="} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, out.String())
		}
	}
	low := found(t, s, "loss", func(lane string, seed int) float64 {
		return 1 + math.Abs(table["ifca:try"+lane[len(lane)-1:]][seed])
	})
	if low.Methods[1].Best != 0 {
		t.Errorf("of losses, try %d is chosen", low.Methods[1].Best)
	}
}

// The curve is the mean over all choices of tries of the best one: counted here one by one.
func TestCurve(t *testing.T) {
	for _, measure := range []string{"accuracy", "loss"} {
		s := &tune.Search{Base: parsed(t, digits), Methods: []string{"fedavg"}, Tries: 7, Seeds: 1}
		values := []float64{0.3, 0.5, 0.1, 0.5, 0.9, 0.2, 0.4}
		r := found(t, s, measure, func(lane string, _ int) float64 { return values[lane[len(lane)-1]-'0'] })
		sum, count := make([]float64, 7), make([]float64, 7)
		for set := 1; set < 1<<7; set++ {
			var some []float64
			for i, v := range values {
				if set>>i&1 == 1 {
					some = append(some, v)
				}
			}
			best := slices.Max(some)
			if measure == "loss" {
				best = slices.Min(some)
			}
			sum[len(some)-1] += best
			count[len(some)-1]++
		}
		for n, got := range r.Methods[0].Curve {
			if want := sum[n] / count[n]; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: the best of %d is expected to be %g, want %g", measure, n+1, got, want)
			}
		}
		if len(r.Methods[0].Curve) != 7 {
			t.Errorf("the curve is %v", r.Methods[0].Curve)
		}
	}
}
