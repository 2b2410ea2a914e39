// Package numeric holds small functions of numbers that several methods use. Ties go to the first;
// numbers that are not finite are told apart where a function says so.
package numeric

import (
	"math"
	"slices"

	"flockscope/sim/exact"
)

// Softmax turns logarithms into probabilities that add up to 1, in place. The
// largest is taken off first: it never divides 0 by 0, however far below zero
// all of them are.
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

// Finite returns a loss as a number that can be reckoned with: models that run
// away have losses beyond float32, and all of them are equally bad.
func Finite(loss float32) float64 {
	if loss < math.MaxFloat32 {
		return float64(loss)
	}
	return math.MaxFloat32
}

// Even sets weights of which so many add up to 1.
func Even(dst []float32, n int) {
	for k := range dst {
		dst[k] = 1 / float32(n)
	}
}

// Uniform sets weights that add up to 1.
func Uniform(dst []float32) { Even(dst, len(dst)) }

// Repeat gives every sample the same weights of models: dst has a row a model.
func Repeat(dst, weights []float32) {
	n := len(dst) / len(weights)
	for j := range dst {
		dst[j] = weights[j/n]
	}
}

// MinWeight is the least weight that a model has for a client, so that a model once
// given up can come back.
const MinWeight = 1e-30

// Argmax returns the place of the greatest value, the first of equals.
func Argmax(values []float64) (best int) {
	for k, v := range values {
		if v > values[best] || math.IsNaN(values[best]) && !math.IsNaN(v) {
			best = k
		}
	}
	return best
}

func AddTo(dst, x []float32) {
	for j, v := range x {
		dst[j] += v
	}
}

// Cosine returns that of the angle between two vectors, from their inner product
// and squared lengths; 0 if one has no length.
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
