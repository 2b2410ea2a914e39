package clusterer

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

func TestBLASIsInstalled(t *testing.T) {
	if _, ok := blas64.Implementation().(plainBLAS); !ok {
		t.Errorf("blas64.Implementation() = %T, want plainBLAS", blas64.Implementation())
	}
}

// The replaced routines do what gonum's own do, up to the last bits, for every
// increment, transpose and scale, and write nowhere else.
func TestBLASMatchesGonum(t *testing.T) {
	var plain plainBLAS
	var own gonum.Implementation
	r := source(1)
	for range 300 {
		m, n := r.IntN(9), r.IntN(9)
		incX, incY := []int{-3, -1, 1, 2}[r.IntN(4)], []int{-2, -1, 1, 3}[r.IntN(4)]
		x, y := gaussian(r, 1, 40).Data, gaussian(r, 1, 40)
		lda := max(1, n) + r.IntN(3)
		a := gaussian(r, 1, lda*m+n).Data

		if got, want := plain.Ddot(n, x, incX, y.Data, incY), own.Ddot(n, x, incX, y.Data, incY); !near(got, want, 1e-14) {
			t.Errorf("Ddot(n %d, incX %d, incY %d) = %v, want %v", n, incX, incY, got, want)
		}
		if got, want := plain.Dnrm2(n, x, incX), own.Dnrm2(n, x, incX); !near(got, want, 1e-14) {
			t.Errorf("Dnrm2(n %d, incX %d) = %v, want %v", n, incX, got, want)
		}
		for _, trans := range []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans} {
			alpha, beta := float64(r.IntN(3)), float64(r.IntN(3))
			got, want := y.clone().Data, y.clone().Data
			plain.Dgemv(trans, m, n, alpha, a, lda, x, incX, beta, got, incY)
			own.Dgemv(trans, m, n, alpha, a, lda, x, incX, beta, want, incY)
			// Where gonum has no assembly, its Dgemv clears all of the slice, and
			// not just the vector in it; ours must not.
			length := n
			if trans == blas.NoTrans {
				length = m
			}
			inVector := make([]bool, len(want))
			for i := range length {
				inVector[first(length, incY)+i*incY] = m > 0 && n > 0
			}
			for i := range want {
				if !inVector[i] {
					want[i] = y.Data[i]
				}
				if !near(got[i], want[i], 1e-13) {
					t.Errorf("Dgemv(%c, %d × %d, lda %d, alpha %v, incX %d, beta %v, incY %d): y[%d] = %v, want %v",
						trans, m, n, lda, alpha, incX, beta, incY, i, got[i], want[i])
				}
			}
		}
	}
}

func TestNormOfExtremes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		name    string
		x       []float64
		want    float64
		unequal bool // to anything, even to itself
	}{
		{"empty", nil, 0, false},
		{"zeros", []float64{0, 0}, 0, false},
		{"one", []float64{-7}, 7, false},
		{"square overflows", []float64{3e200, 4e200}, 5e200, false},
		{"square vanishes", []float64{3e-200, 4e-200}, 5e-200, false},
		{"infinite", []float64{1, -inf}, inf, false},
		{"not a number", []float64{1, nan, inf}, nan, true},
	}
	for _, tt := range tests {
		got := plainBLAS{}.Dnrm2(len(tt.x), tt.x, 1)
		if tt.unequal != (got != got) || !tt.unequal && got != tt.want && math.Abs(got/tt.want-1) > 1e-15 {
			t.Errorf("%s: Dnrm2(%v) = %v, want %v", tt.name, tt.x, got, tt.want)
		}
	}
}

// A·vⱼ = λⱼ·vⱼ, and the vectors are orthonormal.
func TestEigenpairs(t *testing.T) {
	var e eigen
	for _, n := range []int{1, 2, 3, 17, 60, 130} {
		gramOfRows(&e.vectors, gaussian(source(uint64(n)), n, n))
		a := e.vectors.clone()
		if !e.fit() {
			t.Fatalf("n %d: fit = false, want true", n)
		}
		top := e.values[n-1]
		for j := range n {
			for i := range n {
				var av float64
				for k := range n {
					av += a.Data[max(i, k)*n+min(i, k)] * e.vectors.Data[k*n+j]
				}
				if want := e.values[j] * e.vectors.Data[i*n+j]; math.Abs(av-want) > 1e-12*top {
					t.Errorf("n %d: (A·v%d)[%d] = %v, want %v", n, j, i, av, want)
				}
				var inner float64
				for k := range n {
					inner += e.vectors.Data[k*n+i] * e.vectors.Data[k*n+j]
				}
				if want := float64(b2i(i == j)); math.Abs(inner-want) > 1e-12 {
					t.Errorf("n %d: v%d·v%d = %v, want %v", n, i, j, inner, want)
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
