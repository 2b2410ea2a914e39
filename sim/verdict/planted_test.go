package verdict_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/verdict"
)

// planted is a cause that settings force, with a check of its own that it is at work in a run. A sentence must name it
// then.
type planted struct {
	cause  string
	query  string // without seeds
	round  int
	atWork func(run *trace.Run, round int) bool // by other means than those of the verdict
	kinds  []verdict.Kind
	want   []string // parts of the sentence
	not    []string // what it must not say
}

func is(kinds ...verdict.Kind) []verdict.Kind { return kinds }

// at returns the frame of the only lane at a round.
func at(run *trace.Run, round int) *trace.Frame { return &run.Tracks[0].Frames[round] }

func right(run *trace.Run, round int) bool { return at(run, round).ARI == 1 }

func wrong(run *trace.Run, round int) bool {
	return at(run, round).ARI < 1 && at(run, round).Misplaced > 0
}

// moves returns how many clients were given another model on average over the ten rounds up to one.
func moves(run *trace.Run, round int) float64 {
	n := 0
	for t := round - 9; t <= round; t++ {
		for i, k := range at(run, t).Label {
			if at(run, t-1).Label[i] != k {
				n++
			}
		}
	}
	return float64(n) / 10
}

// strangers returns how many clients have a client of another group as their nearest neighbour in what was compared.
func strangers(run *trace.Run, round int) (n int) {
	f, h := at(run, round), run.Header
	width := len(f.Embedding) / h.Clients
	for i := range h.Clients {
		nearest, least := -1, math.Inf(1)
		for o := range h.Clients {
			sum := 0.0
			for j := range width {
				sum += math.Pow(float64(f.Embedding[i*width+j]-f.Embedding[o*width+j]), 2)
			}
			if o != i && sum < least {
				nearest, least = o, sum
			}
		}
		if h.Group[i] != h.Group[nearest] {
			n++
		}
	}
	return n
}

// excess returns the expected loss of a linreg model above the noise floor for each group: x is uniform from 0 to cos φ.
func excess(run *trace.Run, round int) (out []float64) {
	p := at(run, round).Models
	for _, line := range run.Header.DataPreview.Truth {
		width := math.Cos(math.Atan(float64(line.Slope)))
		a, b := float64(p[0]-line.Slope), float64(p[1])
		out = append(out, a*a*width*width/3+a*b*width+b*b)
	}
	return out
}

// largestWeights returns the mean over clients of the largest weight of a model.
func largestWeights(run *trace.Run, round int) float64 {
	f, k, sum := at(run, round), run.Header.Lanes[0].Models, 0.0
	for row := range slices.Chunk(f.Mixture, k) {
		sum += float64(slices.Max(row)) / float64(run.Header.Clients)
	}
	return sum
}

func oneCluster(run *trace.Run, round int) bool {
	for t := range round + 1 {
		if at(run, t).Clusters != 1 {
			return false
		}
	}
	return true
}

