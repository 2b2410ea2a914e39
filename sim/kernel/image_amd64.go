package kernel

// Convolution and pooling, by the loops of image_amd64.s.

func im2ColAVX2(dst, src []float32, g grid) {
	g.windows(func(image, window int) {
		windowOut(&dst[window], &src[image], g.down, g.across, g.across, g.width)
	})
}

func col2ImAVX2(dst, src []float32, g grid) {
	clear(dst)
	g.windows(func(image, window int) {
		windowIn(&dst[image], &src[window], g.down, g.across, g.width)
	})
}

// windows visits, for each weight of a kernel, the down×across elements that it multiplies: where
// they begin in the image, and in the columns.
func (g grid) windows(visit func(image, window int)) {
	window := 0
	for c := range g.channels {
		for ky := range g.kernel {
			for kx := range g.kernel {
				visit((c*g.height+ky)*g.width+kx, window)
				window += g.down * g.across
			}
		}
	}
}

func maxPool2AVX2(dst, src []float32, planes, height, width int) {
	pairs, in, out := planePairs(planes, height, width)
	for len(dst) > 0 {
		largestOf(&dst[0], &src[0], pairs, width)
		dst, src = dst[out:], src[in:]
	}
}

func maxPool2BackAVX2(dsrc, ddst, src []float32, planes, height, width int) {
	clear(dsrc)
	pairs, in, out := planePairs(planes, height, width)
	for len(ddst) > 0 {
		largestBack(&dsrc[0], &ddst[0], &src[0], pairs, width)
		dsrc, ddst, src = dsrc[in:], ddst[out:], src[in:]
	}
}

// planePairs returns the number of consecutive pairs of rows, those of all planes unless the last
// row of each is ignored, and their numbers of elements before and after pooling.
func planePairs(planes, height, width int) (pairs, in, out int) {
	if height%2 == 0 {
		height, planes = height*planes, 1
	}
	return height / 2, height * width, (height / 2) * (width / 2)
}

func copyRowsAVX2(dst, src []float32, rows, cols int, to, from Rows) {
	switch [2]int{to.Step, from.Step} {
	case [2]int{1, 1}:
		windowOut(&dst[0], &src[0], rows, cols, to.Row, from.Row)
	case [2]int{1, 2}:
		everySecond(&dst[0], &src[0], rows, cols, to.Row, from.Row)
	case [2]int{2, 1}:
		toEverySecond(&dst[0], &src[0], rows, cols, to.Row, from.Row)
	default:
		copyRows(dst, src, rows, cols, to, from)
	}
}

// windowOut copies rows that are dstRow and srcRow elements apart.
//
//go:noescape
func windowOut(dst, src *float32, rows, cols, dstRow, srcRow int)

// everySecond copies every second element of the rows of src.
//
//go:noescape
func everySecond(dst, src *float32, rows, cols, dstRow, srcRow int)

// toEverySecond copies rows to every second element of those of dst.
//
//go:noescape
func toEverySecond(dst, src *float32, rows, cols, dstRow, srcRow int)

// windowIn adds src[rows×cols] to rows of an image[…×width].
//
//go:noescape
func windowIn(dst, src *float32, rows, cols, width int)

// largestOf sets dst[pairs × width/2] to the largest of each square of
// src[2·pairs × width].
//
//go:noescape
func largestOf(dst, src *float32, pairs, width int)

// largestBack sets the squares of dsrc[2·pairs × width] to the gradients
// ddst[pairs × width/2] where src is largest, and to 0 elsewhere.
//
//go:noescape
func largestBack(dsrc, ddst, src *float32, pairs, width int)
