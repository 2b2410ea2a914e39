package hcfl

import (
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// TestFedRCShares: C is heard masses by model and class, lifted off zero and
// divided by the model's total; clients that were not heard again count as before.
func TestFedRCShares(t *testing.T) {
	tests := []struct {
		name   string
		smooth bool
		heard  [][]float32 // by client, in order; two models of two classes
		want   []float64
	}{
		{"one client", false, [][]float32{{3, 1, 0, 4}}, []float64{0.75, 0.25, 1e-8 / 4, 1}},
		{"a model without mass", false, [][]float32{{1, 1, 0, 0}}, []float64{0.5, 0.5, 0.5, 0.5}},
		{"two clients", false, [][]float32{{3, 1, 2, 2}, {1, 3, 0, 4}}, []float64{0.5, 0.5, 0.25, 0.75}},
		{"smooth", true, [][]float32{{3, 1, 0, 4}}, []float64{4. / 6, 2. / 6, 1. / 6, 5. / 6}},
	}
	for _, tt := range tests {
		c := classes{models: 2, smooth: tt.smooth}
		c.start(2)
		for i, masses := range tt.heard {
			c.set(i, masses)
		}
		for range 2 { // nothing adds up from round to round
			c.updateShares()
		}
		for n, want := range tt.want {
			if got := float64(c.shares[n]); !algotest.Near(got, want) &&
				!(want < 1e-6 && got > want/2 && got < 2*want) {
				t.Errorf("%s: shares %v, want %v", tt.name, c.shares, tt.want)
				break
			}
		}
	}
}

// TestFedRCRound: shares go down from the second round on, and are those of the
// round before; where there are no classes nothing does.
func TestFedRCRound(t *testing.T) {
	for _, classes := range []int{0, 2} {
		r := algotest.NewRig(t, "fedrc", 2, 1, nil, "K=2")
		var with [][]float32
		r.Answer = func(_ int, task *fl.Task, reply *fl.Reply) {
			with = append(with, slices.Clone(task.With))
			reply.Answer = append(reply.Answer[:0], 1, 1)
			for range 2 * classes {
				reply.Answer = append(reply.Answer, 1)
			}
			reply.ClientState = append(reply.ClientState[:0], 0.5, 0.5)
		}
		for round := range 3 {
			with = nil
			r.Play(round)
			want := []float32{}
			if round > 0 && classes > 0 {
				want = []float32{0.5, 0.5, 0.5, 0.5}
			}
			for _, got := range with {
				if !slices.Equal(got, want) {
					t.Errorf("%d classes: round %d sends %v, want %v", classes, round, got, want)
				}
			}
		}
		n := int64(classes)
		if want := (fl.Traffic{Down: 2 * (3*2 + 2*2*n), Up: 2 * 3 * (2 + 2*n)}); r.Traffic != want {
			t.Errorf("%d classes: traffic %+v, want %+v", classes, r.Traffic, want)
		}
	}
}
