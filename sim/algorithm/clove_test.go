package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// lossRig is a CLoVE or IFCA whose clients answer with the losses of a table.
func lossRig(t testing.TB, name string, losses [][]float64, samples []int, words ...string) *algotest.Rig {
	r := algotest.NewRig(t, name, len(losses), 2, samples, words...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		if task.Losses || task.PickBest {
			copy(reply.Losses, losses[i])
		}
		n := 0
		if task.PickBest {
			for k, l := range reply.Losses {
				if l < reply.Losses[reply.Picked] || k == 0 {
					reply.Picked = k
				}
			}
			copy(algotest.UpdateBuffer(reply, 0, 2), []float32{float32(i + 1), float32(reply.Picked)})
			n = 1
		}
		for _, k := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, 2), []float32{float32(i + 1), float32(k)})
			n++
		}
	}
	return r
}

// TestCLoVEMatching: groups of similar loss vectors get a model each, no model
// twice, by the least sum of losses (spec 6.4, step 6).
func TestCLoVEMatching(t *testing.T) {
	tests := []struct {
		name   string
		losses [][]float64
		words  []string
		want   []int
	}{
		{"each its best", [][]float64{{1, 9, 9}, {9, 1, 9}, {9, 9, 1}}, []string{"K=3"}, []int{0, 1, 2}},
		{"each its best, renamed", [][]float64{{9, 9, 1}, {1, 9, 9}, {9, 1, 9}}, []string{"K=3"}, []int{2, 0, 1}},
		{"all like model 0: distinct models all the same", [][]float64{{1, 5}, {1, 5}, {2, 3}, {2, 3}}, []string{"K=2"},
			[]int{0, 0, 1, 1}},
		// One client of the first kind would lose 4.5 by model 1, two of
		// the other kind 2.5 each: sums decide for the two, means or a
		// majority would not.
		{"sums, not means", [][]float64{{1, 5.5}, {8, 10.5}, {8, 10.5}}, []string{"K=2"}, []int{1, 0, 0}},
		{"more models than kinds", [][]float64{{1, 2, 3, 4}, {1, 2, 3, 4}, {4, 3, 2, 1}, {4, 3, 2, 1}}, []string{"K=4"},
			[]int{0, 0, 3, 3}},
		{"identical start models still separate", [][]float64{{1, 1}, {7, 7}, {1.1, 1.1}, {6.8, 6.8}}, []string{"K=2"},
			[]int{0, 1, 0, 1}},
		{"identical models, three kinds", [][]float64{{9, 9, 9}, {1, 1, 1}, {5, 5, 5}}, []string{"K=3"}, nil},
	}
	for _, tt := range tests {
		r := lossRig(t, "clove", tt.losses, nil, tt.words...)
		r.Play(0)
		if tt.want == nil { // which is which is a tie; that they differ is not
			seen := slices.Sorted(slices.Values(r.Label))
			if len(slices.Compact(seen)) != len(tt.losses) {
				t.Errorf("%s: losses %v get models %v, want distinct ones", tt.name, tt.losses, r.Label)
			}
			continue
		}
		if len(tt.name) > 9 && tt.name[:9] == "identical" {
			if r.Label[0] == r.Label[1] || r.Label[0] != r.Label[2] || r.Label[1] != r.Label[3] {
				t.Errorf("%s: losses %v get models %v, want two kinds", tt.name, tt.losses, r.Label)
			}
			continue
		}
		if !slices.Equal(r.Label, tt.want) {
			t.Errorf("%s: losses %v get models %v, want %v", tt.name, tt.losses, r.Label, tt.want)
		}
	}
}

// TestCLoVEMatchingIsOptimal compares the summed losses with every permutation.
func TestCLoVEMatchingIsOptimal(t *testing.T) {
	losses := [][]float64{{1, 4, 9}, {1.2, 4.1, 8.8}, {2, 1, 3}, {2.1, 1.2, 3.3}, {2.2, 0.9, 3.1}, {5, 2, 6},
		{5.1, 2.2, 6.2}}
	r := lossRig(t, "clove", losses, nil, "K=3")
	r.Play(0)
	group := r.Server.(*clove).parts.Labels
	total := func(of []int) (sum float64) {
		for i, g := range group {
			sum += losses[i][of[g]]
		}
		return sum
	}
	got := 0.0
	for i, k := range r.Label {
		got += losses[i][k]
	}
	for _, perm := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		if sum := total(perm); sum < got-1e-12 {
			t.Errorf("clusters %v get models %v at a loss of %v, the matching %v costs %v", group, r.Label, got,
				perm, sum)
		}
	}
}

