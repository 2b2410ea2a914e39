package clusterer

import "math"

// Spectral turns the rows of a matrix into a few features each, by its singular
// value decomposition A = U·Σ·Vᵀ. The zero value is ready to use.
type Spectral struct {
	// Length is, for FitGram, the number of terms in each inner product, which
	// bounds their error; 0 means the number of rows.
	Length int

	// Values holds all min(Rows, Cols) singular values of the last matrix, in
	// descending order.
	Values []float64

	gram  eigen
	right []float64 // one right singular vector
}

// Fit writes the n leading features of the rows of a to dst, which it shapes to
// a.Rows × n:
//
//	dst = A·V_n = U_n·Σ_n
//
// Distances between rows of dst are the distances between rows of a in the n leading
// directions of A. There is no centring and no scaling:
// with G = Aᵀ these are the columns of R = U_sᵀ·G, the clustering features of
// CFL-GP (Kim, Kim and de Veciana, "Clustered Federated Learning via
// Gradient-based Partitioning", ICML 2024).
//
// It works from the eigenpairs of A·Aᵀ or Aᵀ·A, whichever is smaller, so a few
// rows of a million columns are cheap. Squaring costs half the digits: a
// singular value below √(max(Rows, Cols)·2⁻⁵²) of the largest, about 10⁻⁷, is less
// than the error of the squares and counts as 0. Columns of dst beyond the rank
// are 0.
//
// A singular vector is unique only up to its sign. The sign of each right one is chosen so
// that its component of largest magnitude is positive, the first such on ties, so results
// do not depend on the eigensolver's choice. (Components within one part in 10⁹ count as
// tied, so the sign does not depend on the last bits.)
//
// If a holds a number that is not finite, or one whose square is not, there is
// no decomposition: Values and dst are then all 0. It panics if n is negative.
// dst must not share memory with a.
func (sp *Spectral) Fit(dst, a *Matrix, n int) {
	a.check()
	sp.start(dst, a.Rows, n)
	if a.Rows <= a.Cols {
		gramOfRows(&sp.gram.vectors, a)
		sp.decompose(a.Cols)
		sp.Orient(dst, a)
		return
	}
	gramOfColumns(&sp.gram.vectors, a)
	sp.decompose(a.Rows)
	for j := range sp.leading(n) {
		sp.fromRight(dst, a, j)
	}
}

// FitGram is [Spectral.Fit] for a caller that has no use for A itself but keeps
// gram = A·Aᵀ, the inner products of its rows, up to date. Of gram only the
// lower triangle is read. As the right singular vectors are not known, the left ones decide
// the signs: in each column of dst the entry of largest magnitude is
// positive, the first such on ties. [Spectral.Orient] gives the signs of Fit.
//
// It panics if gram is not square or n is negative. dst must not share memory
// with gram.
func (sp *Spectral) FitGram(dst, gram *Matrix, n int) {
	gram.check()
	if gram.Rows != gram.Cols {
		panic("clusterer: Spectral: the matrix of inner products is not square")
	}
	sp.start(dst, gram.Rows, n)
	sp.gram.vectors.copyFrom(gram)
	sp.decompose(max(gram.Rows, sp.Length))
	for j := range sp.leading(n) {
		sp.setColumn(dst, j, signOf(sp.vector(j)))
	}
}

// Orient gives the features that the last call of FitGram wrote to dst the signs
// that Fit would, from the matrix a that the inner products belong to. The two
// then equal Fit bit for bit, if [Gram] over all columns made the inner products
// and Length is a.Cols. It takes one pass over a for each feature.
//
// It panics if a and dst do not have as many rows as that matrix.
func (sp *Spectral) Orient(dst, a *Matrix) {
	dst.check()
	a.check()
	if a.Rows != sp.gram.vectors.Rows || dst.Rows != a.Rows {
		panic("clusterer: Spectral: Orient: another number of rows than fitted")
	}
	sp.right = resize(sp.right, a.Cols)
	for j := range sp.leading(dst.Cols) {
		sp.fromLeft(dst, a, j)
	}
}

// start gives dst its shape, and clears it for the case that nothing follows.
func (sp *Spectral) start(dst *Matrix, rows, n int) {
	if n < 0 {
		panic("clusterer: Spectral: negative number of features")
	}
	dst.Reshape(rows, n)
	clear(dst.Data)
}

// decompose turns the inner products in gram into eigenvectors, and computes the roots of the eigenvalues, in
// descending order. longest is the number of terms in the longest sum that led to them, which bounds their error
// relative to the largest.
func (sp *Spectral) decompose(longest int) {
	sp.Values = resize(sp.Values, sp.gram.vectors.Rows)
	clear(sp.Values)
	if !sp.gram.fit() {
		return
	}
	lambda := sp.gram.values
	for j := range lambda {
		top, l := lambda[len(lambda)-1], lambda[len(lambda)-1-j]
		if l > top*float64(longest)*0x1p-52 {
			sp.Values[j] = math.Sqrt(l)
		}
	}
}

// leading returns how many of the first n features are not 0.
func (sp *Spectral) leading(n int) int {
	for j, value := range sp.Values[:min(n, len(sp.Values))] {
		if value == 0 {
			return j
		}
	}
	return min(n, len(sp.Values))
}

// vector returns the eigenvector of the singular value j.
func (sp *Spectral) vector(j int) []float64 {
	return sp.gram.vectors.Row(sp.gram.vectors.Rows - 1 - j)
}

// fromLeft sets column j of dst from the left singular vector u, an eigenvector
// of A·Aᵀ: the features are σ·u. The right vector Aᵀ·u is needed for its sign
// alone, so it is left unscaled.
func (sp *Spectral) fromLeft(dst, a *Matrix, j int) {
	clear(sp.right)
	for i, x := range sp.vector(j) {
		axpy(x, a.Row(i), sp.right)
	}
	sp.setColumn(dst, j, signOf(sp.right))
}

// setColumn sets column j of dst to σ·u, with u the left singular vector turned
// by sign.
func (sp *Spectral) setColumn(dst *Matrix, j int, sign float64) {
	scale := sp.Values[j] * sign
	for i, x := range sp.vector(j) {
		dst.Data[i*dst.Cols+j] = scale * x
	}
}

// fromRight sets column j of dst from the right singular vector v, an
// eigenvector of Aᵀ·A: the features are A·v.
func (sp *Spectral) fromRight(dst, a *Matrix, j int) {
	v := sp.vector(j)
	sign := signOf(v)
	for i := range a.Rows {
		dst.Data[i*dst.Cols+j] = sign * dot(a.Row(i), v)
	}
}

// signOf returns the sign, 1 or −1, of the component of v with the largest
// magnitude: the first of them, when several are tied.
func signOf(v []float64) float64 {
	var largest float64
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	for _, x := range v {
		if math.Abs(x) >= largest*(1-1e-9) {
			return math.Copysign(1, x)
		}
	}
	return 1
}
