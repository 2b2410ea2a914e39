package clusterer

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// eigen holds the eigenpairs of a symmetric matrix and the room to find them.
type eigen struct {
	values  []float64 // ascending, as LAPACK leaves them
	vectors Matrix    // column j belongs to values[j]; unit length
	work    []float64
}

// fit decomposes the matrix whose lower triangle stands in e.vectors, which it
// overwrites with the eigenvectors. It reports false if the matrix is not finite
// or the iteration does not converge; the contents are then undefined.
func (e *eigen) fit() bool {
	n := e.vectors.Rows
	e.values = resize(e.values, n)
	if n == 0 {
		return true
	}
	for i := range n {
		for _, x := range e.vectors.Row(i)[:i+1] {
			if !isFinite(x) {
				return false
			}
		}
	}
	// 3n−1 numbers are the least that Dsyev takes. With more it would work in
	// blocks, through BLAS routines whose bits blas.go does not vouch for; and
	// below some hundreds of rows, which is what comes here, blocks gain nothing.
	e.work = resize(e.work, 3*n-1)
	a := blas64.Symmetric{N: n, Stride: n, Data: e.vectors.Data, Uplo: blas.Lower}
	return lapack64.Syev(lapack.EVCompute, a, e.values, e.work, len(e.work))
}
