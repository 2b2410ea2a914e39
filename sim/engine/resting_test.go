package engine

import (
	"context"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/trace"
)

// clusterings notes in which rounds the lanes of a run cluster.
type clusterings struct{ in []map[int]bool }

func (c *clusterings) Begin(h *trace.Header) {
	for range h.Lanes {
		c.in = append(c.in, map[int]bool{})
	}
}

func (c *clusterings) Frame(lane int, f *trace.Frame) {
	c.in[lane][f.Round] = f.Events.Has(trace.Reclustered)
}

func (*clusterings) Round(int)               {}
func (*clusterings) End(int, *trace.Summary) {}

// A link without a round opens at one in which methods that cluster every few rounds do so.
func TestRestingRoundClusters(t *testing.T) {
	for _, query := range []string{"T=20", "T=21", "T=21&P=3", "T=20&algos=cflgp,ifca&as=released", "T=21&algos=cflgp,clove&P=4",
		"T=20&algos=cflgp,cflgp:b&cflgp:b.P=5"} {
		c, bad := catalog.Schema().Parse(query)
		if len(bad) > 0 {
			t.Fatal(query, bad)
		}
		var got clusterings
		if err := Run(context.Background(), c, nil, &got); err != nil {
			t.Fatal(query, err)
		}
		round := c.RestingRound()
		for i, l := range c.Lanes() {
			if l.Algorithm == "cflgp" && !got.in[i][round] {
				t.Errorf("%s: %s does not cluster in round %d", query, l.ID(), round)
			}
		}
	}
}
