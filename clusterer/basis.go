package clusterer

import "math"

// Basis writes n directions to dst, as rows of unit length at right angles to
// each other: the leading right singular vectors of a, which span the flat
// through the origin nearest to the points. There are fewer rows if the rank of a
// is less than n. Where the points are samples, these are the first n left
// singular vectors of the matrix whose columns are samples, the basis of PACFL
// (Vahidian et al., AAAI 2023). There is no centring.
//
// Rank, signs and numbers that are not finite are treated as by [Spectral.Fit]:
// in the last case there are no rows. It panics if n is negative. dst must not
// share memory with a.
func (sp *Spectral) Basis(dst, a *Matrix, n int) {
	a.check()
	if n < 0 {
		panic("clusterer: Spectral: negative number of directions")
	}
	wide := a.Rows <= a.Cols
	if wide {
		gramOfRows(&sp.gram.vectors, a)
	} else {
		gramOfColumns(&sp.gram.vectors, a)
	}
	sp.decompose(max(a.Rows, a.Cols))
	dst.Reshape(sp.leading(n), a.Cols)
	for j := range dst.Rows {
		v := dst.Row(j)
		if wide {
			clear(v)
			for i, x := range sp.vector(j) {
				axpy(x, a.Row(i), v)
			}
		} else {
			copy(v, sp.vector(j))
		}
		// Directions of small singular values are not quite orthogonal. The second pass
		// removes the rounding error of the first.
		for range 2 {
			orthonormalize(dst, j)
		}
		scale(v, signOf(v))
	}
}

// orthonormalize makes row j of m orthogonal to the rows before it, which are so and
// have unit length, and gives it unit length.
func orthonormalize(m *Matrix, j int) {
	v := m.Row(j)
	for i := range j {
		axpy(-dot(v, m.Row(i)), m.Row(i), v)
	}
	if length := math.Sqrt(dot(v, v)); length > 0 {
		scale(v, 1/length)
	}
}

// scale multiplies v by f.
func scale(v []float64, f float64) {
	for i := range v {
		v[i] *= f
	}
}
