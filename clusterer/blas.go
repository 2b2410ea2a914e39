package clusterer

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// plainBLAS is gonum's BLAS with its long sums added in one fixed order.
//
// The eigensolver behind [Spectral] is gonum's Dsyev. LAPACK's own arithmetic
// is plain Go there, but the sums go through BLAS, and on amd64 gonum's BLAS is
// assembly that adds in several lanes. A browser runs the Go version of the same
// routine, one term after another, and ends in other last bits: enough, after a
// k-means tie and two hundred steps, to show another picture than the command
// line does. The build tag noasm would cure it, but nobody should need a tag to
// run a command, so the cure is here.
//
// Dsyev is always called with its least workspace (see [eigen]), which keeps it
// on the unblocked path: Dsytd2, Dorg2l or Dorg2r, Dsteqr and their helpers.
// These call ten BLAS routines. Reading gonum v0.17.0,
//
//   - Ddot, Dnrm2 and Dgemv add in lanes, and are replaced below;
//   - Daxpy, Dscal and Dger are assembly too, but element by element: each
//     number gets one product and one sum, whatever the lane;
//   - Dsymv, Dsyr2, Dswap and Dcopy are plain Go loops.
//
// The blocked path would add Dgemm, Dtrmm and Dtrmv. TestSameBits holds all
// this to account with a hash that every build must reproduce.
//
// What this does not cover: where the compiler fuses multiply-adds unasked, as
// it does for arm64 and for GOAMD64=v3, it also does so inside LAPACK, out of
// reach from here. The rest of this package keeps its bits even then.
type plainBLAS struct{ gonum.Implementation }

// Use replaces the BLAS of the whole program, as gonum offers no narrower way.
// The routines below meet the contract of the ones they replace, so other users
// of gonum notice nothing but the last bits.
func init() { blas64.Use(plainBLAS{}) }

// Ddot returns Σ xᵢ·yᵢ.
func (plainBLAS) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	checkIncrements(incX, incY)
	if n < 0 {
		panic("clusterer: blas: negative length")
	}
	if incX == 1 && incY == 1 {
		return dot(x[:n], y[:n])
	}
	var s float64
	ix, iy := first(n, incX), first(n, incY)
	for range n {
		s += float64(x[ix] * y[iy])
		ix += incX
		iy += incY
	}
	return s
}

// Dnrm2 returns √Σ xᵢ². It divides by the largest |xᵢ| before squaring, so
// that no square overflows or vanishes. Like the reference BLAS it returns 0 if
// incX is negative.
func (plainBLAS) Dnrm2(n int, x []float64, incX int) float64 {
	checkIncrements(incX, 1)
	if n < 0 {
		panic("clusterer: blas: negative length")
	}
	if incX < 0 {
		return 0
	}
	var largest float64
	for i := range n {
		a := math.Abs(x[i*incX])
		if math.IsNaN(a) {
			return a
		}
		largest = max(largest, a)
	}
	if largest == 0 || math.IsInf(largest, 1) {
		return largest
	}
	var s float64
	for i := range n {
		q := x[i*incX] / largest
		s += float64(q * q)
	}
	return largest * math.Sqrt(s)
}

// Dgemv sets y to alpha·A·x + beta·y, or to alpha·Aᵀ·x + beta·y if t is not
// NoTrans, for a row-major A of m × n. With beta 0, y is written and not read.
func (plainBLAS) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	checkIncrements(incX, incY)
	switch {
	case t != blas.NoTrans && t != blas.Trans && t != blas.ConjTrans:
		panic("clusterer: blas: bad transpose")
	case m < 0 || n < 0:
		panic("clusterer: blas: negative length")
	case lda < max(1, n):
		panic("clusterer: blas: leading dimension is less than the row length")
	case m == 0 || n == 0:
		return
	}
	if t == blas.NoTrans {
		ix, iy := first(n, incX), first(m, incY)
		for i := range m {
			row, s := a[i*lda:i*lda+n], 0.0
			if incX == 1 {
				s = dot(row, x)
			} else {
				for j, v := range row {
					s += float64(v * x[ix+j*incX])
				}
			}
			s *= alpha
			if beta != 0 {
				s += float64(beta * y[iy])
			}
			y[iy] = s
			iy += incY
		}
		return
	}
	ix, iy := first(m, incX), first(n, incY)
	for j := range n {
		if beta == 0 {
			y[iy+j*incY] = 0
		} else {
			y[iy+j*incY] *= beta
		}
	}
	for i := range m {
		row, f := a[i*lda:i*lda+n], alpha*x[ix+i*incX]
		if incY == 1 {
			axpy(f, row, y)
			continue
		}
		for j, v := range row {
			y[iy+j*incY] += float64(f * v)
		}
	}
}

// first returns the index of element 0 of a vector of n elements: BLAS walks a
// vector with a negative increment from its end.
func first(n, inc int) int {
	if inc < 0 {
		return (1 - n) * inc
	}
	return 0
}

func checkIncrements(incX, incY int) {
	if incX == 0 || incY == 0 {
		panic("clusterer: blas: zero increment")
	}
}
