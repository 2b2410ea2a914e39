package model

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Under weights that are all 1 the gradient is the plain one, and with a sample
// weighted twice it is that of a batch that has the sample twice.
func TestWeighted(t *testing.T) {
	const size = 12
	classes := 3
	net := perceptron(Samples{Shape: flat(4), Classes: classes}, []int{5})
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 0))
		for _, m := range []Model{net, Linear{Intercept: true}} {
			var b Batch
			b.Resize(size, m.Inputs())
			for i := range b.X {
				b.X[i] = float32(r.NormFloat64())
			}
			for i := range b.Y {
				b.Y[i] = float32(r.IntN(classes))
			}
			params := make([]float32, m.Size())
			for i := range params {
				params[i] = float32(r.NormFloat64())
			}
			want, got := make([]float32, m.Size()), make([]float32, m.Size())
			weights := make([]float32, size)
			for i := range weights {
				weights[i] = 1
			}
			compare := func(what string, scale float64, loss, wantLoss float64) {
				t.Helper()
				if math.Abs(loss*scale-wantLoss) > 1e-5*(1+wantLoss) {
					t.Errorf("seed %d, %T, %s: loss %v, want %v", seed, m, what, loss*scale, wantLoss)
				}
				for j := range want {
					d := math.Abs(float64(got[j])*scale - float64(want[j]))
					if d > 1e-5*(1+math.Abs(float64(want[j]))) {
						t.Errorf("seed %d, %T, %s: gradient[%d] = %v, want %v", seed, m, what, j, float64(got[j])*scale,
							want[j])
					}
				}
			}
			wantLoss := m.Gradient(want, params, b)
			compare("all ones", 1, m.Weighted(got, params, b, weights), wantLoss)

			// Sample 0 twice, sample 1 not at all.
			weights[0], weights[1] = 2, 0
			loss := m.Weighted(got, params, b, weights)
			n := m.Inputs()
			copy(b.X[n:2*n], b.X[:n])
			b.Y[1] = b.Y[0]
			compare("one twice", 1, loss, m.Gradient(want, params, b))
		}
	}
}
