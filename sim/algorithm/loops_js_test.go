package algorithm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/kernel"
)

// TestLoopsKeepBits: k-means comes to the same bits with Go's loops and with the
// module's, where clusters are apart, where points coincide, where there are more
// centroids than points, and where numbers are none.
func TestLoopsKeepBits(t *testing.T) {
	if !kernel.Available() {
		t.Skip("there is no module")
	}
	defer clusterer.Use(kernel.KMeans)
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		points := clusterer.Matrix{Rows: 1 + r.IntN(30), Cols: 1 + r.IntN(6)}
		points.Data = make([]float64, points.Rows*points.Cols)
		for i := range points.Data {
			switch points.Data[i] = r.NormFloat64() + float64(3*(i/points.Cols%3)); seed % 4 {
			case 1:
				points.Data[i] = math.Round(points.Data[i]) // points coincide
			case 2:
				if r.IntN(40) == 0 {
					points.Data[i] = []float64{math.Inf(1), math.NaN(), 1e200, math.Copysign(0, -1)}[r.IntN(4)]
				}
			}
		}
		k := 1 + r.IntN(7)
		fit := func(l clusterer.Loops) string {
			clusterer.Use(l)
			km := clusterer.KMeans{Iterations: []int{0, 1, 2}[seed%3]}
			km.Fit(&points, k, rand.New(rand.NewPCG(seed, 8)))
			first := told(&km)
			start := clusterer.Matrix{Rows: k, Cols: points.Cols, Data: make([]float64, k*points.Cols)}
			for j := range start.Data {
				start.Data[j] = points.Data[j%points.Cols] // all but one are empty
			}
			km.FitFrom(&points, &start)
			return first + told(&km)
		}
		if want, got := fit(clusterer.Loops{}), fit(kernel.KMeans); got != want {
			t.Fatalf("seed %d, %d points of %d columns, k = %d:\n%s with the module's loops, want\n%s", seed,
				points.Rows,
				points.Cols, k, got, want)
		}
	}
}

// told is the result to the bit; a number that is none is like any other such.
func told(km *clusterer.KMeans) string {
	bits := []uint64{math.Float64bits(km.Inertia)}
	for _, v := range km.Centroids.Data {
		bits = append(bits, math.Float64bits(v))
	}
	for i, b := range bits {
		if math.IsNaN(math.Float64frombits(b)) {
			bits[i] = math.Float64bits(math.NaN())
		}
	}
	return fmt.Sprintf("%v %d %x\n", slices.Clone(km.Labels), km.Steps, bits)
}
