package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// updateRig is a server whose clients answer every task with the rows of a table.
func updateRig(t testing.TB, name string, updates [][]float32, words ...string) *algotest.Rig {
	r := algotest.NewRig(t, name, len(updates), len(updates[0]), nil, words...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		for n := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, len(updates[i])), updates[i])
		}
	}
	return r
}

// TestFeSEM: the models that clients arrive at are clustered, every centre is the
// mean of its clients', and in later rounds clients go to the nearest.
func TestFeSEM(t *testing.T) {
	updates := [][]float32{{-1, 0}, {4, 4}, {-1.5, 0}, {4, 5}}
	r := updateRig(t, "fesem", updates, "K=2", "lr=1")
	clear(r.Bank.Params)
	r.Bank.Model(0)[0], r.Bank.Model(0)[1] = 10, 20
	if r.Play(0); !samePartition(r.Label, []int{0, 1, 0, 1}) || !r.Round.Reclustered {
		t.Fatalf("labels %v, News %v, want [0 1 0 1] or its like, and true", r.Label, r.Round.Reclustered)
	}
	left, right := r.Label[0], r.Label[1]
	if want := []float32{11.25, 20}; !slices.Equal(r.Bank.Model(left), want) {
		t.Errorf("one centre at %v, want %v", r.Bank.Model(left), want)
	}
	if want := []float32{6, 15.5}; !slices.Equal(r.Bank.Model(right), want) {
		t.Errorf("the other at %v, want %v", r.Bank.Model(right), want)
	}
	// Client 0 now arrives next to the other centre, and stays of its kind.
	copy(updates[0], []float32{5, 5})
	copy(updates[1], []float32{0, 0})
	copy(updates[2], []float32{1, 0})
	copy(updates[3], []float32{0, 1})
	r.Play(1)
	if want := []int{right, right, left, right}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v, want %v", r.Label, want)
	}
	if want := []float32{float32((6.25 + 6 + 6) / 3),
		float32((15 + 15.5 + 14.5) / 3)}; !slices.Equal(r.Bank.Model(right),
		want) {
		t.Errorf("the mean of three is %v, want %v", r.Bank.Model(right), want)
	}
	// What it decided by: client 0 at (6.25, 15).
	got := r.Embedding().Row(0)
	if math.Abs(got[right]-math.Hypot(0.25, 0.5)) > 1e-6 || math.Abs(got[left]-math.Hypot(5, 5)) > 1e-6 {
		t.Errorf("distances of client 0 are %v, want %v and %v", got, math.Hypot(5, 5), math.Hypot(0.25, 0.5))
	}
	if r.Sends != 2 || r.Traffic.Down != 2*4*2 || r.Traffic.Up != 2*4*2 {
		t.Errorf("%d exchanges and traffic %+v, want 2, 16 down, 16 up", r.Sends, r.Traffic)
	}
}

// TestFeSEMBegins: nothing moves until as many clients as there are models have
// trained the start model, in whichever round.
func TestFeSEMBegins(t *testing.T) {
	updates := [][]float32{{1, 0}, {2, 0}, {9, 0}, {9.5, 0}, {1.5, 0}}
	r := updateRig(t, "fesem", updates, "K=3", "lr=1")
	before := slices.Clone(r.Bank.Model(0))
	r.PlayWith(0, []int{0, 2, 3}, 2)
	if r.Round.Reclustered || !slices.Equal(r.Bank.Model(0), before) {
		t.Errorf("after two clients of three: News %v, model %v, want false and %v", r.Round.Reclustered,
			r.Bank.Model(0),
			before)
	}
	r.PlayWith(1, []int{1, 2})
	if !r.Round.Reclustered ||
		!samePartition(r.Label[:4], []int{0, 0, 1, 1}) && !samePartition(r.Label[:4], []int{0, 1, 2, 2}) &&
			!samePartition(r.Label[:4], []int{0, 1, 2, 3}) {
		t.Errorf("after four: News %v, labels %v", r.Round.Reclustered, r.Label)
	}
	r.PlayWith(2, nil)
	if r.Round.Reclustered {
		t.Error("a round without clients is news")
	}
}

// TestFeSEMAsReleased: with one start and other centres elsewhere, all go to one
// centre, which takes over the first client's model.
func TestFeSEMAsReleased(t *testing.T) {
	updates := [][]float32{{-1, 0}, {4, 4}, {-1.5, 0}, {4, 5}}
	r := updateRig(t, "fesem", updates, "K=2", "lr=1", "centers=released")
	copy(r.Bank.Params, []float32{1, 1, 100, 100})
	if r.Play(0); !slices.Equal(r.Label, []int{0, 0, 0, 0}) || !slices.Equal(r.Bank.Params, []float32{2, 1, 100, 100}) {
		t.Errorf("labels %v and models %v, want zeros and [2 1 100 100]", r.Label, r.Bank.Params)
	}
}
