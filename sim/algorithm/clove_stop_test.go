package algorithm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// settlingRig is a CLoVE whose clients prefer the model of their kind and train it
// somewhat; kinds may be changed between rounds. A newcomer's losses on models
// that come along are by the first parameter of each, its kind's being least.
func settlingRig(t testing.TB, of []int, models int, words ...string) *algotest.Rig {
	r := algotest.NewRig(
		t,
		"clove",
		len(of),
		2,
		nil,
		append([]string{fmt.Sprint("K=", models), "settle=stable"}, words...)...)
	loss := func(i int, first float32) float64 {
		d := float64(first) - float64(10*of[i])
		return float64(d*d) + 0.01*float64(i)
	}
	for k := range models {
		r.Bank.Model(k)[0] = float32(10*k + 1)
	}
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		if task.Losses {
			for k := range models {
				reply.Losses[k] = loss(i, r.Bank.Model(k)[0])
			}
		}
		if task.Call == reportLosses {
			reply.Answer = reply.Answer[:0]
			for with := task.With; len(with) > 0; with = with[2:] {
				reply.Answer = append(reply.Answer, float32(loss(i, with[0])))
			}
		}
		for n := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, 2), []float32{0.01, 1})
		}
	}
	return r
}

// TestSettling: after N rounds with the same models clients are compared no more,
// and a round costs d each way (spec 6.6 and 6.9).
func TestSettling(t *testing.T) {
	const d, models = 2, 3
	for _, n := range []int{2, 3, 5} {
		of := []int{0, 0, 1, 1, 2, 2}
		r := settlingRig(t, of, models, fmt.Sprint("calm=", n))
		for round := range 12 {
			before := r.Traffic
			r.Play(round)
			down, up := (r.Traffic.Down-before.Down)/6, (r.Traffic.Up-before.Up)/6
			wantDown, wantUp := int64(models*d), int64(models+d)
			if round >= n {
				wantDown, wantUp = d, d
			}
			if down != wantDown || up != wantUp || r.Round.Stopped != (round == n) ||
				r.Round.Reclustered != (round < n) {
				t.Errorf("N = %d: round %d costs %d down and %d up, frozen %v, news %v, want %d and %d, %v, %v",
					n, round, down, up, r.Round.Stopped, r.Round.Reclustered, wantDown, wantUp, round == n, round < n)
			}
			if !slices.Equal(r.Label, of) {
				t.Errorf("N = %d: round %d: labels %v, want %v", n, round, r.Label, of)
			}
		}
	}
}

// TestSettlingNeedsEqualModels: A, B, A is not stable, though its first and last
// are equal (spec 15, test p).
func TestSettlingNeedsEqualModels(t *testing.T) {
	of := []int{0, 0, 1, 1, 2, 2}
	r := settlingRig(t, of, 3)
	for round := range 30 {
		of[0] = []int{0, 1}[round%2]
		if r.Play(round); r.Round.Stopped || !r.Round.Reclustered {
			t.Fatalf("round %d: settled while client 0 goes back and forth", round)
		}
	}
	of[0] = 1 // as in round 29: its second equal one
	for round := 30; round < 33; round++ {
		if r.Play(round); r.Round.Stopped != (round == 32) {
			t.Errorf("round %d: frozen %v, want it after the third equal model", round, r.Round.Stopped)
		}
	}
}

// TestSettlingShare: some of a round's clients may be restless.
func TestSettlingShare(t *testing.T) {
	for _, tt := range []struct {
		agree  string
		frozen bool
	}{{"1", false}, {"0.9", false}, {"0.75", true}} {
		of := []int{0, 0, 1, 1, 2, 2, 2, 1}
		r, frozen := settlingRig(t, of, 3, "agree="+tt.agree), false
		for round := range 8 {
			of[0], of[7] = []int{0, 1}[round%2], []int{1, 2}[round%2]
			r.Play(round)
			frozen = frozen || r.Round.Stopped
		}
		if frozen != tt.frozen {
			t.Errorf("agree=%s with 6 of 8 clients settled: frozen %v, want %v", tt.agree, frozen, tt.frozen)
		}
	}
}

