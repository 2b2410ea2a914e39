package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/fl"
)

// updateRig is a server whose clients answer every task with the rows of a table.
func updateRig(t testing.TB, name string, updates [][]float32, words ...string) *rig {
	r := newRig(t, name, len(updates), len(updates[0]), nil, words...)
	r.answer = func(i int, task *fl.Task, reply *fl.Reply) {
		for n := range task.Updates {
			copy(roomFor(reply, n, len(updates[i])), updates[i])
		}
	}
	return r
}

// TestFeSEM: the models that clients arrive at are clustered, every centre is the
// mean of its clients', and in later rounds clients go to the nearest.
func TestFeSEM(t *testing.T) {
	updates := [][]float32{{-1, 0}, {4, 4}, {-1.5, 0}, {4, 5}}
	r := updateRig(t, "fesem", updates, "K=2", "lr=1")
	clear(r.bank.Params)
	r.bank.Model(0)[0], r.bank.Model(0)[1] = 10, 20
	if r.play(0); !samePartition(r.label, []int{0, 1, 0, 1}) || !r.round.Reclustered {
		t.Fatalf("labels %v, News %v, want [0 1 0 1] or its like, and true", r.label, r.round.Reclustered)
	}
	left, right := r.label[0], r.label[1]
	if want := []float32{11.25, 20}; !slices.Equal(r.bank.Model(left), want) {
		t.Errorf("one centre at %v, want %v", r.bank.Model(left), want)
	}
	if want := []float32{6, 15.5}; !slices.Equal(r.bank.Model(right), want) {
		t.Errorf("the other at %v, want %v", r.bank.Model(right), want)
	}
	// Client 0 now arrives next to the other centre, and stays of its kind.
	copy(updates[0], []float32{5, 5})
	copy(updates[1], []float32{0, 0})
	copy(updates[2], []float32{1, 0})
	copy(updates[3], []float32{0, 1})
	r.play(1)
	if want := []int{right, right, left, right}; !slices.Equal(r.label, want) {
		t.Errorf("labels %v, want %v", r.label, want)
	}
	if want := []float32{float32((6.25 + 6 + 6) / 3), float32((15 + 15.5 + 14.5) / 3)}; !slices.Equal(r.bank.Model(right), want) {
		t.Errorf("the mean of three is %v, want %v", r.bank.Model(right), want)
	}
	// What it decided by: client 0 at (6.25, 15).
	got := r.embedding().Row(0)
	if math.Abs(got[right]-math.Hypot(0.25, 0.5)) > 1e-6 || math.Abs(got[left]-math.Hypot(5, 5)) > 1e-6 {
		t.Errorf("distances of client 0 are %v, want %v and %v", got, math.Hypot(5, 5), math.Hypot(0.25, 0.5))
	}
	if r.sends != 2 || r.traffic.Down != 2*4*2 || r.traffic.Up != 2*4*2 {
		t.Errorf("%d exchanges and traffic %+v, want 2, 16 down, 16 up", r.sends, r.traffic)
	}
}

// TestFeSEMBegins: nothing moves until as many clients as there are models have
// trained the start model, in whichever round.
func TestFeSEMBegins(t *testing.T) {
	updates := [][]float32{{1, 0}, {2, 0}, {9, 0}, {9.5, 0}, {1.5, 0}}
	r := updateRig(t, "fesem", updates, "K=3", "lr=1")
	before := slices.Clone(r.bank.Model(0))
	r.attend(0, []int{0, 2, 3}, []int{2})
	if r.round.Reclustered || !slices.Equal(r.bank.Model(0), before) {
		t.Errorf("after two clients of three: News %v, model %v, want false and %v", r.round.Reclustered, r.bank.Model(0), before)
	}
	r.attend(1, []int{1, 2}, nil)
	if !r.round.Reclustered || !samePartition(r.label[:4], []int{0, 0, 1, 1}) && !samePartition(r.label[:4], []int{0, 1, 2, 2}) && !samePartition(r.label[:4], []int{0, 1, 2, 3}) {
		t.Errorf("after four: News %v, labels %v", r.round.Reclustered, r.label)
	}
	r.attend(2, nil, nil)
	if r.round.Reclustered {
		t.Error("a round without clients is news")
	}
}

// TestFeSEMAsReleased: with one start and other centres elsewhere, all go to one
// centre, which takes over the first client's model.
func TestFeSEMAsReleased(t *testing.T) {
	updates := [][]float32{{-1, 0}, {4, 4}, {-1.5, 0}, {4, 5}}
	r := updateRig(t, "fesem", updates, "K=2", "lr=1", "centers=released")
	copy(r.bank.Params, []float32{1, 1, 100, 100})
	if r.play(0); !slices.Equal(r.label, []int{0, 0, 0, 0}) || !slices.Equal(r.bank.Params, []float32{2, 1, 100, 100}) {
		t.Errorf("labels %v and models %v, want zeros and [2 1 100 100]", r.label, r.bank.Params)
	}
}
