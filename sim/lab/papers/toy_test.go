package papers_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"flockscope/sim/algorithm"
	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// toy is a method of its own file: it deals clients out to two models and leaves them
// there.
type toy struct{}

func init() {
	algorithm.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name: "toy", Title: "Toy", Doc: "Every other client has another model.",
			By: "their numbers", Sends: "an update",
			Paper:  registry.FedAvg.At("nowhere"),
			Fields: algorithm.Training(),
		},
		Make: func(param.Values, int) fl.Plan { return fl.Plan{Algorithm: toy{}, Models: 2} },
	})
}

func (toy) Start(_ *fl.Env, label []int) {
	for i := range label {
		label[i] = i % 2
	}
}

func (toy) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
	}
	for i := range r.Replies() {
		r.Accumulate(i, 1)
	}
	r.ApplyMean(nil)
}

// A method that is registered enters the arena by itself, its report says where it stands, and the links of its records
// replay its runs.
func TestNewMethodEntersTheArena(t *testing.T) {
	s, err := papers.Find(papers.Arena)
	if err != nil {
		t.Fatal(err)
	}
	s = s.Small()
	s.Seeds = 1
	p, labels, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var records []plan.Record
	for point := range p.Points() {
		values := p.Values(point)
		name, method := labels["data"][values[0]], values[1]
		if name != "concepts" || method != "toy" && method != "local" && method != "fedavg" {
			continue
		}
		c, err := p.Point(point)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range p.Seeds {
			records = append(records, run(t, p.At(c, seed).Config))
		}
	}
	for i := range records {
		if r := &records[i]; strings.Contains(r.Query, "algos=toy") {
			again, problems := catalog.Schema().Parse(r.Query)
			if got := run(t, again); got.Fingerprint != r.Fingerprint || len(problems) > 0 ||
				!strings.Contains(r.Query, "avg=model&tau=2") {
				t.Errorf("%s replays %s, and was %s (%v)", r.Query, got.Fingerprint, r.Fingerprint, problems)
			}
			break
		}
	}
	if want := 3 * p.Seeds; len(records) != want {
		t.Fatalf("%d runs of the arena are of the toy and of two others, want %d", len(records), want)
	}
	study, err := report.New([]report.Source{{Name: "arena", Plan: p, Records: records}},
		catalog.Schema().Parse, labels)
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
	for _, want := range []string{"| toy | ", "nobody is tuned", "| concepts |", "worse off than alone",
		"Made by a test."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, out.String())
		}
	}
}

// run plays an experiment and returns its record.
func run(t *testing.T, c experiment.Config) plan.Record {
	t.Helper()
	cell := plan.CellOf(c, 0, "")
	w := cell.Watch()
	if err := engine.Run(context.Background(), c, nil, w); err != nil {
		t.Fatal(err)
	}
	return w.Record()
}