// TestCLoVESquareRoots: sqrt=1 changes what is clustered and what the matching
// sums, both (spec 6.4, step 4).
func TestCLoVESquareRoots(t *testing.T) {
	losses := [][]float64{{16, 25}, {16, 25}, {1, 4}}
	for _, tt := range []struct {
		words []string
		want  []float64
	}{{[]string{"K=2"}, []float64{16, 25, 16, 25, 1, 4}}, {[]string{"K=2", "sqrt=1"}, []float64{4, 5, 4, 5, 1, 2}}} {
		r := lossRig(t, "clove", losses, nil, tt.words...)
		if r.Play(0); !slices.Equal(r.Embedding().Data, tt.want) {
			t.Errorf("%v clusters %v, want %v", tt.words, r.Embedding().Data, tt.want)
		}
	}
	// Clustering: by losses client 1 is nearer to 0, by roots to 2.
	losses = [][]float64{{0.01, 0.01}, {36, 36}, {100, 100}}
	plain, root := lossRig(t, "clove", losses, nil, "K=2"), lossRig(t, "clove", losses, nil, "K=2", "sqrt=1")
	plain.Play(0)
	root.Play(0)
	if plain.Label[1] != plain.Label[0] || root.Label[1] != root.Label[2] {
		t.Errorf("losses 0.01, 36, 100 get models %v, and by roots %v, want 36 with the first and with the last",
			plain.Label,
			root.Label)
	}
	// Matching: swapping costs 30 − 27 by losses, and saves by roots.
	losses = [][]float64{{100, 121}, {1, 4}}
	plain, root = lossRig(t, "clove", losses, nil, "K=2"), lossRig(t, "clove", losses, nil, "K=2", "sqrt=1")
	plain.Play(0)
	root.Play(0)
	// Sums of losses: 100+4 < 121+1; of roots: 10+2 > 11+1 is a tie, broken to the lexicographic first.
	if !slices.Equal(plain.Label, []int{0, 1}) {
		t.Errorf("losses %v get models %v, want [0 1]", losses, plain.Label)
	}
	losses = [][]float64{{100, 120}, {1, 4}}
	plain, root = lossRig(t, "clove", losses, nil, "K=2"), lossRig(t, "clove", losses, nil, "K=2", "sqrt=1")
	plain.Play(0)
	root.Play(0)
	if math.Sqrt(100)+math.Sqrt(4) < math.Sqrt(120)+math.Sqrt(1) {
		t.Fatal("the example is wrong")
	}
	if !slices.Equal(plain.Label, []int{0, 1}) || !slices.Equal(root.Label, []int{1, 0}) {
		t.Errorf("losses %v get models %v, and by roots %v, want [0 1] and [1 0]", losses, plain.Label, root.Label)
	}
}

// TestCLoVEWeights: a model moves by the mean over its clients, weighted with
// their numbers of samples (spec 6.4, step 9).
func TestCLoVEWeights(t *testing.T) {
	losses := [][]float64{{1, 9}, {1, 9}, {9, 1}, {9, 1}, {9, 1}}
	samples := []int{10, 30, 1, 2, 5}
	r := lossRig(t, "clove", losses, samples, "K=2", "lr=0.5")
	r.Play(0)
	// Client i's gradient is (i+1, its model).
	want := []float32{-0.5 * (10*1 + 30*2) / 40., 0, -0.5 * (1*3 + 2*4 + 5*5) / 8., -0.5}
	if !slices.Equal(r.Bank.Params, want) {
		t.Errorf("models move to %v, want %v", r.Bank.Params, want)
	}
	if r.Sends != 2 {
		t.Errorf("a round takes %d exchanges, want losses and then gradients", r.Sends)
	}
}

// TestCLoVEForgets: every round starts from the losses alone.
func TestCLoVEForgets(t *testing.T) {
	losses := [][]float64{{1, 9}, {1, 9}, {9, 1}, {9, 1}}
	r := lossRig(t, "clove", losses, nil, "K=2")
	for round := range 5 {
		r.Play(round)
		want := []int{0, 0, 1, 1}
		if round%2 == 1 {
			want = []int{1, 1, 0, 0}
		}
		if !slices.Equal(r.Label, want) || !r.Round.Reclustered {
			t.Errorf("round %d: losses %v get models %v, want %v", round, losses, r.Label, want)
		}
		for i := range losses {
			slices.Reverse(losses[i])
		}
	}
}
