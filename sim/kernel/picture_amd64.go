package kernel

import (
	"math"
	"math/bits"
)

// Pictures are sparse: for handwritten digits, four samples, or four pixels of one, are all 0 in
// two of three steps. Such a step adds 0 to four sums, which changes none of them (see
// AddMatMulTN), so only the other steps are listed, once for all panels. As in kernel.c.

const (
	pictureRows       = 32 // rows of a that are listed at a time
	pictureMinColumns = 32 // columns of c from which lists are faster
)

// A list holds the nonzero steps of four rows of a.
type list struct {
	a     [panelDepth][4]float32 // their elements in a
	b     [panelDepth]int32      // offsets of the matching rows of b, in bytes
	steps int
}

// isPicture reports, from 64 steps of four rows, whether a is sparse, and whether all of b is
// finite.
func isPicture(a, b []float32, m, k, n, byRow, byStep int) bool {
	if m < 4 || n < pictureMinColumns {
		return false
	}
	zeros := 0
	for t := range 64 {
		at := t%(m/4)*4*byRow + t*k/64*byStep
		zeros += 1 - counts(a[at], a[at+byRow], a[at+2*byRow], a[at+3*byRow])
	}
	return zeros >= 8 && dotAVX2(b, b) < math.Inf(1)
}

// counts returns 0 if all four are 0 or −0, else 1.
func counts(w, x, y, z float32) int {
	bits := (math.Float32bits(w) | math.Float32bits(x) | math.Float32bits(y) | math.Float32bits(z)) << 1
	return int((bits | -bits) >> 31)
}

// productOfPicture is product for groups of four rows. It returns the number of rows computed.
func productOfPicture(c, a, b []float32, m, k, n, byRow, byStep int, add, wide bool) int {
	var lists [pictureRows / 4]list
	for p, piece := 0, pieceDepth(k); p < k; p += piece {
		depth := min(piece, k-p)
		for row := 0; row+4 <= m; row += pictureRows {
			fours := min(pictureRows, m-row) / 4
			for g := range fours {
				l := &lists[g]
				l.steps = enlist(&l.a[0][0], &l.b[0], &a[(row+4*g)*byRow+p*byStep], depth, byRow, byStep, n)
			}
			for j := 0; j < n; {
				at, width := nextPanel(j, n, wide)
				for g := range fours {
					lists[g].multiply(&c[(row+4*g)*n+at], &b[p*n+at], width, columnMask(j, at, width, n), n, add ||
						p > 0, wide)
				}
				j = at + width
			}
		}
	}
	return m &^ 3
}

// multiply computes four rows of a panel of c.
func (l *list) multiply(c, b *float32, width int, lanes uint64, cStride int, add, wide bool) {
	switch {
	case !wide:
		listed256(c, &l.a[0][0], b, &l.b[0], l.steps, bits.Len64(lanes), cStride, add)
	case width == 48:
		listed48(c, &l.a[0][0], b, &l.b[0], l.steps, lanes, cStride, add)
	default:
		listed32(c, &l.a[0][0], b, &l.b[0], l.steps, lanes, cStride, add)
	}
}

// enlist writes every step, and advances to the next place if it is not zero. It returns the number
// of nonzero steps.
//
//go:noescape
func enlist(to *float32, listed *int32, a *float32, steps, aByRow, aByStep, bStride int) (n int)

//go:noescape
func listed256(c, a, b *float32, from *int32, steps, width, cStride int, add bool)

//go:noescape
func listed48(c, a, b *float32, from *int32, steps int, lanes uint64, cStride int, add bool)

//go:noescape
func listed32(c, a, b *float32, from *int32, steps int, lanes uint64, cStride int, add bool)
