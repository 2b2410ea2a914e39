package kernel

import (
	"math/bits"
	"unsafe"
)

// The products on amd64 compute c in panels of some columns, and the sums in pieces of some steps,
// so that a panel of b stays in the first-level cache for all rows of a. Between pieces the sums
// are in c.
const (
	panelWidth = 48 // maximum width
	panelDepth = 112
)

func matMulAVX2(c, a, b []float32, m, k, n int, add bool) {
	product(c, a, b, m, k, n, k, 1, add, false)
}

func matMulTNAVX2(c, a, b []float32, m, k, n int, add bool) {
	product(c, a, b, m, k, n, 1, m, add, false)
}

func matMulNTAVX2(c, a, b []float32, m, k, n int, add bool) {
	productNT(c, a, b, m, k, n, add, false)
}

func matMulAVX512(c, a, b []float32, m, k, n int, add bool) {
	product(c, a, b, m, k, n, k, 1, add, true)
}

func matMulTNAVX512(c, a, b []float32, m, k, n int, add bool) {
	product(c, a, b, m, k, n, 1, m, add, true)
}

func matMulNTAVX512(c, a, b []float32, m, k, n int, add bool) {
	productNT(c, a, b, m, k, n, add, true)
}

// product multiplies a matrix whose element in row i and step p is a[i·byRow + p·byStep], using AVX-512 registers if
// wide is set.
func product(c, a, b []float32, m, k, n, byRow, byStep int, add, wide bool) {
	if !prepare(c, k, add) {
		return
	}
	done := 0
	if isPicture(a, b, m, k, n, byRow, byStep) {
		done = productOfPicture(c, a, b, m, k, n, byRow, byStep, add, wide)
	}
	if done == m {
		return
	}
	for p, piece := 0, pieceDepth(k); p < k; p += piece {
		depth := min(piece, k-p)
		for j := 0; j < n; {
			at, width := nextPanel(j, n, wide)
			panel(&c[done*n+at], &a[done*byRow+p*byStep], &b[p*n+at], m-done, depth, width,
				columnMask(j, at, width, n), n,
				byRow, byStep, n, add || p > 0, wide)
			j = at + width
		}
	}
}

// productNT transposes each panel of b before use; columns beyond c have arbitrary values. The
// scratch memory is on the stack, for concurrent calls, and aligned to a cache line.
func productNT(c, a, b []float32, m, k, n int, add, wide bool) {
	if !prepare(c, k, add) {
		return
	}
	var scratch [panelDepth*panelWidth + 15]float32
	turned := scratch[-uintptr(unsafe.Pointer(&scratch))/4%16:]
	for p, piece := 0, pieceDepth(k); p < k; p += piece {
		depth := min(piece, k-p)
		for j := 0; j < n; {
			at, width := nextPanel(j, (n+15)&^15, wide)
			for i := at; i < min(at+width, n); {
				i += transpose(turned[i-at:], b[i*k+p:], n-i, depth, k, wide)
			}
			panel(&c[at], &a[p], &turned[0], m, depth, width, columnMask(j, at, width, n), n, k, 1, panelWidth, add ||
				p > 0, wide)
			j = at + width
		}
	}
}

// pieceDepth returns a depth for the pieces of k steps such that all pieces are about equally deep.
func pieceDepth(k int) int {
	pieces := (k + panelDepth - 1) / panelDepth
	return (k + pieces - 1) / pieces
}

// nextPanel returns the first column and the width of the panel that continues from column j of n.
// With AVX-512 the last panel is as wide as the others and may begin before j, as this is faster
// than a narrow one, and no panel is narrower than 32 columns unless n is.
func nextPanel(j, n int, wide bool) (at, width int) {
	left := n - j
	switch {
	case !wide || n < 16:
		return j, min(16, left)
	case n < 32:
		width = 16
	case n < 48 || left <= 32 || left > 48 && left <= 64:
		width = 32
	default:
		width = 48
	}
	return min(j, n-width), width
}

// columnMask returns a mask of the columns, of a panel that starts at column at, that are below n and not before j.
func columnMask(j, at, width, n int) uint64 {
	return 1<<min(width, n-at) - 1<<(j-at)
}

// prepare clears c if needed and reports whether there is anything to multiply; if not, c is complete.
func prepare(c []float32, k int, add bool) bool {
	if k == 0 && !add {
		clear(c)
	}
	return k > 0 && len(c) > 0
}

// transpose transposes rows of src, stride apart, into columns of dst, which is panelWidth wide, and
// returns their number: sixteen in wide registers, else eight. Columns without a row repeat the
// last one: no panel writes their results.
func transpose(dst, src []float32, rows, steps, stride int, wide bool) int {
	if wide && rows >= 16 && steps >= 4 {
		transpose16(&dst[0], &src[0], steps, stride, panelWidth)
		return 16
	}
	rows = min(rows, 8)
	if steps < 8 {
		for i := range rows {
			for p, v := range src[i*stride:][:steps] {
				dst[p*panelWidth+i] = v
			}
		}
	} else {
		transpose8(&dst[0], &src[0], rows, steps, stride)
	}
	return 8
}

// transpose8 transposes up to eight rows of at least eight steps.
//
//go:noescape
func transpose8(dst, src *float32, rows, steps, stride int)

// transpose16 transposes sixteen rows of at least four steps. Rows of dst are dstStride apart.
//
//go:noescape
func transpose16(dst, src *float32, steps, stride, dstStride int)

// panel computes rows of a panel of c; lanes is the mask of its columns. Strides count elements.
// With add the sums start from the values in c.
func panel(c, a, b *float32, rows, steps, width int, lanes uint64, cStride, aByRow, aByStep, bStride int, add,
	wide bool) {
	switch {
	case !wide:
		panel256(c, a, b, rows, steps, bits.Len64(lanes), cStride, aByRow, aByStep, bStride, add)
	case width == 48:
		panel48(c, a, b, rows, steps, lanes, cStride, aByRow, aByStep, bStride, add)
	case width == 32:
		panel32(c, a, b, rows, steps, lanes, cStride, aByRow, aByStep, bStride, add)
	case width == 16:
		panel16(c, a, b, rows, steps, lanes, cStride, aByRow, aByStep, bStride, add)
	case width > 8:
		panel15(c, a, b, rows, steps, lanes, cStride, aByRow, aByStep, bStride, add)
	default:
		panel8(c, a, b, rows, steps, lanes, cStride, aByRow, aByStep, bStride, add)
	}
}

//go:noescape
func panel256(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add bool)

//go:noescape
func panel48(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)

//go:noescape
func panel32(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)

//go:noescape
func panel16(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)

// panel15 and panel8 are for matrices of fewer columns than panel16 reads.
//
//go:noescape
func panel15(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)

//go:noescape
func panel8(c, a, b *float32, rows, steps int, lanes uint64, cStride, aByRow, aByStep, bStride int, add bool)
