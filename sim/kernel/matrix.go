package kernel

// MatMul sets c[m×n] to a[m×k] · b[k×n].
func MatMul(c, a, b []float32, m, k, n int) {
	checkProduct(c, a, b, m, k, n)
	active.matMul(c, a, b, m, k, n, false)
}

// MatMulTN sets c[m×n] to aᵀ·b for a stored k×m and b stored k×n: the gradient
// of a layer's weights, summed over a batch of k.
func MatMulTN(c, a, b []float32, m, k, n int) {
	checkProduct(c, a, b, m, k, n)
	active.matMulTN(c, a, b, m, k, n, false)
}

// MatMulNT sets c[m×n] to a·bᵀ for a stored m×k and b stored n×k: the gradient
// of a layer's inputs.
func MatMulNT(c, a, b []float32, m, k, n int) {
	checkProduct(c, a, b, m, k, n)
	active.matMulNT(c, a, b, m, k, n, false)
}

// AddMatMulTN is MatMulTN whose sums go on from what c holds, so that a batch
// in pieces, one after the other, gives the bits of the whole. What c holds are
// sums that began at 0, and so are never −0: of a −0 it is left open whether it
// becomes 0 by adding nothing.
func AddMatMulTN(c, a, b []float32, m, k, n int) {
	checkProduct(c, a, b, m, k, n)
	active.matMulTN(c, a, b, m, k, n, true)
}

// AddMatMulNT is MatMulNT whose sums go on from what c holds, which is as in
// AddMatMulTN.
func AddMatMulNT(c, a, b []float32, m, k, n int) {
	checkProduct(c, a, b, m, k, n)
	active.matMulNT(c, a, b, m, k, n, true)
}

func checkProduct(c, a, b []float32, m, k, n int) {
	must(len(c), size(m, n))
	must(len(a), size(m, k))
	must(len(b), size(k, n))
}
