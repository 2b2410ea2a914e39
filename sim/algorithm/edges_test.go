package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// TestIFCADividesByAnswers: with divide=all the divisor is the number of clients whose
// answers arrived, not of those that were asked; who dropped out moves no model.
func TestIFCADividesByAnswers(t *testing.T) {
	losses := [][]float64{{3, 1, 2}, {1, 3, 3}, {3, 1, 9}, {9, 3, 4}, {5, 5, 5}, {1, 2, 3}}
	// Client i's gradient is (i+1, its model).
	tests := []struct {
		here []int
		lost []bool
		want []float32
	}{
		{[]int{0, 1, 2, 3, 4, 5}, []bool{false, true, false, false, true, false},
			[]float32{-0.5 * 6 / 4., 0, -0.5 * (1 + 3 + 4) / 4., -0.5 * 3 / 4., 0, 0}},
		{[]int{1, 2, 3}, []bool{false, false, false, true, false, false},
			[]float32{-0.5 * 2 / 2., 0, -0.5 * 3 / 2., -0.5 * 1 / 2., 0, 0}},
		{[]int{1, 2}, []bool{false, true, true, false, false, false}, []float32{0, 0, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		r := lossRig(t, "ifca", losses, nil, "K=3", "lr=0.5", "divide=all")
		r.Round.Begin(0)
		r.Round.SetParticipants(tt.here, tt.lost)
		r.Server.Round(r.Round)
		if !slices.Equal(r.Bank.Params, tt.want) {
			t.Errorf("of clients %v, lost %v, models move to %v, want %v", tt.here, tt.lost, r.Bank.Params, tt.want)
		}
	}
}

// TestCLoVEUnheard: where K is searched for, losses of clients that have not been heard
// are 0, whatever was clustered to make room before the first round.
func TestCLoVEUnheard(t *testing.T) {
	losses := [][]float64{{3, 1, 2}, {1, 3, 3}, {3, 1, 9}, {9, 3, 4}, {5, 5, 5}, {1, 2, 3}}
	for _, words := range [][]string{{"K=3"}, {"bestk=silhouette", "most=3"}} {
		r := lossRig(t, "clove", losses, nil, words...)
		here := []int{0, 1, 3, 5}
		r.Round.Begin(0)
		r.Round.SetParticipants(here, make([]bool, len(losses)))
		r.Server.Round(r.Round)
		for i := range losses {
			row, heard := r.Embedding().Row(i), slices.Contains(here, i)
			if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) != heard {
				t.Errorf("%q: client %d was heard: %v, and has the losses %v", words, i, heard, row)
			}
		}
	}
}

// TestVariance: the mean squared distance from the mean.
func TestVariance(t *testing.T) {
	for _, tt := range []struct {
		x    []float64
		want float64
	}{{[]float64{5}, 0}, {[]float64{1, 3}, 1}, {[]float64{0, 0, 2, 6}, 6}, {[]float64{-4, -4}, 0}} {
		if got := variance(tt.x); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("variance(%v) = %v, want %v", tt.x, got, tt.want)
		}
	}
}

// TestModelsStartAlike: copies of one model at the start, for whichever method.
func TestModelsStartAlike(t *testing.T) {
	for _, name := range []string{"cflgp", "clove"} {
		r := algotest.NewRig(t, name, 6, 4, nil, "start=same")
		for k := range r.Bank.Models() {
			r.Bank.Model(k)[k] = float32(k + 1)
		}
		r.Server.Start(
			&fl.Env{Exchange: r.Round.Exchange, Clients: 6, Models: r.Bank.Models(), Size: 4,
				Samples: []int{1, 1, 1, 1, 1, 1}, Seed: 1},
			r.Label,
		)
		for k := range r.Bank.Models() {
			if !slices.Equal(r.Bank.Model(k), []float32{1, 0, 0, 0}) {
				t.Errorf("%s: model %d starts at %v, want that of model 0", name, k, r.Bank.Model(k))
			}
		}
	}
}
