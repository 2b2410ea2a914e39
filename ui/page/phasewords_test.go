package page_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	. "flockscope/ui/page"
)

// played is a run of one lane that the engine played.
type played struct {
	*trace.Run
	Config experiment.Config
	schema *experiment.Schema
	meta   *registry.Meta
}

func (p *played) Begin(h *trace.Header) { c := *h; p.Run = trace.NewRun(&c) }
func (p *played) Round(int)             {}
func (p *played) End(lane int, s *trace.Summary) {
	c := *s
	p.Tracks[lane].Summary = &c
}
func (p *played) Frame(lane int, f *trace.Frame) {
	c, err := trace.DecodeFrame(trace.AppendFrame(nil, f)) // a copy
	if err != nil {
		panic(err)
	}
	p.Tracks[lane].Frames = append(p.Tracks[lane].Frames, *c)
}

// play plays a run of one lane.
func play(t *testing.T, query string) *played {
	t.Helper()
	p := &played{schema: catalog.Schema()}
	c, problems := p.schema.Parse(query)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", query, problems)
	}
	p.Config = c
	if err := engine.Run(context.Background(), c, nil, p); err != nil {
		t.Fatal(err)
	}
	for i := range p.schema.Algorithms {
		if m := &p.schema.Algorithms[i]; m.Name == c.Lanes()[0].Algorithm {
			p.meta = m
		}
	}
	return p
}

// words returns the words of a round for a client.
func (p *played) words(t *testing.T, round, client int) *RoundWords {
	t.Helper()
	d, err := engine.Explain(context.Background(), p.Config, nil, 0, round, client, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &RoundWords{View: &chart.View{Run: p.Run, Round: round}, Meta: p.meta, Schema: p.schema, Config: p.Config,
		Detail: d, Client: client}
}

func TestZZ(t *testing.T) {
	var b strings.Builder
	for _, m := range catalog.Schema().Algorithms {
		for _, q := range strings.Split(os.Getenv("ZQ"), " ") {
			p := play(t, q+"&algos="+m.Name)
			fmt.Fprintf(&b, "== %s %s\n", m.Name, q)
			seen := map[string]bool{}
			for round := 1; round <= p.Header.Rounds; round++ {
				for _, client := range []int{0, 4} {
					w := p.words(t, round, client)
					var o string
					for ph := range registry.Phases {
						x := w.Phase(ph)
						o += fmt.Sprintf("   %s %v %s\n        | %s | %s\n", ph.Name()[:1], x.Skipped, x.Says, x.Client, x.Sends)
					}
					key := ""
					for ph := range registry.Phases {
						key += w.Phase(ph).Says
					}
					if !seen[key] {
						seen[key] = true
						a, c := w.Rest()
						fmt.Fprintf(&b, "  round %d client %d   REST %s | %s\n%s", round, client, a, c, o)
					}
				}
			}
		}
	}
	os.WriteFile("/tmp/w/words.txt", []byte(b.String()), 0o644)
}
