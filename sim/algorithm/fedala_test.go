package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// TestFedALAClient: the first model is taken whole; from the second round on the
// head is mixed, by weights that follow the gradient at the mixed model, batch by
// batch, and stay between 0 and 1 (spec 9.3, steps 2 to 5).
func TestFedALAClient(t *testing.T) {
	d := newSeat(t)
	size, head := d.net.Size(), d.net.Head()
	m := &mixing{rate: 3, share: 1, tolerance: 1e9} // steady as soon as it may be
	gradient, trained := make([]float32, size), make([]float32, size)
	step := func(from []float32) {
		d.net.Gradient(gradient, from, d.batch)
		for j := range trained {
			trained[j] = from[j] - 0.5*gradient[j]
		}
	}
	step(d.params)
	if got := m.Do(nil, opMixTrain, nil, d); !slices.Equal(got, trained) || len(d.looks) != 0 {
		t.Fatalf("the first answer is %v after %d looks, want %v after none", got, len(d.looks), trained)
	}
	mine := slices.Clone(trained)
	weights := make([]float32, head.Len())
	for j := range weights {
		weights[j] = 1
	}
	for round, global := range [][]float32{slices.Clone(d.params), slices.Clone(d.params)} {
		for j := range global {
			global[j] += float32(j%3) * 0.5 * float32(round+1)
		}
		d.params, d.looks = global, nil
		mixed := slices.Clone(global)
		mix := func() {
			for j, w := range weights {
				mixed[head.Lo+j] = mine[head.Lo+j] + (global[head.Lo+j]-mine[head.Lo+j])*w
			}
		}
		passes := []int{11, 1}[round]
		for range passes {
			for low := 0; low < 5; low += 2 {
				mix()
				d.net.Gradient(gradient, mixed, d.Samples(low, min(low+2, 5)))
				for j := range weights {
					weights[j] = min(max(weights[j]-3*gradient[head.Lo+j]*(global[head.Lo+j]-mine[head.Lo+j]), 0), 1)
				}
			}
		}
		mix()
		step(mixed)
		d.looks = nil
		got := m.Do(nil, opMixTrain, nil, d)
		if len(d.looks) != 1+3*passes {
			t.Errorf("round %d: %d looks, want one for features and %d passes of 3 batches", round+2, len(d.looks), passes)
		}
		for j, want := range trained {
			if math.Abs(float64(got[j]-want)) > 1e-4 {
				t.Errorf("round %d: answer[%d] = %v, want %v", round+2, j, got[j], want)
			}
		}
		inner := 0
		for _, w := range weights {
			if w > 0 && w < 1 {
				inner++
			}
		}
		if inner == 0 {
			t.Errorf("round %d: weights %v prove little", round+2, weights)
		}
		mine = slices.Clone(got)
		// What the client uses then: the same mix with what comes next.
		worn, want := make([]float32, size), slices.Clone(global)
		for j, w := range weights {
			want[head.Lo+j] = mine[head.Lo+j] + (global[head.Lo+j]-mine[head.Lo+j])*w
		}
		m.Personalize(worn, global, d)
		for j := range want {
			if math.Abs(float64(worn[j]-want[j])) > 1e-4 {
				t.Errorf("round %d: wears %v at %d, want %v", round+2, worn[j], j, want[j])
			}
		}
	}
}

// TestFedALAPasses: the first time ends at the latest after 50 passes, and the
// stretch of samples is as long as it should be.
func TestFedALAPasses(t *testing.T) {
	d := newSeat(t)
	m := &mixing{rate: 1, share: 0.5, tolerance: 0}
	m.Do(nil, opMixTrain, nil, d)
	m.Do(nil, opMixTrain, nil, d)
	if len(d.looks) != 1+passes {
		t.Errorf("%d looks, want one for features and %d", len(d.looks), passes)
	}
	for _, l := range d.looks {
		if l[1]-l[0] != 2 || l[0] < 0 || l[1] > 5 {
			t.Errorf("looked at %v, want 2 of 5 samples", l)
		}
	}
	if d.looks = nil; len(m.Do(nil, opMixTrain, nil, d)) != d.net.Size() || len(d.looks) != 2 {
		t.Errorf("later %d looks, want 2", len(d.looks))
	}
}

// TestFedALAServer: the mean of models by samples; everybody has the common one.
func TestFedALAServer(t *testing.T) {
	r := algotest.NewRig(t, "fedala", 2, 2, []int{1, 3}, "lr=0.5")
	r.Answer = func(i int, _ *fl.Task, reply *fl.Reply) {
		reply.Answer = append(reply.Answer[:0], float32(4*i), 8)
	}
	r.Play(0)
	if want := []float32{3, 8}; !slices.Equal(r.Bank.Params, want) {
		t.Errorf("the model is %v, want %v", r.Bank.Params, want)
	}
	if want := (fl.Traffic{Down: 4, Up: 4}); r.Traffic != want {
		t.Errorf("traffic %+v, want %+v", r.Traffic, want)
	}
}
