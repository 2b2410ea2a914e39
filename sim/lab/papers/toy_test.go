package papers_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"flockscope/sim/algorithm"
	"flockscope/sim/catalog"
	"flockscope/sim/engine"
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
			Paper: registry.FedAvg.At("nowhere"),
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

// A method that is registered enters the arena by itself, and its report says where it
// stands.
func TestNewMethodEntersTheArena(t *testing.T) {
	s, err := papers.Find(papers.Arena)
	if err != nil {
		t.Fatal(err)
	}
	p, labels, err := s.Small().Plan()
	if err != nil {
		t.Fatal(err)
	}
	var records []plan.Record
	for point := range p.Points() {
		values := p.Values(point)
		name, method := labels["data"][values[0]], values[2]
		if name != "concepts" || values[1] != "3" || method != "toy" && method != "local" && method != "fedavg" {
			continue
		}
		c, err := p.Point(point)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range p.Seeds {
			cell := p.At(c, seed)
			w := cell.Watch()
			if err := engine.Run(context.Background(), cell.Config, nil, w); err != nil {
				t.Fatal(err)
			}
			records = append(records, w.Record())
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
	for _, want := range []string{"| toy | ", "Tuning budget: none", "| concepts |", "worse off than alone",
		"Made by a test."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, out.String())
		}
	}
}
