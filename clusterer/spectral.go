package clusterer

import "math"

// Spectral turns the rows of a matrix into a few features each, by its singular
// value decomposition A = U·Σ·Vᵀ. The zero value is ready to use.
type Spectral struct {
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
// Distances between rows of dst are the distances between rows of a, as seen in
// the n directions that carry most of A. There is no centring and no scaling:
// with G = Aᵀ these are the columns of R = U_sᵀ·G, the clustering features of
// CFL-GP (Kim, Kim and de Veciana, "Clustered Federated Learning via
// Gradient-based Partitioning", ICML 2024).
//
// It works from the eigenpairs of A·Aᵀ or Aᵀ·A, whichever is smaller, so a few
// rows of a million columns are cheap. Squaring costs half the digits: a
// singular value below √(max(Rows, Cols)·2⁻⁵²) of the largest, about 10⁻⁷, drowns
// in the error of the squares and is taken for 0. Columns of dst beyond the rank
// are 0.
//
// A singular vector is known only up to its sign. Each right one is turned so
// that its component of largest magnitude is positive, the first such on ties,
// and pictures keep their orientation whatever LAPACK does. (Components within
// one part in 10⁹ count as tied, so the choice does not hang on the last bits.)
//
// If a holds a number that is not finite, or one whose square is not, there is
// no decomposition: Values and dst are then all 0. It panics if n is negative.
// dst must not share memory with a.
func (sp *Spectral) Fit(dst, a *Matrix, n int) {
	a.check()
	if n < 0 {
		panic("clusterer: Spectral: negative number of features")
	}
	dst.Reshape(a.Rows, n)
	clear(dst.Data)
	sp.Values = resize(sp.Values, min(a.Rows, a.Cols))
	clear(sp.Values)

	wide := a.Rows <= a.Cols
	if wide {
		gramOfRows(&sp.gram.vectors, a)
	} else {
		gramOfColumns(&sp.gram.vectors, a)
	}
	if !sp.gram.fit() {
		return
	}
	sp.setValues(max(a.Rows, a.Cols))
	sp.right = resize(sp.right, a.Cols)
	for j := range min(n, len(sp.Values)) {
		if sp.Values[j] == 0 {
			break
		}
		if wide {
			sp.fromLeft(dst, a, j)
		} else {
			sp.fromRight(dst, a, j)
		}
	}
}

// setValues takes the roots of the eigenvalues, in descending order. longest is
// the number of terms in the longest sum that led to them, which bounds their
// error relative to the largest.
func (sp *Spectral) setValues(longest int) {
	lambda := sp.gram.values
	for j := range lambda {
		top, l := lambda[len(lambda)-1], lambda[len(lambda)-1-j]
		if l > top*float64(longest)*0x1p-52 {
			sp.Values[j] = math.Sqrt(l)
		}
	}
}

// fromLeft sets column j of dst from the left singular vector u, an eigenvector
// of A·Aᵀ: the features are σ·u. The right vector Aᵀ·u is needed for its sign
// alone, so it is left unscaled.
func (sp *Spectral) fromLeft(dst, a *Matrix, j int) {
	u := &sp.gram.vectors
	col := u.Cols - 1 - j
	clear(sp.right)
	for i := range a.Rows {
		axpy(u.Data[i*u.Cols+col], a.Row(i), sp.right)
	}
	scale := sp.Values[j] * signOf(sp.right)
	for i := range a.Rows {
		dst.Data[i*dst.Cols+j] = scale * u.Data[i*u.Cols+col]
	}
}

// fromRight sets column j of dst from the right singular vector v, an
// eigenvector of Aᵀ·A: the features are A·v.
func (sp *Spectral) fromRight(dst, a *Matrix, j int) {
	v := &sp.gram.vectors
	col := v.Cols - 1 - j
	for i := range sp.right {
		sp.right[i] = v.Data[i*v.Cols+col]
	}
	sign := signOf(sp.right)
	for i := range a.Rows {
		dst.Data[i*dst.Cols+j] = sign * dot(a.Row(i), sp.right)
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

// tile is how many columns gramOfRows takes at a time: few enough that a slice
// of some hundred rows stays in the cache while every pair of them is visited.
const tile = 512

// gramOfRows sets the lower triangle of dst to that of A·Aᵀ.
func gramOfRows(dst, a *Matrix) {
	dst.Reshape(a.Rows, a.Rows)
	clear(dst.Data)
	for lo := 0; lo < a.Cols; lo += tile {
		hi := min(lo+tile, a.Cols)
		for i := range a.Rows {
			row, out := a.Row(i)[lo:hi], dst.Row(i)
			for j := range i + 1 {
				out[j] += dot(row, a.Row(j)[lo:hi])
			}
		}
	}
}

// gramOfColumns sets the lower triangle of dst to that of Aᵀ·A, the sum over the
// rows of a of each row times itself.
func gramOfColumns(dst, a *Matrix) {
	dst.Reshape(a.Cols, a.Cols)
	clear(dst.Data)
	for r := range a.Rows {
		row := a.Row(r)
		for i, x := range row {
			axpy(x, row[:i+1], dst.Row(i))
		}
	}
}
