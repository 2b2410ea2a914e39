package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// desk is one client by hand: a line, and samples that can be counted.
type desk struct {
	fl.ClientContext // for what is not asked here
	models           [][]float32
	samples          model.Batch
	epochs           int
	own              []float32
	scratch          [16][]float32
}

func (d *desk) Protocol() fl.Protocol          { return fl.Protocol{Rate: 0.1, Epochs: d.epochs, Digits: -1} }
func (d *desk) Model() model.Model             { return model.Linear{} }
func (d *desk) Network() *model.Network        { return nil }
func (d *desk) Params(k int) []float32         { return d.models[k] }
func (d *desk) Probe() model.Batch             { return d.samples }
func (d *desk) Held() int                      { return d.samples.N }
func (d *desk) Samples(int, int) model.Batch   { return d.samples }
func (d *desk) State() *[]float32              { return &d.own }
func (d *desk) Stream(rng.Purpose) *rng.Stream { return nil }

func (d *desk) Scratch(slot, n int) []float32 {
	if cap(d.scratch[slot]) < n {
		d.scratch[slot] = make([]float32, n)
	}
	d.scratch[slot] = d.scratch[slot][:n]
	return d.scratch[slot]
}

// Update is one gradient on all samples, by number where there are epochs.
func (d *desk) Update(dst, params []float32, gradient fl.Gradient) {
	if d.epochs > 0 {
		gradient(dst, params, d.samples, inOrder)
		return
	}
	gradient(dst, params, d.samples, nil)
}

var inOrder = []int32{0, 1, 2}

// threeSamples is a desk with the samples (1, 0), (1, 1), (1, 3) and slopes of
// 0 and 2, whose losses are 0, 1, 9 and 4, 1, 1.
func threeSamples(epochs int) *desk {
	return &desk{models: [][]float32{{0}, {2}}, epochs: epochs,
		samples: model.Batch{X: []float32{1, 1, 1}, Y: []float32{0, 1, 3}, N: 3}}
}

// sigmoid is the responsibility of the first of two models that is better by gap.
func sigmoid(gap float64) float64 { return 1 / (1 + math.Exp(-gap)) }

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(a), math.Abs(b)) }

// TestEMByHand compares two rounds of a client with the formulas: γ from losses
// and ω, ω the mean of γ, and per model the gradient of (1/N) Σ γ ℓ.
func TestEMByHand(t *testing.T) {
	for _, epochs := range []int{0, 1} {
		d, em := threeSamples(epochs), &em{models: 2}
		omega := 0.5
		for round := range 2 {
			odds := math.Log(omega / (1 - omega))
			gamma := []float64{sigmoid(odds + 4), sigmoid(odds + 0), sigmoid(odds - 8)}
			answer := em.Do(nil, emTrain, nil, d)
			omega = (gamma[0] + gamma[1] + gamma[2]) / 3
			// ∂ℓ/∂w = 2(wx − y)x
			first := (gamma[0]*0 + gamma[1]*-2 + gamma[2]*-6) / 3
			second := ((1-gamma[0])*4 + (1-gamma[1])*2 + (1-gamma[2])*-2) / 3
			if len(answer) != 2 || !near(float64(answer[0]), first) || !near(float64(answer[1]), second) {
				t.Errorf("epochs %d, round %d: updates %v, want %v and %v", epochs, round, answer, first, second)
			}
			if !near(float64(d.own[0]), omega) || !near(float64(d.own[0]+d.own[1]), 1) {
				t.Errorf("epochs %d, round %d: weights %v, want %v and the rest to 1", epochs, round, d.own, omega)
			}
			omega = float64(d.own[0])
		}
	}
}

// TestEMEqualModels: between equal models the weights never change.
func TestEMEqualModels(t *testing.T) {
	d, em := threeSamples(1), &em{models: 2}
	d.models[1] = d.models[0]
	d.own = []float32{0.25, 0.75}
	em.Do(nil, emTrain, nil, d)
	if !near(float64(d.own[0]), 0.25) || !near(float64(d.own[1]), 0.75) {
		t.Errorf("weights go from 0.25 and 0.75 to %v", d.own)
	}
}

