// Package numeric holds small numeric functions that several methods use. Ties go to the first.
package numeric

import (
	"math"
	"slices"

	"flockscope/sim/exact"
)

// Softmax replaces logarithms by probabilities with a sum of 1. The largest is subtracted first, so that it never divides 0
// by 0.
func Softmax(x []float64) {
	largest := slices.Max(x)
	sum := 0.0
	for k := range x {
		x[k] = exact.Exp(x[k] - largest)
		sum += x[k]
	}
	for k := range x {
		x[k] /= sum
	}
}

// Finite returns a loss as a finite number: a loss of a diverged model that is not finite becomes the largest float32.
func Finite(loss float32) float64 {
	if loss < math.MaxFloat32 {
		return float64(loss)
	}
	return math.MaxFloat32
}

// SetEqual sets every weight to 1/n.
func SetEqual(dst []float32, n int) {
	for k := range dst {
		dst[k] = 1 / float32(n)
	}
}

// Uniform sets equal weights with a sum of 1.
func Uniform(dst []float32) { SetEqual(dst, len(dst)) }

// Repeat gives every sample the same model weights: dst has one row per model.
func Repeat(dst, weights []float32) {
	n := len(dst) / len(weights)
	for j := range dst {
		dst[j] = weights[j/n]
	}
}

// MinWeight is the least weight of a model for a client in logarithms, so that a weight of 0 can grow again.
const MinWeight = 1e-30

// Argmax returns the index of the largest value, the first on ties. Values that are not numbers are ignored.
func Argmax(values []float64) (best int) {
	for k, v := range values {
		if v > values[best] || math.IsNaN(values[best]) && !math.IsNaN(v) {
			best = k
		}
	}
	return best
}

// AddTo adds x to dst.
func AddTo(dst, x []float32) {
	for j, v := range x {
		dst[j] += v
	}
}

// Cosine returns the cosine of the angle between two vectors, from their inner product and squared lengths; 0 if one is 0.
func Cosine(xy, xx, yy float64) float64 {
	if !(xx > 0) || !(yy > 0) {
		return 0
	}
	return max(-1, min(xy/(math.Sqrt(xx)*math.Sqrt(yy)), 1))
}

// Range returns 0 to n − 1.
func Range(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
