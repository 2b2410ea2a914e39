package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// compass is an ICFL whose clients' updates point as a table of degrees says, each
// as long as its client's number and one more.
func compass(t testing.TB, degrees []float64, samples []int, words ...string) *algotest.Rig {
	r := algotest.NewRig(t, "icfl", len(degrees), 2, samples, words...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		for n := range task.Updates {
			v := direction(degrees[i])
			copy(algotest.UpdateBuffer(reply, n, 2), []float32{v[0] * float32(i+1), v[1] * float32(i+1)})
		}
	}
	return r
}

// TestICFLThreshold: a(t) of the specification, 8.1.
func TestICFLThreshold(t *testing.T) {
	for _, tt := range []struct {
		alpha float64
		want  [4]float64 // at t = 1, 10, 20 and 50
	}{{0.85, [4]float64{0.08, 0.54, 0.79, 0.98}}, {0.98, [4]float64{0.04, 0.32, 0.53, 0.85}}} {
		s := &icfl{epsilon: 4, alpha: tt.alpha}
		for n, at := range []int{1, 10, 20, 50} {
			if got := s.threshold(at); math.Abs(got-tt.want[n]) > 0.0051 {
				t.Errorf("α₀ = %v: a(%d) = %v, want %v", tt.alpha, at, got, tt.want[n])
			}
		}
	}
}

// TestICFLSplits: two directions at right angles have a connectivity of one half,
// which the threshold passes when 1 − (e/4)^(t/4.91) > 1/2, in round t = 9; what is
// left pulls one way and stays. The sides begin where the pool was, take their
// clients' updates of this round, and a client costs d each way, always.
func TestICFLSplits(t *testing.T) {
	const rate = 0.5
	degrees := []float64{0, 90, 0, 90, 90, 0}
	samples := []int{1, 2, 3, 4, 5, 6}
	r := compass(t, degrees, samples, "lr=0.5", "amax=0.6")
	for round := range 30 {
		before, pool := r.Traffic, slices.Clone(r.Bank.Model(0))
		r.Play(round)
		if r.Traffic.Down-before.Down != 12 || r.Traffic.Up-before.Up != 12 {
			t.Errorf("round %d costs %+v after %+v, want d each way", round, r.Traffic, before)
		}
		want := []int{0, 0, 0, 0, 0, 0}
		if round+1 >= 9 {
			want = []int{1, 2, 1, 2, 2, 1}
		}
		if !slices.Equal(r.Label, want) {
			t.Fatalf("round %d: labels %v, want %v", round, r.Label, want)
		}
		if round+1 == 9 {
			east := (1*1 + 3*3 + 6*6) / 10. // lengths by samples
			north := (2*2 + 4*4 + 5*5) / 11.
			for k, want := range map[int][]float64{1: {float64(pool[0]) - rate*east, float64(pool[1])},
				2: {float64(pool[0]), float64(pool[1]) - rate*north}} {
				for j, got := range r.Bank.Model(k) {
					if math.Abs(float64(got)-want[j]) > 1e-5 {
						t.Errorf("round %d: model %d = %v, want %v from the pool's %v", round, k, r.Bank.Model(k),
							want, pool)
					}
				}
			}
		}
		if round+1 >= 9 {
			for j, got := range r.Bank.Model(0) {
				if want := (10*float64(r.Bank.Model(1)[j]) + 11*float64(r.Bank.Model(2)[j])) / 21; math.Abs(
					float64(got)-want) > 1e-5 {
					t.Errorf("round %d: the pool's model = %v, want the mean of the clusters' by samples", round,
						r.Bank.Model(0))
				}
			}
		}
	}
}

// TestICFLNewcomers: who comes when there are clusters joins the one that pulls as
// it does, and one that drops out stays in the pool; who misses a round keeps its
// cluster.
func TestICFLNewcomers(t *testing.T) {
	degrees := []float64{0, 90, 1, 91, 89, -1, 80, 10, 95}
	r := compass(t, degrees, nil, "amax=0.6")
	for round := range 12 {
		r.PlayWith(round, []int{0, 1, 2, 3, 4, 5})
	}
	if !slices.Equal(r.Label, []int{1, 2, 1, 2, 2, 1, 0, 0, 0}) {
		t.Fatalf("labels %v: this proves nothing", r.Label)
	}
	r.PlayWith(12, []int{0, 6, 7, 8}, 8)
	if want := []int{1, 2, 1, 2, 2, 1, 2, 1, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v, want %v", r.Label, want)
	}
}

// TestICFLBounds: with no model for a second side nothing is split, and with a
// bound on the threshold nothing that is better connected.
func TestICFLBounds(t *testing.T) {
	degrees := []float64{0, 90, 0, 90, 45, 45, 20, 70}
	for _, tt := range []struct {
		words    []string
		clusters int
	}{
		{[]string{"most=1", "amax=1"}, 1}, {[]string{"most=2", "amax=1"}, 2}, {[]string{"most=3", "amax=1"}, 3},
		{[]string{"amax=0.1"}, 1}, {[]string{"alpha0=0.99", "eps0=3"}, 1},
	} {
		r := compass(t, degrees, nil, tt.words...)
		for round := range 60 {
			r.Play(round)
		}
		if got := len(slices.Compact(slices.Sorted(slices.Values(r.Label)))); got != tt.clusters {
			t.Errorf("%v: labels %v, want %d clusters", tt.words, r.Label, tt.clusters)
		}
	}
	// Nobody pulls: no direction, no cluster, no number that is none.
	r := compass(t, degrees, nil)
	r.Answer = func(_ int, task *fl.Task, reply *fl.Reply) { clear(algotest.UpdateBuffer(reply, 0, 2)) }
	for round := range 30 {
		r.Play(round)
	}
	for _, v := range r.Embedding().Data {
		if v != 0 {
			t.Errorf("updates of zero have the feature %v", v)
		}
	}
}
