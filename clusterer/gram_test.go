package clusterer

import (
	"math"
	"slices"
	"testing"
)

// Features from inner products equal the features of the rows, bit for bit once
// the signs are those of Fit, and up to the signs before.
func TestFitGramMatchesFit(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {3, 8}, {12, 6000}, {20, 20}, {40, 700}} {
		for seed := range uint64(5) {
			a := gaussian(source(seed), size[0], size[1])
			var direct, viaGram Spectral
			var want, got, gram Matrix
			direct.Fit(&want, a, 3)
			Gram(&gram, a, 0, a.Cols)
			viaGram.Length = a.Cols
			viaGram.FitGram(&got, &gram, 3)
			for i, x := range got.Data {
				if math.Abs(x) != math.Abs(want.Data[i]) {
					t.Errorf("%v, seed %d: |FitGram[%d]| = %v, want %v", size, seed, i, math.Abs(x),
						math.Abs(want.Data[i]))
				}
			}
			if viaGram.Orient(&got, a); !got.equal(&want) || !slices.Equal(viaGram.Values, direct.Values) {
				t.Errorf("%v, seed %d: FitGram with the signs of Fit differs from it", size, seed)
			}
		}
	}
}

// In a column the first of the largest entries is positive.
func TestFitGramSigns(t *testing.T) {
	for seed := range uint64(50) {
		a := gaussian(source(seed), 6, 9)
		var sp Spectral
		var gram, dst Matrix
		Gram(&gram, a, 0, a.Cols)
		sp.FitGram(&dst, &gram, 6)
		column := make([]float64, 6)
		for j := range 6 {
			for i := range column {
				column[i] = dst.Row(i)[j]
			}
			if signOf(column) != 1 {
				t.Errorf("seed %d: column %d of FitGram = %v, want the largest positive", seed, j, column)
			}
		}
	}
}

// The inner products of whole rows are the sum over blocks of columns, wherever
// the blocks end.
func TestGramOfBlocks(t *testing.T) {
	for seed := range uint64(30) {
		r := source(seed)
		a := gaussian(r, 1+r.IntN(8), 1+r.IntN(1500))
		cut := r.IntN(a.Cols + 1)
		var whole, left, right Matrix
		Gram(&whole, a, 0, a.Cols)
		Gram(&left, a, 0, cut)
		Gram(&right, a, cut, a.Cols)
		for i := range a.Rows {
			for j := range a.Rows {
				at := i*a.Rows + j
				if got, want := left.Data[at]+right.Data[at], dot(a.Row(i), a.Row(j)); math.Abs(got-want) > 1e-10 {
					t.Errorf("seed %d: blocks of Gram (%d, %d) = %v, want %v", seed, i, j, got, want)
				}
				if whole.Data[at] != whole.Data[j*a.Rows+i] {
					t.Errorf("seed %d: Gram is not symmetric at (%d, %d)", seed, i, j)
				}
			}
		}
	}
}

// What inner products of that length could be off by does not pass for a direction.
func TestFitGramLength(t *testing.T) {
	gram := &Matrix{2, 2, []float64{1, 0, 0, 1e-13}}
	for length, want := range map[int]int{0: 2, 100: 2, 10000: 1} {
		sp := Spectral{Length: length}
		var dst Matrix
		if sp.FitGram(&dst, gram, 2); sp.leading(2) != want {
			t.Errorf("Length %d: Values = %v, want %d that are not 0", length, sp.Values, want)
		}
	}
}

func TestFitGramDegenerate(t *testing.T) {
	tests := []struct {
		name string
		gram Matrix
	}{
		{"empty", Matrix{0, 0, nil}},
		{"zero", Matrix{2, 2, make([]float64, 4)}},
		{"not a number", Matrix{2, 2, []float64{1, 0, math.NaN(), 1}}},
		{"infinite", Matrix{1, 1, []float64{math.Inf(1)}}},
		{"negative", Matrix{2, 2, []float64{-1, 0, 0, -2}}},
	}
	var sp Spectral
	dst := gaussian(source(1), 3, 3)
	for _, tt := range tests {
		sp.FitGram(dst, &tt.gram, 2)
		sp.Orient(dst, &Matrix{tt.gram.Rows, 1, make([]float64, tt.gram.Rows)})
		if dst.Rows != tt.gram.Rows || dst.Cols != 2 || len(sp.Values) != tt.gram.Rows {
			t.Errorf("%s: dst %d × %d, %d values", tt.name, dst.Rows, dst.Cols, len(sp.Values))
		}
		for _, x := range append(dst.Data, sp.Values...) {
			if x != 0 {
				t.Errorf("%s: dst = %v, Values = %v, want zeros", tt.name, dst.Data, sp.Values)
				break
			}
		}
	}
	a := gaussian(source(1), 2, 3)
	wantPanic(t, "not square", func() { sp.FitGram(dst, a, 1) })
	wantPanic(t, "negative n", func() { sp.FitGram(dst, &tests[1].gram, -1) })
	wantPanic(t, "rows", func() { sp.Orient(dst, gaussian(source(1), 5, 2)) })
	wantPanic(t, "columns", func() { Gram(dst, a, 1, 4) })
}