// TestEMFarOff: losses that no exponential survives still decide, whether a model
// is off by much or both are beyond float32; and a weight of 0 can come back.
func TestEMFarOff(t *testing.T) {
	tests := []struct {
		name string
		w    [2]float32
		own  []float32
		want float32 // weight of the first
	}{
		{"both far", [2]float32{1e6, 2e6}, nil, 1},
		{"both beyond float32", [2]float32{1e30, 2e30}, nil, 0.5},
		{"one not a number", [2]float32{1, float32(math.NaN())}, nil, 1},
		{"given up, and needed", [2]float32{1, 100}, []float32{0, 1}, 1},
	}
	for _, tt := range tests {
		d, em := threeSamples(1), &em{models: 2}
		d.models, d.own = [][]float32{tt.w[:1], tt.w[1:]}, tt.own
		em.Do(nil, emTrain, nil, d)
		if d.own[0] != tt.want || d.own[1] != 1-tt.want {
			t.Errorf("%s: weights %v, want %v and %v", tt.name, d.own, tt.want, 1-tt.want)
		}
	}
}

// TestEMWeigh: uniform before the first round, the client's weights after it.
func TestEMWeigh(t *testing.T) {
	d, em, w := threeSamples(1), &em{models: 2}, make([]float32, 4)
	two := model.Batch{N: 2}
	if em.Weigh(w, two, d); !slices.Equal(w, []float32{0.5, 0.5, 0.5, 0.5}) {
		t.Errorf("weights at the start %v, want halves", w)
	}
	em.Do(nil, emTrain, nil, d)
	if em.Weigh(w, two, d); !slices.Equal(w, []float32{d.own[0], d.own[0], d.own[1], d.own[1]}) {
		t.Errorf("weights after a round %v, want %v", w, d.own)
	}
}

// TestEMAllocates nothing once it has worked.
func TestEMAllocates(t *testing.T) {
	d, em := threeSamples(1), &em{models: 2}
	dst := em.Do(nil, emTrain, nil, d)
	if n := testing.AllocsPerRun(100, func() { dst = em.Do(dst[:0], emTrain, nil, d) }); n > 0.5 {
		t.Errorf("Do allocates %v times, want 0", n)
	}
}

// TestFedEMMeans: a model's mean weighs clients by samples, or by samples times
// their weight of the model.
func TestFedEMMeans(t *testing.T) {
	omega := [][]float32{{0.9, 0.1}, {0.5, 0.5}, {0, 1}}
	samples := []int{1, 3, 4}
	for _, tt := range []struct {
		words []string
		want  []float32
	}{
		{nil, []float32{-(1*1 + 3*2 + 4*3) / 8., -(1*10 + 3*20 + 4*30) / 8.}},
		{[]string{"mean=weight"}, []float32{-float32((0.9*1 + 1.5*2) / 2.4), -float32((0.1*10 + 1.5*20 + 4*30) / 5.6)}},
	} {
		r := newRig(t, "fedem", 3, 1, samples, append(tt.words, "K=2", "avg=model")...)
		r.answer = func(i int, _ *fl.Task, reply *fl.Reply) {
			reply.Answer = []float32{float32(i + 1), float32(10 * (i + 1))}
			reply.ClientState = omega[i]
		}
		r.play(0)
		for j, v := range r.bank.Params {
			if !near(float64(v), float64(tt.want[j])) {
				t.Errorf("%v: models %v, want %v", tt.words, r.bank.Params, tt.want)
				break
			}
		}
		if want := []int{0, 0, 1}; !slices.Equal(r.label, want) {
			t.Errorf("%v: labels %v, want %v, the first of equals", tt.words, r.label, want)
		}
		if got := r.server.(fl.Mixer).Mixture().Row(2); got[0] != 0 || got[1] != 1 {
			t.Errorf("%v: mixture %v, want 0 and 1", tt.words, got)
		}
		if want := (fl.Traffic{Down: 3 * 2, Up: 3 * 2}); r.traffic != want {
			t.Errorf("%v: traffic %+v, want %+v: weights stay with the clients", tt.words, r.traffic, want)
		}
	}
}
