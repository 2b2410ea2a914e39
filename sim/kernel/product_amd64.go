package kernel

// The products on amd64 go through c in panels of 16 columns, and through the
// sum in pieces of depth steps, so that a panel of b stays in the first cache
// while all rows of a pass by. Between pieces the sums wait in c.
const (
	panelWidth = 16
	panelDepth = 256
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

// product multiplies a matrix whose element in row i and step p is
// a[i·byRow + p·byStep], in wide registers, those of AVX-512, or not.
func product(c, a, b []float32, m, k, n, byRow, byStep int, add, wide bool) {
	if !start(c, k, add) {
		return
	}
	done := 0
	if isPicture(a, b, m, k, n, byRow, byStep) {
		done = productOfPicture(c, a, b, m, k, n, byRow, byStep, add, wide)
	}
	if done == m {
		return
	}
	for p := 0; p < k; p += panelDepth {
		depth := min(panelDepth, k-p)
		for j := 0; j < n; j += panelWidth {
			panel(&c[done*n+j], &a[done*byRow+p*byStep], &b[p*n+j], m-done, depth, min(panelWidth, n-j), n, byRow, byStep, n, add || p > 0, wide)
		}
	}
}

// productNT turns each panel of b before use. The scratch is on the stack, as
// other goroutines may be multiplying too.
func productNT(c, a, b []float32, m, k, n int, add, wide bool) {
	if !start(c, k, add) {
		return
	}
	var turned [panelDepth * panelWidth]float32
	for p := 0; p < k; p += panelDepth {
		depth := min(panelDepth, k-p)
		for j := 0; j < n; j += panelWidth {
			width := min(panelWidth, n-j)
			for i := 0; i < width; i += 8 {
				turn(turned[i:], b[(j+i)*k+p:], min(8, width-i), depth, k)
			}
			panel(&c[j], &a[p], &turned[0], m, depth, width, n, k, 1, panelWidth, add || p > 0, wide)
		}
	}
}

// start reports whether there is anything to multiply; if not, c is finished.
func start(c []float32, k int, add bool) bool {
	if k == 0 && !add {
		clear(c)
	}
	return k > 0 && len(c) > 0
}

// turn writes up to eight rows of src, stride apart, as columns of dst, which
// is panelWidth wide. Columns without a row get what the last one gets: the
// panel does not look at them.
func turn(dst, src []float32, rows, steps, stride int) {
	if steps < 8 {
		for i := range rows {
			for p, v := range src[i*stride:][:steps] {
				dst[p*panelWidth+i] = v
			}
		}
		return
	}
	var row [8]*float32
	for i := range row {
		row[i] = &src[min(i, rows-1)*stride]
	}
	turn8(&dst[0], &row, steps)
}

// turn8 is turn for at least eight steps.
//
//go:noescape
func turn8(dst *float32, row *[8]*float32, steps int)

// panel computes a panel of rows × width elements of c. Strides count elements.
// With add the sums start from what c holds.
func panel(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add, wide bool) {
	switch {
	case !wide:
		panel256(c, a, b, rows, steps, width, cStride, aByRow, aByStep, bStride, add)
	case width > 8:
		panel512(c, a, b, rows, steps, width, cStride, aByRow, aByStep, bStride, add)
	default:
		panel512Half(c, a, b, rows, steps, width, cStride, aByRow, aByStep, bStride, add)
	}
}

//go:noescape
func panel256(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add bool)

//go:noescape
func panel512(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add bool)

// panel512Half is panel512 for at most eight columns.
//
//go:noescape
func panel512Half(c, a, b *float32, rows, steps, width, cStride, aByRow, aByStep, bStride int, add bool)
