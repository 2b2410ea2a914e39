package kernel

import "unsafe"

// convolves says whether there are loops for convolutions and their gradients, and convolvesForward for convolutions alone.
func convolves() bool        { return active == &avx512 }
func convolvesForward() bool { return active == &avx2 }

// halved says that the positions of a register lie in two rows of the image.
func (c *Convolution) halved() bool { return c.across < convolvedLanes }

// next returns the distance of the second register of positions in an image from the first, in bytes.
func (c *Convolution) next(at int) int { return int(c.places[at+convolvedLanes] - c.places[at]) }

// Forward sets out to MatMul(weights, patches) and adds the bias of each filter.
func (c *Convolution) Forward(out, weights, bias, image []float32) {
	c.check(out, weights, image)
	must(len(bias), c.filters)
	positions, slide := len(c.places), forward16
	if c.pairs != nil {
		for _, p := range c.pairs {
			slide256(&out[p.out], &weights[0], &image[p.image], &c.inputs[0], c.filters, c.fanIn(), positions,
				p.imageNext, p.outNext)
		}
		active.addBiasPlanes(out, bias, c.filters, positions)
		return
	}
	if c.halved() {
		slide = forward8
	}
	for at := 0; at < positions; at += convolvedColumns {
		slide(&out[at], &weights[0], &image[c.places[at]/4], &bias[0], &c.inputs[0], c.filters, c.fanIn(), positions,
			c.fanIn(), 1, c.next(at))
	}
}

// Back sets image to the gradient by it, Col2Im(MatMulTN(weights, dOut)).
func (c *Convolution) Back(image, weights, dOut []float32) {
	c.check(dOut, weights, image)
	clear(image)
	slide := back16
	if c.halved() {
		slide = back8
	}
	// So every element gets what the weights contribute in their order: a later weight meets it from a position before.
	for at := len(c.places) - convolvedColumns; at >= 0; at -= convolvedColumns {
		for k, from := range c.from {
			slide(&image[from+int(c.places[at]/4)], &weights[k], &dOut[at], nil, &c.outputs[0], c.channels, c.filters,
				c.plane, c.weights, c.fanIn(), c.next(at))
		}
	}
}

// AddGradient adds the gradient by the weights, AddMatMulNT(dOut, patches), to dWeights, which is transposed:
// channels·weights×filters.
func (c *Convolution) AddGradient(dWeights, dOut, image []float32) {
	c.check(dOut, dWeights, image)
	positions := len(c.places)
	const most = 128 // positions, whose derivatives stay in the first-level cache
	var scratch [most*panelWidth + 15]float32
	turned := scratch[-uintptr(unsafe.Pointer(&scratch))/4%16:]
	for at := 0; at < positions; at += most {
		steps := min(most, positions-at)
		for f := 0; f < c.filters; {
			width := min(2*convolvedLanes, c.filters-f)
			for i := 0; i < width; i += convolvedLanes {
				transpose16(&turned[i], &dOut[(f+i)*positions+at], steps, positions, panelWidth)
			}
			for k, from := range c.from {
				to, image := &dWeights[k*c.filters+f], &image[from]
				if width == convolvedLanes {
					along16(to, image, &turned[0], &c.places[at], c.channels, steps, c.weights*c.filters, c.plane)
				} else {
					along32(to, image, &turned[0], &c.places[at], c.channels, steps, c.weights*c.filters, c.plane)
				}
			}
			f += width
		}
	}
}

// Transpose sets dst[channels·weights×filters] to the transposed weights.
func (c *Convolution) Transpose(dst, weights []float32) {
	transposeAll(dst, weights, c.filters, c.fanIn())
}

// TransposeBack is the inverse of Transpose.
func (c *Convolution) TransposeBack(weights, src []float32) {
	transposeAll(weights, src, c.fanIn(), c.filters)
}

// transposeAll transposes at least sixteen rows. The last sixteen overlap those before them unless the rows are a multiple.
func transposeAll(dst, src []float32, rows, cols int) {
	must(len(dst), rows*cols)
	must(len(src), rows*cols)
	for i := 0; i < rows; i += 16 {
		i := min(i, rows-16)
		transpose16(&dst[i], &src[i*cols], cols, cols, rows)
	}
}

// These compute 32 positions of each row of c, with the steps of b at the distances at, in bytes. Forward, b lies in an
// image, and back, c does, with rows of 8 positions or of 16 and more. Its second register is next bytes on.
//
//go:noescape
func forward16(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)

//go:noescape
func forward8(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)

//go:noescape
func back16(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)

//go:noescape
func back8(c, a, b, bias *float32, at *int32, rows, steps, cStride, aByRow, aByStep, next int)

// along16 and along32 add to 16 or 32 columns of c, with the steps of a at the distances at.
//
//go:noescape
func along16(c, a, b *float32, at *int32, rows, steps, cStride, aByRow int)

//go:noescape
func along32(c, a, b *float32, at *int32, rows, steps, cStride, aByRow int)

// slide256 computes two vectors of eight positions of each row of c, cNext elements apart, with the steps of b, in an image,
// at the distances at, in bytes. The second vector of b is next elements on.
//
//go:noescape
func slide256(c, a, b *float32, at *int32, rows, steps, cStride, next, cNext int)
