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

// AddMatMulTN is MatMulTN whose sums start from the values in c, so that a batch in pieces, in
// order, gives the same bits as the whole. The values in c must be sums that began at 0, and so are
// never −0: whether a −0 becomes 0 by adding nothing is unspecified.
func AddMatMulTN(c, a, b []float32, m, k, n int) {
	checkProduct(c, a, b, m, k, n)
	active.matMulTN(c, a, b, m, k, n, true)
}

// AddMatMulNT is MatMulNT whose sums start from the values in c, with the conditions of
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