// TestNewcomer: who comes after the others have settled is given the model of its
// kind by one look at the models and mean losses that were kept, in the order of
// models; it pays for K models once (spec 6.7; 15, test m).
func TestNewcomer(t *testing.T) {
	const d, models, calm = 2, 4, 3
	for _, words := range [][]string{nil, {"sqrt=1"}, {"by=ward"}, {"bestk=silhouette", "most=4"}} {
		of := []int{3, 3, 1, 1, 0, 0, 2, 2, 3, 1, 0, 2} // the last four come late
		r := settlingRig(t, of, models, words...)
		old := []int{0, 1, 2, 3, 4, 5, 6, 7}
		for round := range 6 {
			r.PlayWith(round, old)
		}
		if !slices.Equal(r.Label[:8], of[:8]) {
			t.Fatalf("%v: labels %v, want %v", words, r.Label[:8], of[:8])
		}
		// The models move away: by these nobody could tell.
		for k := range models {
			r.Bank.Model(k)[0] = 1000
		}
		before, present := r.Traffic, slices.Clone(r.Bank.Params)
		r.PlayWith(6, []int{0, 2, 8, 9, 11}, 11)
		if got := r.Label[8:10]; !slices.Equal(got, of[8:10]) {
			t.Errorf("%v: newcomers of kinds %v get models %v", words, of[8:10], got)
		}
		// Two old clients, two new ones, and one that drops out when it has
		// received the models.
		want := fl.Traffic{Down: before.Down + 2*d + 2*(models*d+d) + models*d, Up: before.Up + 2*d + 2*(models+d)}
		if r.Traffic != want {
			t.Errorf("%v: traffic %+v, want %+v", words, r.Traffic, want)
		}
		if r.Bank.Model(3)[1] == present[3*d+1] || r.Bank.Model(2)[1] != present[2*d+1] {
			t.Errorf("%v: models %v after %v, want model 3 moved by its old and its new client, model 2 left alone", words,
				r.Bank.Params, present)
		}
		before = r.Traffic
		r.PlayWith(7, []int{8, 9, 10, 11})
		if !slices.Equal(r.Label, of) {
			t.Errorf("%v: labels %v, want %v", words, r.Label, of)
		}
		want = fl.Traffic{Down: before.Down + 4*d + 2*models*d, Up: before.Up + 4*d + 2*models}
		if r.Traffic != want {
			t.Errorf("%v: traffic %+v, want %+v: known clients cost d", words, r.Traffic, want)
		}
	}
}

// TestNewcomerIsMeasuredAsTheOthersWere: the mean losses that are kept belong to
// the models that are kept, and roots are taken on both sides or neither.
func TestNewcomerIsMeasuredAsTheOthersWere(t *testing.T) {
	for _, root := range []bool{false, true} {
		of := []int{0, 0, 1, 1}
		r := settlingRig(t, of, 2, fmt.Sprintf("sqrt=%v", map[bool]int{false: 0, true: 1}[root]))
		for round := range 5 {
			r.Play(round)
		}
		s := r.Server.(*clove).earlyStop
		for j := range 2 {
			for k, got := range s.At.Row(j) {
				want := 0.0
				for _, i := range []int{2 * j, 2*j + 1} {
					diff := float64(s.bank[2*k]) - 10*float64(j)
					l := float64(diff*diff) + 0.01*float64(i)
					if root {
						l = math.Sqrt(l)
					}
					want += l / 2
				}
				if math.Abs(got-want) > 1e-9*max(1, want) {
					t.Errorf("sqrt %v: mean loss of model %d's clients on model %d = %v, want %v by the models that are kept", root, j,
						k, got, want)
				}
			}
		}
	}
}
