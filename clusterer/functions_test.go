package clusterer

import (
	"math"
	"testing"
)

// ulps returns the distance of got from want in units of the last place of want.
func ulps(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

// math's functions are within one unit of the truth where these tests run, so
// that theirs and ours differ by at most three.
func TestFunctions(t *testing.T) {
	r := source(1)
	for range 100000 {
		x := math.Ldexp(0.5+r.Float64(), r.IntN(200)-100)
		if r.IntN(2) == 0 {
			x = 1 + (r.Float64()-0.5)/64
		}
		if got, want := ln(x), math.Log(x); ulps(got, want) > 3 {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
		y := math.Ldexp(0.5+r.Float64(), r.IntN(80)-40)
		if got, want := angle(y, x), math.Atan2(y, x); ulps(got, want) > 3 {
			t.Fatalf("angle(%v, %v) = %v, want %v", y, x, got, want)
		}
	}
}

func TestAngleOfTriangle(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct{ y, x, want float64 }{
		{0, 0, 0}, {0, 1, 0}, {1, 0, math.Pi / 2}, {1, 1, math.Pi / 4}, {1e-300, 1, 1e-300}, {1, inf, 0}, {inf, 1, math.Pi / 2},
		{nan, 1, nan}, {1, nan, nan}, {inf, inf, nan},
	}
	for _, tt := range tests {
		if got := angle(tt.y, tt.x); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("angle(%v, %v) = %v, want %v", tt.y, tt.x, got, tt.want)
		}
	}
}

// The singular values of one-sided rotations, against a matrix made to have them.
func TestJacobi(t *testing.T) {
	for seed := range uint64(60) {
		r := source(seed)
		n, cols := 1+r.IntN(6), 6+r.IntN(20)
		left, right := gaussian(r, n, n), gaussian(r, n, cols)
		for range 2 {
			for i := range n {
				orthonormalize(left, i)
				orthonormalize(right, i)
			}
		}
		want, m := make([]float64, n), new(Matrix)
		m.Reshape(n, cols)
		clear(m.Data)
		for k := range n {
			want[k] = math.Ldexp(1+r.Float64(), -3*(n-1-k))
			for i := range n {
				axpy(want[k]*left.Row(i)[k], right.Row(k), m.Row(i))
			}
		}
		for k, got := range singularValues(nil, m) {
			if math.Abs(got-want[k]) > 1e-15*float64(n+1) {
				t.Errorf("seed %d: singular value %d = %v, want %v", seed, k, got, want[k])
			}
		}
	}
	m := &Matrix{2, 2, []float64{math.NaN(), 1, math.Inf(1), 2}}
	jacobi(m) // neither panics nor hangs
}