var plantedCauses = []planted{
	{"memory parts the groups", "algos=cflgp&dphi=20&T=60", 60,
		func(r *trace.Run, t int) bool { return right(r, t) && strangers(r, t) == 0 }, is(verdict.Right),
		[]string{"The server remembers", " 30 by now", "the gap stays"}, nil},
	{"too few replies", "algos=cflgp&dphi=4&T=2", 2,
		func(r *trace.Run, t int) bool { return wrong(r, t) && strangers(r, t) >= 4 }, is(verdict.Misplaced),
		[]string{"averages all gradients of a client, 1 so far", "nearer to another group"}, []string{"remembers", "enough"}},
	{"too many clusters", "algos=cflgp&dphi=40&K=6&T=60&b=40", 60,
		func(r *trace.Run, t int) bool { return at(r, t).Clusters == 6 && at(r, t).Purity == 1 }, is(verdict.Split),
		[]string{"but 6 clusters divide 3 groups"}, []string{"enough"}},
	{"chance flips choices", "algos=ifca&dphi=5&b=5&probe=5&T=40", 40,
		func(r *trace.Run, t int) bool { return wrong(r, t) && moves(r, t) >= 2 }, is(verdict.Misplaced),
		[]string{"on its 5 samples", "the lead is smaller than its noise: chance can flip these choices"}, []string{"chance is not"}},
	{"the lead is larger than its noise", "algos=ifca&dphi=40&b=200&probe=200&T=40", 40,
		func(r *trace.Run, t int) bool { return right(r, t) && moves(r, t) == 0 }, is(verdict.Right),
		[]string{"on its 200 samples", "In 12 of 12 the lead is larger than its noise."}, []string{"chance"}},
	{"a model that no client takes", "data=mix1d&star=1,1.45&theta0=1.2,9&algos=ifca&T=20", 20,
		func(r *trace.Run, t int) bool { return oneCluster(r, t) }, is(verdict.Shared),
		[]string{"A model that no client takes never learns", "cannot part"}, []string{"chance"}},
	{"noise of this round", "algos=clove&dphi=5&b=5&probe=5&T=40", 40,
		func(r *trace.Run, t int) bool { return wrong(r, t) && strangers(r, t) >= 4 }, is(verdict.Misplaced),
		[]string{"losses of this round alone", "noise decides"}, []string{"enough"}},
	{"this round is enough", "algos=clove&dphi=40&b=200&probe=200&T=40", 40,
		func(r *trace.Run, t int) bool { return right(r, t) && strangers(r, t) == 0 }, is(verdict.Right),
		[]string{"losses of this round alone", "that is enough"}, []string{"noise decides"}},
	{"the mean fits the middle group", "algos=fedavg&dphi=20&D=3&T=150", 150,
		func(r *trace.Run, t int) bool {
			e := excess(r, t)
			return 5*e[1] < min(e[0], e[2])
		}, is(verdict.None), []string{"fits the group in the middle, the squares, and fails the outer ones"}, []string{"no group is"}},
	{"the mean fits no group", "algos=fedavg&dphi=20&D=4&T=150", 150,
		func(r *trace.Run, t int) bool {
			e := excess(r, t)
			return e[1] > e[0]/30 && e[1] < 3*e[2] && e[2] < 3*e[1]
		}, is(verdict.None), []string{"between the groups, where no group is"}, []string{"fits"}},
	{"two groups, and no group in the middle", "algos=fedavg&dphi=30&D=2&T=150", 150,
		func(r *trace.Run, t int) bool { e := excess(r, t); return e[1] < 3*e[0] && e[0] < 3*e[1] }, is(verdict.None),
		[]string{"between the groups, where no group is"}, []string{"fits"}},
	{"weights are spread", "algos=fedem&dphi=20&b=10&T=15", 15,
		func(r *trace.Run, t int) bool { return wrong(r, t) && largestWeights(r, t) < 0.6 },
		is(verdict.Misplaced, verdict.Shared),
		[]string{"Each client mixes models", "weights are spread"}, []string{"nearly one"}},
	{"weights have settled", "data=mix1d&star=-3,3&theta0=-2,2&algos=fedem&T=30", 30,
		func(r *trace.Run, t int) bool { return right(r, t) && largestWeights(r, t) > 0.95 }, is(verdict.Right),
		[]string{"Each client mixes models", "nearly one"}, []string{"spread"}},
	{"not split yet", "algos=cfl&dphi=20&T=4", 4, oneCluster, is(verdict.Shared),
		[]string{"The one cluster is not split yet: its mean update is "}, nil},
	{"alone with its noise", "algos=local&dphi=20&b=5&T=60", 60,
		func(r *trace.Run, t int) bool { return at(r, t).Loss > 0.04 }, is(verdict.None),
		[]string{"own samples alone", "times the noise floor"}, nil},
	{"nothing to find", "algos=ifca&dphi=0&T=30", 30,
		func(r *trace.Run, t int) bool { return moves(r, t) >= 2 }, is(verdict.Nothing),
		[]string{"no model is the better one"}, []string{"chance can flip"}},
	{"nothing but noise", "algos=cflgp&dphi=0&T=30", 30, func(*trace.Run, int) bool { return true }, is(verdict.Nothing),
		[]string{"15 so far", "What is left is noise."}, []string{"gap"}},
	{"nothing remembered", "algos=cflgp&beta=1&dphi=4&b=5&T=40", 40,
		func(r *trace.Run, t int) bool { return wrong(r, t) && strangers(r, t) >= 4 }, is(verdict.Misplaced),
		[]string{"gradients of this round alone", "nearer to another group"}, []string{"averages", "remembers"}},
	{"compared once", "algos=flexcfl&dphi=3&b=5&T=10", 10,
		func(r *trace.Run, t int) bool { return wrong(r, t) && strangers(r, t) >= 4 }, is(verdict.Misplaced),
		[]string{"compares clients once", "nearer to another group"}, []string{"enough"}},
}

// TestPlantedCauses: where settings force a cause, and an independent measurement confirms that it is at work, the sentence
// names it in at least 95 of 100 seeds.
func TestPlantedCauses(t *testing.T) {
	seeds := 100
	if testing.Short() {
		seeds = 10
	}
	var table strings.Builder
	for _, p := range plantedCauses {
		j, atWork, named := judge(), 0, 0
		for seed := 1; seed <= seeds; seed++ {
			run := record(t, fmt.Sprintf("%s&sd=%d&sm=%d&sa=%d", p.query, seed, seed, seed))
			if !p.atWork(run, p.round) {
				continue
			}
			atWork++
			v := j.Lane(run, 0, p.round)
			ok := slices.Contains(p.kinds, v.Kind) && v.Short != "" &&
				slices.Contains(v.Hollow, true) == (v.Kind == verdict.Misplaced)
			for _, part := range p.want {
				ok = ok && strings.Contains(v.Cause, part)
			}
			for _, part := range p.not {
				ok = ok && !strings.Contains(v.Cause, part)
			}
			if ok {
				named++
			} else {
				t.Logf("%s: seed %d: %q, %q", p.query, seed, v.Head, v.Cause)
			}
		}
		fmt.Fprintf(&table, "%-16s %-40s %3d at work, %3d named\n", run0(p.query), p.cause, atWork, named)
		if atWork < seeds/2 {
			t.Errorf("%s: %s is at work in %d of %d seeds: the settings do not force it", p.query, p.cause, atWork, seeds)
		}
		if 100*named < 95*atWork {
			t.Errorf("%s: %s is named in %d of %d seeds", p.query, p.cause, named, atWork)
		}
	}
	t.Logf("method, planted cause, share right of %d seeds:\n%s", seeds, table.String())
}

// run0 returns the method of a query with one lane.
func run0(query string) string {
	_, rest, _ := strings.Cut(query, "algos=")
	method, _, _ := strings.Cut(rest, "&")
	return method
}
