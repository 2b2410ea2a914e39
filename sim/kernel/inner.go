package kernel

// The lanes and the block of Dot and Gram.
const (
	lanes = 8
	block = 256
)

// Dot returns the inner product of a and b. The sum over each block of 256
// elements is in float32: lane l of eight sums the products l, l+8, l+16, …,
// and the lanes are added as a tree: l and l+4, then l and l+2, then the last
// two. The sum over blocks is in float64.
//
// A product passes through at most 1 + 32 + 3 roundings to float32, so the
// error is at most 36·2⁻²⁴·Σ|aᵢbᵢ|, a little over 2·10⁻⁶ of it.
func Dot(a, b []float32) float64 {
	must(len(b), len(a))
	return active.dot(a, b)
}

// Gram sets dst[C×C] to all inner products of C rows of equal length: dst[i,j]
// is Dot(rows[i], rows[j]) to the bit, so dst is symmetric.
func Gram(dst []float64, rows [][]float32) {
	must(len(dst), size(len(rows), len(rows)))
	for _, row := range rows {
		must(len(row), len(rows[0]))
	}
	active.gram(dst, rows)
}
