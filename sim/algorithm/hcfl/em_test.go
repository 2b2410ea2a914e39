package hcfl

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// TestEMByHand compares two rounds of a client with the formulas: γ from losses
// and ω, ω the mean of γ, and per model the gradient of (1/N) Σ γ ℓ.
func TestEMByHand(t *testing.T) {
	for _, epochs := range []int{0, 1} {
		d, em := algotest.ThreeSamples(epochs), &em{models: 2}
		omega := 0.5
		for round := range 2 {
			odds := math.Log(omega / (1 - omega))
			gamma := []float64{algotest.Sigmoid(odds + 4), algotest.Sigmoid(odds + 0), algotest.Sigmoid(odds - 8)}
			answer := em.Do(nil, emTrain, nil, d)
			omega = (gamma[0] + gamma[1] + gamma[2]) / 3
			// ∂ℓ/∂w = 2(wx − y)x
			first := (gamma[0]*0 + gamma[1]*-2 + gamma[2]*-6) / 3
			second := ((1-gamma[0])*4 + (1-gamma[1])*2 + (1-gamma[2])*-2) / 3
			if len(answer) != 2 || !algotest.Near(float64(answer[0]), first) ||
				!algotest.Near(float64(answer[1]), second) {
				t.Errorf("epochs %d, round %d: updates %v, want %v and %v", epochs, round, answer, first, second)
			}
			if !algotest.Near(float64(d.Own[0]), omega) || !algotest.Near(float64(d.Own[0]+d.Own[1]), 1) {
				t.Errorf("epochs %d, round %d: weights %v, want %v and the rest to 1", epochs, round, d.Own, omega)
			}
			omega = float64(d.Own[0])
		}
	}
}

// TestEMEqualModels: between equal models the weights never change.
func TestEMEqualModels(t *testing.T) {
	d, em := algotest.ThreeSamples(1), &em{models: 2}
	d.Models[1] = d.Models[0]
	d.Own = []float32{0.25, 0.75}
	em.Do(nil, emTrain, nil, d)
	if !algotest.Near(float64(d.Own[0]), 0.25) || !algotest.Near(float64(d.Own[1]), 0.75) {
		t.Errorf("weights go from 0.25 and 0.75 to %v", d.Own)
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
		d, em := algotest.ThreeSamples(1), &em{models: 2}
		d.Models, d.Own = [][]float32{tt.w[:1], tt.w[1:]}, tt.own
		em.Do(nil, emTrain, nil, d)
		if d.Own[0] != tt.want || d.Own[1] != 1-tt.want {
			t.Errorf("%s: weights %v, want %v and %v", tt.name, d.Own, tt.want, 1-tt.want)
		}
	}
}

// TestEMWeigh: uniform before the first round, the client's weights after it.
func TestEMWeigh(t *testing.T) {
	d, em, w := algotest.ThreeSamples(1), &em{models: 2}, make([]float32, 4)
	two := model.Batch{N: 2}
	if em.Weigh(w, two, d); !slices.Equal(w, []float32{0.5, 0.5, 0.5, 0.5}) {
		t.Errorf("weights at the start %v, want halves", w)
	}
	em.Do(nil, emTrain, nil, d)
	if em.Weigh(w, two, d); !slices.Equal(w, []float32{d.Own[0], d.Own[0], d.Own[1], d.Own[1]}) {
		t.Errorf("weights after a round %v, want %v", w, d.Own)
	}
}

// TestEMAllocates nothing once it has worked.
func TestEMAllocates(t *testing.T) {
	d, em := algotest.ThreeSamples(1), &em{models: 2}
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
		up    int64
	}{
		{nil, []float32{-(1*1 + 3*2 + 4*3) / 8., -(1*10 + 3*20 + 4*30) / 8.}, 3 * 2},
		{[]string{"mean=weight"}, []float32{-float32((0.9*1 + 1.5*2) / 2.4), -float32((0.1*10 + 1.5*20 + 4*30) / 5.6)},
			3 * (2 + 2)},
	} {
		r := algotest.NewRig(t, "fedem", 3, 1, samples, append(tt.words, "K=2", "avg=model")...)
		r.Answer = func(i int, _ *fl.Task, reply *fl.Reply) {
			reply.Answer = []float32{float32(i + 1), float32(10 * (i + 1))}
			reply.ClientState = omega[i]
			if len(tt.words) > 0 { // the server counts by what it is sent, not by what the client has
				reply.Answer, reply.ClientState = append(reply.Answer, omega[i]...), []float32{0.5, 0.5}
			}
		}
		r.Play(0)
		for j, v := range r.Bank.Params {
			if !algotest.Near(float64(v), float64(tt.want[j])) {
				t.Errorf("%v: models %v, want %v", tt.words, r.Bank.Params, tt.want)
				break
			}
		}
		if want := []int{0, 0, 1}; !slices.Equal(r.Label, want) {
			t.Errorf("%v: labels %v, want %v, the first of equals", tt.words, r.Label, want)
		}
		if got := r.Server.(fl.Mixer).Mixture().Row(2); got[0] != 0 || got[1] != 1 {
			t.Errorf("%v: mixture %v, want 0 and 1", tt.words, got)
		}
		if want := (fl.Traffic{Down: 3 * 2, Up: tt.up}); r.Traffic != want {
			t.Errorf("%v: traffic %+v, want %+v: weights stay with the clients unless they count", tt.words, r.Traffic, want)
		}
	}
}
