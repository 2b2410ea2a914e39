package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/trace"
)

// prints keeps the fingerprints of a run.
type prints []uint64

func (*prints) Begin(*trace.Header)           {}
func (*prints) Frame(int, *trace.Frame)       {}
func (*prints) Round(int)                     {}
func (p *prints) End(_ int, s *trace.Summary) { *p = append(*p, s.Fingerprint) }

// leaver cancels a run after a number of rounds.
type leaver struct {
	prints
	rounds int
	cancel context.CancelFunc
}

func (l *leaver) Round(int) {
	if l.rounds--; l.rounds == 0 {
		l.cancel()
	}
}

// TestChancesKeepBits: a run comes to the same whatever was among the shared draws that it took
// over: nothing, its own numbers, those of other settings, another seed or shape, or of
// a run that was broken off.
func TestChancesKeepBits(t *testing.T) {
	parse := func(query string) experiment.Config {
		c, problems := catalog.Schema().Parse(query)
		if err := experiment.First(problems); err != nil {
			t.Fatal(err)
		}
		return c
	}
	play := func(query string) (p prints) {
		if err := Run(context.Background(), parse(query), nil, &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	breakOff := func(query string) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if err := Run(ctx, parse(query), nil, &leaver{rounds: 5, cancel: cancel}); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s, called off after five rounds: %v", query, err)
		}
	}
	const rest = "&algos=cflgp,ifca,perfedavg"
	var want []prints
	queries := []string{"data=linreg&dphi=5&T=20", "data=linreg&dphi=20&T=20", "data=linreg&T=20&sd=2",
		"data=linreg&C=7&T=20", "data=linreg&b=3&probe=40&T=20", "data=mix1d&C=12&b=10&probe=10&T=20", "data=linreg&T=20",
		"data=linreg&T=40", "data=linreg&sigma=1&T=20", "data=mix1d&sd=2&T=20"}
	for _, q := range queries {
		for workers.IdleDraws.Get() != nil { // all are empty
		}
		want = append(want, play(q+rest))
	}
	for turn := range 2 {
		for i, q := range queries {
			if turn == 1 {
				breakOff(strings.Replace(q, "T=20", "T=30", 1) + rest)
				breakOff(q + rest)
			}
			for range 2 {
				if got := play(q + rest); !slices.Equal(got, want[i]) {
					t.Errorf("%s comes to %v after other runs, want %v", q, got, want[i])
				}
			}
		}
	}
}

// TestChancesAreKept: numbers that were drawn are there for the next run with the same
// key, and for no other.
func TestChancesAreKept(t *testing.T) {
	k := workers.DrawsKey{Seed: 1, Rounds: 3, Clients: 2, Each: 4}
	c := &workers.SharedDraws{}
	c.Reset(k)
	numbers, there := c.At(1, 2)
	if there || len(numbers) != 4 {
		t.Fatalf("new chances have %d numbers there: %v; want 4 that are not", len(numbers), there)
	}
	numbers[3] = 5
	c.Reset(k)
	if numbers, there = c.At(1, 2); !there || numbers[3] != 5 {
		t.Errorf("after the same key numbers are %v, there: %v; want those that were drawn", numbers, there)
	}
	if _, there = c.At(0, 2); there {
		t.Error("numbers are there that nobody has drawn")
	}
	k.Seed = 2
	c.Reset(k)
	if _, there = c.At(1, 2); there {
		t.Error("after another seed the numbers of the first are there")
	}
	if workers.AcquireDraws(workers.DrawsKey{Rounds: 1000, Clients: 1000, Each: 1000}) != nil {
		t.Error("a billion numbers were lent")
	}
}
