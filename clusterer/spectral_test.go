package clusterer

import (
	"math"
	"testing"
)

// The features are the same whichever of A·Aᵀ and Aᵀ·A they come from. A column
// of zeros makes a square matrix tall, and a row of zeros makes it wide, without
// changing the features of the other rows.
func TestSpectralEitherSide(t *testing.T) {
	for seed := range uint64(40) {
		r := source(seed)
		n := 2 + r.IntN(12)
		a := gaussian(r, n, n)
		tall := new(Matrix)
		tall.Reshape(n+1, n)
		clear(tall.Data)
		copy(tall.Data, a.Data)

		var sp Spectral
		var viaRows, viaColumns Matrix
		sp.Fit(&viaRows, a, n)
		top := sp.Values[0]
		sp.Fit(&viaColumns, tall, n)
		for i, want := range viaRows.Data {
			if got := viaColumns.Data[i]; math.Abs(got-want) > 1e-6*top {
				t.Errorf("seed %d: feature %d via AᵀA = %v, want %v as via AAᵀ", seed, i, got, want)
			}
		}
	}
}

// Features are the part of A in the leading directions: all of them together
// keep every inner product between rows, F·Fᵀ = A·Aᵀ.
func TestSpectralKeepsInnerProducts(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {3, 8}, {8, 3}, {20, 20}, {70, 50}} {
		a := gaussian(source(uint64(size[0])), size[0], size[1])
		var sp Spectral
		var f Matrix
		sp.Fit(&f, a, min(size[0], size[1]))
		for i := range a.Rows {
			for j := range a.Rows {
				got, want := dot(f.Row(i), f.Row(j)), dot(a.Row(i), a.Row(j))
				if !near(got, want, 1e-9) {
					t.Errorf("%v: features %d · %d = %v, want %v", size, i, j, got, want)
				}
			}
		}
	}
}

func TestSpectralSigns(t *testing.T) {
	// Rank one, A = u·vᵀ: the sign that makes v's largest component positive.
	a := &Matrix{2, 3, []float64{1, -2, 0.5, -1, 2, -0.5}}
	var sp Spectral
	var dst Matrix
	sp.Fit(&dst, a, 2)
	s := math.Sqrt(1 + 4 + 0.25)
	for i, want := range []float64{-s, 0, s, 0} {
		if got := dst.Data[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("dst.Data[%d] = %v, want %v", i, got, want)
		}
	}
	tests := []struct {
		name string
		v    []float64
		want float64
	}{
		{"largest", []float64{1, -2, 1}, -1},
		{"first of a tie", []float64{0, 2, -2}, 1},
		{"tie to the last bits", []float64{-2 * (1 - 1e-15), 2}, -1},
		{"zeros", []float64{0, 0}, 1},
		{"empty", nil, 1},
	}
	for _, tt := range tests {
		if got := signOf(tt.v); got != tt.want {
			t.Errorf("%s: signOf(%v) = %v, want %v", tt.name, tt.v, got, tt.want)
		}
	}
}

// Beyond the rank the error of the squares must not pass for a direction.
func TestSpectralRank(t *testing.T) {
	for seed := range uint64(50) {
		r := source(seed)
		rank := r.IntN(4)
		a := new(Matrix)
		a.Reshape(4+r.IntN(8), 4+r.IntN(8))
		clear(a.Data)
		for range rank {
			row := gaussian(r, 1, a.Cols).Data
			for i := range a.Rows {
				axpy(r.NormFloat64(), row, a.Row(i))
			}
		}
		var sp Spectral
		var dst Matrix
		sp.Fit(&dst, a, 4)
		for j, s := range sp.Values {
			if (s > 0) != (j < rank) {
				t.Errorf("seed %d: Values = %v, want %d that are not 0", seed, sp.Values, rank)
				break
			}
		}
		for i := range a.Rows {
			for j := rank; j < 4; j++ {
				if dst.Row(i)[j] != 0 {
					t.Errorf("seed %d: row %d has features %v, want 0 from %d on", seed, i, dst.Row(i), rank)
				}
			}
		}
	}
}

func TestSpectralDegenerate(t *testing.T) {
	tests := []struct {
		name string
		a    Matrix
	}{
		{"no rows", Matrix{0, 3, nil}},
		{"no columns", Matrix{3, 0, nil}},
		{"zeros", Matrix{2, 3, make([]float64, 6)}},
		{"not a number", Matrix{2, 2, []float64{1, 2, math.NaN(), 4}}},
		{"infinite", Matrix{2, 1, []float64{1, math.Inf(-1)}}},
		{"square overflows", Matrix{1, 2, []float64{1e200, 1}}},
	}
	var sp Spectral
	dst := gaussian(source(1), 3, 3) // something to be overwritten
	for _, tt := range tests {
		sp.Fit(dst, &tt.a, 2)
		if dst.Rows != tt.a.Rows || dst.Cols != 2 || len(sp.Values) != min(tt.a.Rows, tt.a.Cols) {
			t.Errorf("%s: dst %d × %d, %d values", tt.name, dst.Rows, dst.Cols, len(sp.Values))
		}
		for _, x := range append(dst.Data, sp.Values...) {
			if x != 0 {
				t.Errorf("%s: dst = %v, Values = %v, want zeros", tt.name, dst.Data, sp.Values)
				break
			}
		}
	}
	wantPanic(t, "negative n", func() { sp.Fit(dst, gaussian(source(1), 2, 2), -1) })
}

func TestSpectralLeavesInput(t *testing.T) {
	for _, a := range []*Matrix{gaussian(source(1), 5, 9), gaussian(source(1), 9, 5)} {
		before := a.clone()
		var sp Spectral
		var dst Matrix
		sp.Fit(&dst, a, 3)
		if !a.equal(before) {
			t.Error("Spectral changed its input")
		}
	}
}
