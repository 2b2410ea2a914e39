package workload

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// TestMixedRegressionsApart: weights have length 1 and are Δ to 5Δ apart, for
// every distance of the paper and up to eight groups.
func TestMixedRegressionsApart(t *testing.T) {
	for seed := range 10 {
		for _, delta := range []float64{1, 0.1, 0.01, 0.001, 0.0003} {
			for _, groups := range []int{1, 2, 5, 8} {
				w := build(t, "mixreg", nil, fmt.Sprint("sd=", seed), fmt.Sprint("delta=", delta),
					fmt.Sprint("D=", groups), "C=8", "held=2").(*mixreg)
				for g, a := range w.star {
					if length := squared(a, make([]float64, inputs)); math.Abs(length-1) > 1e-12 {
						t.Errorf("seed %d, Δ = %v: weights %d have a squared length of %v", seed, delta, g, length)
					}
					for h, b := range w.star[:g] {
						if d := math.Sqrt(squared(a, b)); d < delta || d > 5*delta {
							t.Errorf("seed %d, Δ = %v: weights %d and %d are %v apart, want %v to %v", seed, delta, g,
								h, d, delta, 5*delta)
						}
					}
				}
				if len(w.star) != groups {
					t.Errorf("seed %d, Δ = %v: %d groups, want %d", seed, delta, len(w.star), groups)
				}
			}
		}
	}
}

// TestMixedRegressionsRisk: the mean loss on n samples is ‖θ−θ*‖² + σ² within 5
// standard errors; as e² of a normal e, it deviates by √2 times that over √n.
func TestMixedRegressionsRisk(t *testing.T) {
	const held = 4000
	w := build(t, "mixreg", nil, "D=3", "C=6", fmt.Sprint("held=", held), "sigma=0.3").(*mixreg)
	var s rng.Stream
	params := make([]float32, inputs)
	for client := range w.Clients() {
		for k := range 5 {
			s.Reset(1, rng.Models, k, 0)
			if w.Start(params, k, &s); k == 4 {
				for j, x := range w.star[w.group[client]] {
					params[j] = float32(x) // the right model
				}
			}
			got, want := w.network.Fresh().Loss(params, *w.of(client)), w.Risk(client, params)
			if bound := 5 * math.Sqrt2 * want / math.Sqrt(held); math.Abs(got-want) > bound {
				t.Errorf("client %d: the mean loss is %v, Risk = %v, want them within %v", client, got, want, bound)
			}
		}
	}
}

// TestMixedRegressionsDraws: draws are of the client's own samples, none twice,
// the first m of n are a draw of m, and nothing is allocated.
func TestMixedRegressionsDraws(t *testing.T) {
	w := build(t, "mixreg", nil, "C=5", "D=2", "held=60").(*mixreg)
	var s rng.Stream
	var all, few, taken model.Batch
	for client := range w.Clients() {
		s.Reset(6, rng.Samples, 2, client)
		w.Draw(&all, client, 1000, &s)
		sorted, want := slices.Sorted(slices.Values(all.Y)), slices.Sorted(slices.Values(w.of(client).Y))
		if !slices.Equal(sorted, want) || slices.Equal(all.Y, w.of(client).Y) {
			t.Errorf("client %d: a draw of everything is %v, want another order of %v", client, all.Y, w.of(client).Y)
		}
		for n := 1; n <= 60; n += 7 {
			s.Reset(6, rng.Samples, 2, client)
			w.Draw(&few, client, n, &s)
			if few.N != n || !slices.Equal(few.X, all.X[:n*inputs]) || !slices.Equal(few.Y, all.Y[:n]) {
				t.Errorf("client %d: a draw of %d is not the start of a draw of all", client, n)
			}
		}
		which := []int32{3, 59, 0}
		w.Take(&taken, client, which)
		for i, k := range which {
			if taken.Y[i] != w.of(client).Y[k] || !slices.Equal(taken.X[i*inputs:(i+1)*inputs],
				w.of(client).X[k*inputs:(k+1)*inputs]) {
				t.Errorf("client %d: Take(%v) has another sample %d", client, which, k)
			}
		}
		if n := testing.AllocsPerRun(5, func() {
			w.Draw(&all, client, 50, &s)
			w.Take(&taken, client,
				which)
		}); n != 0 {
			t.Errorf("Draw and Take allocate %v times, want 0", n)
		}
	}
}
