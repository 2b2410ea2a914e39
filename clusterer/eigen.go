package clusterer

import "math"

// eigen holds the eigenpairs of a symmetric matrix and the memory to find them.
//
// It is the method of LAPACK's DSYEV: Householder reflections make the matrix tridiagonal,
// and rotations with implicit shifts make that diagonal. It is written out here, each product
// rounded on its own, because a library such as gonum is compiled with fused multiply-adds
// for some processors (arm64, or amd64 from GOAMD64=v3) and uses assembly on others. Its last
// bits differ between them, and if they break a tie in k-means, so do the clusters of a run.
// Here the bits are the same everywhere; a test compares the values with gonum's.
//
// An eigenvector is unique up to its sign, and the eigenvectors of equal eigenvalues up to a
// rotation. The choice depends on nothing but the matrix, and no result may depend on the
// choice (see [Spectral.Fit]).
type eigen struct {
	values  []float64 // ascending
	vectors Matrix    // row j belongs to values[j]; unit length

	subdiagonal []float64 // entry below the diagonal in column i
	tau         []float64 // of reflection i, see reflector
	work        []float64
}

// fit decomposes the matrix whose lower triangle is in e.vectors, which it overwrites with the eigenvectors. It reports
// false if the matrix is not finite or the iteration does not converge; the contents are then undefined.
func (e *eigen) fit() bool {
	a, n := &e.vectors, e.vectors.Rows
	e.values = resize(e.values, n)
	e.subdiagonal, e.tau, e.work = resize(e.subdiagonal, n), resize(e.tau, n), resize(e.work, n)
	if n == 0 {
		return true
	}
	var largest float64
	for i := range n {
		for _, x := range a.Row(i)[:i+1] {
			if !isFinite(x) {
				return false
			}
			largest = max(largest, math.Abs(x))
		}
	}
	// Scaling by a power of 2 changes no digit. No square below then overflows, and none
	// that matters underflows.
	_, exponent := math.Frexp(largest)
	exponent = max(exponent, -1000)
	for i := range n {
		scale(a.Row(i)[:i+1], math.Ldexp(1, -exponent))
	}
	e.tridiagonalize()
	e.accumulate()
	transpose(a)
	if !e.diagonalize() {
		return false
	}
	e.sort()
	scale(e.values, math.Ldexp(1, exponent))
	return true
}

// sort puts the eigenpairs in ascending order, by as few exchanges of vectors as
// possible.
func (e *eigen) sort() {
	for i := range e.values {
		least := i
		for j, x := range e.values[i:] {
			if x < e.values[least] {
				least = i + j
			}
		}
		if least == i {
			continue
		}
		e.values[i], e.values[least] = e.values[least], e.values[i]
		x, y := e.vectors.Row(i), e.vectors.Row(least)
		for k := range x {
			x[k], y[k] = y[k], x[k]
		}
	}
}

// transpose exchanges the rows and columns of a square matrix.
func transpose(m *Matrix) {
	n := m.Cols
	for i := range n {
		for j := range i {
			m.Data[i*n+j], m.Data[j*n+i] = m.Data[j*n+i], m.Data[i*n+j]
		}
	}
}
