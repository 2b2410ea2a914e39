package clusterer

// Gram sets dst to the a.Rows × a.Rows matrix of inner products of the rows of
// a, taken over the columns lo … hi−1. Where rows are made of blocks of columns,
// the inner products of whole rows are the sums of those of the blocks, and after
// a change only the blocks that changed need their own again. Feed the sum to
// [Spectral.FitGram]. A row that is not finite makes its own inner products so, and no
// others. dst must not share memory with a.
func Gram(dst, a *Matrix, lo, hi int) {
	a.check()
	if lo < 0 || hi < lo || hi > a.Cols {
		panic("clusterer: Gram: there are no such columns")
	}
	gramOver(dst, a, lo, hi)
	for i := range dst.Rows {
		for j := range i {
			dst.Data[j*dst.Cols+i] = dst.Data[i*dst.Cols+j]
		}
	}
}

// tile is how many columns gramOver takes at a time: few enough that a slice
// of some hundred rows stays in the cache while every pair of them is visited.
const tile = 512

// gramOfRows sets the lower triangle of dst to that of A·Aᵀ.
func gramOfRows(dst, a *Matrix) { gramOver(dst, a, 0, a.Cols) }

// gramOver is gramOfRows over the columns lo … hi−1 only.
func gramOver(dst, a *Matrix, lo, hi int) {
	dst.Reshape(a.Rows, a.Rows)
	clear(dst.Data)
	for ; lo < hi; lo += tile {
		end := min(lo+tile, hi)
		for i := range a.Rows {
			row, out := a.Row(i)[lo:end], dst.Row(i)
			for j := range i + 1 {
				out[j] += dot(row, a.Row(j)[lo:end])
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
