package algorithm

import (
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// softRig is FedSoft over clients with given weights, whose own models are
// (1), (2), (4), …
func softRig(t *testing.T, u [][]float32, samples []int, words ...string) *algotest.Rig {
	r := algotest.NewRig(t, "fedsoft", len(u), 1, samples, append(words, "K=2")...)
	r.Bank.Params[0], r.Bank.Params[1] = 10, 20
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		if task.Call == proximalEstimate {
			reply.Answer = append(reply.Answer[:0], u[i]...)
		} else {
			reply.Answer = append(reply.Answer[:0], float32(int(1)<<i))
		}
	}
	return r
}

// TestFedSoftCentres: a centre is the mean of all models under v = u·n, and the
// label is the largest u.
func TestFedSoftCentres(t *testing.T) {
	r := softRig(t, [][]float32{{1, 1e-4}, {0.5, 0.5}, {1e-4, 1}}, []int{2, 1, 4})
	r.Play(0)
	want := []float64{(2*1 + 0.5*2 + 4e-4*4) / (2 + 0.5 + 4e-4), (2e-4*1 + 0.5*2 + 4*4) / (2e-4 + 0.5 + 4)}
	for k, w := range want {
		if got := float64(r.Bank.Params[k]); !algotest.Near(got, w) {
			t.Errorf("centre %d is %v, want %v", k, got, w)
		}
	}
	if want := []int{0, 0, 1}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v, want %v", r.Label, want)
	}
	for i, row := range [][]float64{{1 / 1.0001, 1e-4 / 1.0001}, {0.5, 0.5}} {
		if got := r.Server.(fl.Mixer).Mixture().Row(i); !algotest.Near(got[0], row[0]) ||
			!algotest.Near(got[0]+got[1], 1) {
			t.Errorf("client %d: mixture %v, want %v", i, got, row)
		}
	}
}

// TestFedSoftTraffic: an estimate costs K models down and K numbers up, and makes
// what draws the client known; otherwise that is one model. Own models come up.
func TestFedSoftTraffic(t *testing.T) {
	r := softRig(t, [][]float32{{1, 0.2}, {0.5, 0.5}}, nil, "est=3")
	down, up := int64(0), int64(0)
	for round := range 7 {
		if r.Play(round); round%3 == 0 {
			down, up = down+2*2, up+2*(2+1)
		} else {
			down, up = down+2*1, up+2*1
		}
		if want := (fl.Traffic{Down: down, Up: up}); r.Traffic != want {
			t.Errorf("after round %d traffic %+v, want %+v", round, r.Traffic, want)
		}
	}
}

// TestFedSoftPull: without an estimate the client is sent Σ u c / Σ u.
func TestFedSoftPull(t *testing.T) {
	r := softRig(t, [][]float32{{1, 0.25}}, nil, "est=2")
	var with []float32
	inner := r.Answer
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		with = slices.Clone(task.With)
		inner(i, task, reply)
	}
	r.Play(0)
	r.Bank.Params[0], r.Bank.Params[1] = 10, 20
	if r.Play(1); len(with) != 1 || !algotest.Near(float64(with[0]), (10+0.25*20)/1.25) {
		t.Errorf("a client with weights 1 and 0.25 of 10 and 20 is sent %v, want 12", with)
	}
}

// TestFedSoftDraws: each centre draws so many clients, none twice, and a client
// that is drawn by none is left alone; a draw follows v.
func TestFedSoftDraws(t *testing.T) {
	u := [][]float32{{1, 1e-4}, {1, 1e-4}, {1e-4, 1}, {1e-4, 1}, {0.5, 0.5}}
	often := make([]int, len(u))
	r := softRig(t, u, nil, "draws=1", "est=1")
	const rounds = 2000
	for round := range rounds {
		trained := 0
		inner := r.Answer
		r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
			if task.Call == proximalTrain {
				trained++
				often[i]++
			}
			inner(i, task, reply)
		}
		r.Play(round)
		r.Answer = inner
		if trained < 1 || trained > 2 {
			t.Fatalf("round %d: %d clients train, want one a centre", round, trained)
		}
	}
	// Client 0 is drawn with probability 1/2.5 by centre 0, and client 4 with
	// 0.5/2.5 by either: 0.4 and 1 − 0.8². Five standard deviations are 0.055.
	for i, want := range []float64{0.4, 0.4, 0.4, 0.4, 0.36} {
		if got := float64(often[i]) / rounds; got < want-0.055 || got > want+0.055 {
			t.Errorf("client %d trains in %v of the rounds, want about %v", i, got, want)
		}
	}
}

// TestFedSoftDrawsThoseThereAre: where fewer clients have a weight for a centre than it
// would draw, it draws these, and no other one.
func TestFedSoftDrawsThoseThereAre(t *testing.T) {
	r := softRig(t, [][]float32{{1, 0}, {1, 0}, {1, 0}, {0, 1}}, nil, "draws=3", "est=1")
	r.Bank.Params[1] = 20
	for round := range 20 {
		if r.Play(round); r.Bank.Params[1] != 8 {
			t.Fatalf("round %d: the centre of client 3 alone is %v, want its model, 8", round, r.Bank.Params[1])
		}
		if got := r.Bank.Params[0]; !algotest.Near(float64(got), 7./3) {
			t.Fatalf("round %d: the centre of the others is %v, want the mean of all three", round, got)
		}
	}
}

// TestProximalByHand: u counts the best centre of each sample, σ where there is
// none; the first own model is the first centre; the gradient is that of the loss
// plus λU(w − c̄).
func TestProximalByHand(t *testing.T) {
	d, p := algotest.ThreeSamples(0), newProximal(2, 0.5)
	if worn := make([]float32, 1); true {
		if p.Personalize(worn, []float32{7}, d); worn[0] != 7 {
			t.Errorf("before it has a model of its own a client wears %v, want the given 7", worn)
		}
	}
	if u, want := p.Do(nil, proximalEstimate, nil, d), []float32{2. / 3, 1. / 3}; !slices.Equal(u, want) {
		t.Errorf("u = %v, want %v: the tie counts for the first", u, want)
	}
	// w = 0: the mean loss has slope (0 − 2 − 6)/3; c̄ = 2/3 and U = 1.
	want := 0 - 0.1*(-8./3+0.5*(0-2./3))
	if w := p.Do(nil, proximalTrain, nil, d); len(w) != 1 || !algotest.Near(float64(w[0]), want) {
		t.Errorf("trained to %v, want %v", w, want)
	}
	// Now drawn to 5 by one model that came along.
	slope := 2.0 / 3 * (3*want - 4)
	next := want - 0.1*(slope+0.5*(want-5))
	if w := p.Do(nil, proximalTrain, []float32{5}, d); !algotest.Near(float64(w[0]), next) {
		t.Errorf("trained to %v, want %v", w, next)
	}
	worn := make([]float32, 1)
	if p.Personalize(worn, []float32{7}, d); !algotest.Near(float64(worn[0]), next) {
		t.Errorf("a client wears %v, want its own %v", worn, next)
	}
	d.Models[1] = []float32{900}
	if u := p.Do(nil, proximalEstimate, nil, d); u[0] != 1 || u[1] != 1e-4 {
		t.Errorf("u = %v, want 1 and σ", u)
	}
}
