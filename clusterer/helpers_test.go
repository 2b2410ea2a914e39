package clusterer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// source returns the random source every test draws from. Failure texts carry
// the seed.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// gaussian returns independent standard normal entries.
func gaussian(r *rand.Rand, rows, cols int) *Matrix {
	m := new(Matrix)
	m.Reshape(rows, cols)
	for i := range m.Data {
		m.Data[i] = r.NormFloat64()
	}
	return m
}

// uniform returns entries uniform in [0, 1). Unlike NormFloat64 it needs no
// logarithm, so its bits are the same on every platform.
func uniform(r *rand.Rand, rows, cols int) *Matrix {
	m := new(Matrix)
	m.Reshape(rows, cols)
	for i := range m.Data {
		m.Data[i] = r.Float64()
	}
	return m
}

// blobs returns n points with unit noise about k random centres, and which.
func blobs(r *rand.Rand, n, cols, k int, pitch float64) (*Matrix, []int) {
	centres, points, truth := uniform(r, k, cols), gaussian(r, n, cols), make([]int, n)
	for i := range truth {
		truth[i] = i % k
		axpy(pitch, centres.Row(i%k), points.Row(i))
	}
	return points, truth
}

// separated returns n points with unit noise about k places, each 30 out on an
// axis of its own, and which.
func separated(r *rand.Rand, n, k int) (*Matrix, []int) {
	points, truth := gaussian(r, n, k), make([]int, n)
	for i := range truth {
		truth[i] = i % k
		points.Row(i)[i%k] += 30
	}
	return points, truth
}

// randomLabels returns n labels uniform in 0 … k−1.
func randomLabels(r *rand.Rand, n, k int) []int {
	labels := make([]int, n)
	for i := range labels {
		labels[i] = r.IntN(k)
	}
	return labels
}

// renamed returns labels with perm applied.
func renamed(labels, perm []int) []int {
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = perm[l]
	}
	return out
}

func (m *Matrix) clone() *Matrix {
	c := new(Matrix)
	c.copyFrom(m)
	return c
}

func (m *Matrix) equal(o *Matrix) bool {
	return m.Rows == o.Rows && m.Cols == o.Cols && slices.Equal(m.Data, o.Data)
}

// wantPanic fails unless f panics with a message of this package.
func wantPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		text, prefix := fmt.Sprint(recover()), "clusterer: "
		if len(text) < len(prefix) || text[:len(prefix)] != prefix {
			t.Errorf("%s: panic = %q, want one that starts with %q", name, text, prefix)
		}
	}()
	f()
}
