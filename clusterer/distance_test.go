package clusterer

import (
	"math"
	"testing"
)

func TestDistancesGolden(t *testing.T) {
	type row struct {
		Name              string
		Points, Euclidean Matrix
		Cosine            Matrix
	}
	var euclidean, cosine Matrix
	for _, tt := range golden[row](t, "distances") {
		Distances(&euclidean, &tt.Points)
		Cosines(&cosine, &tt.Points)
		for at, want := range tt.Euclidean.Data {
			if got := euclidean.Data[at]; !near(got, want, 1e-14) {
				t.Errorf("%s: Distances[%d] = %v, want %v", tt.Name, at, got, want)
			}
			if got, want := cosine.Data[at], tt.Cosine.Data[at]; !near(got, want, 1e-14) {
				t.Errorf("%s: Cosines[%d] = %v, want %v", tt.Name, at, got, want)
			}
		}
	}
}

func TestDistanceProperties(t *testing.T) {
	kinds := []struct {
		name    string
		f       func(dst, points *Matrix)
		self    float64
		low, hi float64
		metric  bool
	}{
		{"Distances", Distances, 0, 0, math.Inf(1), true},
		{"Cosines", Cosines, 1, -1, 1, false},
	}
	for seed := range uint64(60) {
		r := source(seed)
		n := 1 + r.IntN(12)
		points := uniform(r, n, 1+r.IntN(6))
		copy(points.Row(n-1), points.Row(0))
		before := points.clone()
		for _, kind := range kinds {
			d := gaussian(r, 2, 3) // to be overwritten
			kind.f(d, points)
			for i := range n {
				if got := d.Row(i)[i]; got != kind.self {
					t.Errorf("seed %d: %s[%d, %d] = %v, want %v", seed, kind.name, i, i, got, kind.self)
				}
				for j := range n {
					got := d.Row(i)[j]
					if got != d.Row(j)[i] || got < kind.low || got > kind.hi {
						t.Errorf("seed %d: %s[%d, %d] = %v, %v the other way, want %v … %v", seed, kind.name, i, j, got,
							d.Row(j)[i], kind.low, kind.hi)
					}
					for k := range n {
						if via := d.Row(i)[k] + d.Row(k)[j]; kind.metric && got > via+1e-12 {
							t.Errorf("seed %d: %s from %d to %d = %v, want at most %v by way of %d", seed, kind.name, i,
								j, got, via, k)
						}
					}
				}
			}
			if got := d.Row(0)[n-1]; !near(got, kind.self, 1e-15) {
				t.Errorf("seed %d: %s of equal points = %v, want %v", seed, kind.name, got, kind.self)
			}
		}
		if !points.equal(before) {
			t.Errorf("seed %d: a distance changed its input", seed)
		}
	}
}

func TestDistanceDegenerate(t *testing.T) {
	var d Matrix
	Cosines(&d, &Matrix{3, 2, []float64{0, 0, 3, 4, -6, -8}})
	want := &Matrix{3, 3, []float64{0, 0, 0, 0, 1, -1, 0, -1, 1}}
	if !d.equal(want) {
		t.Errorf("Cosines with the origin = %v, want %v", d.Data, want.Data)
	}
	for _, f := range []func(dst, points *Matrix){Distances, Cosines} {
		if f(&d, &Matrix{0, 3, nil}); d.Rows != 0 || d.Cols != 0 {
			t.Errorf("distances of no points: %d × %d, want 0 × 0", d.Rows, d.Cols)
		}
	}
	wantPanic(t, "not square", func() { CosinesOfGram(gaussian(source(1), 2, 3)) })
}
