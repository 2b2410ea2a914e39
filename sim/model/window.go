package model

import "flockscope/sim/kernel"

// window is a kernel of high×wide weights that moves over an image by stride, down and across. Rows and columns of zeros
// surround the image, padY above and below, padX left and right.
//
// Images are first split into phases: the pixels in every stride-th row and column, stride² small images per channel. In
// one phase the places of a weight lie side by side, so that all loops run along rows, with any stride.
type window struct {
	shape      Shape // of the image
	high, wide int
	stride     int
	padY, padX int
}

// square returns a window of side k.
func square(shape Shape, k, stride, pad int) window {
	return window{shape, k, k, stride, pad, pad}
}

// places returns the numbers of positions down and across.
func (w *window) places() (down, across int) {
	return (w.shape.Height+2*w.padY-w.high)/w.stride + 1, (w.shape.Width+2*w.padX-w.wide)/w.stride + 1
}

// positions is the number of positions in all.
func (w *window) positions() int {
	down, across := w.places()
	return down * across
}

// weights is the number of weights per channel.
func (w *window) weights() int { return w.high * w.wide }

// plain says that the image is its only phase.
func (w *window) plain() bool { return w.stride == 1 && w.padY == 0 && w.padX == 0 }

// phase returns the size of a phase.
func (w *window) phase() (height, width int) {
	s := w.stride
	return (w.shape.Height + 2*w.padY + s - 1) / s, (w.shape.Width + 2*w.padX + s - 1) / s
}

// splitSize is the number of floats of all phases, 0 for a plain window.
func (w *window) splitSize() int {
	if w.plain() {
		return 0
	}
	height, width := w.phase()
	return w.shape.Channels * w.stride * w.stride * height * width
}

// at returns where the elements that a weight multiplies begin in the phases. The other places follow in rows of the
// width of a phase.
func (w *window) at(channel, y, x int) int {
	height, width := w.phase()
	s := w.stride
	return ((channel*s+y%s)*s+x%s)*height*width + y/s*width + x/s
}

// split returns the phases of an image: the image itself, or in spare. Phases that no weight reads are left out.
func (w *window) split(spare, image []float32) []float32 {
	if w.plain() {
		return image
	}
	clear(spare)
	_, across := w.phase()
	w.visit(min(w.stride, w.high), min(w.stride, w.wide), func(at, from, rows, cols int) {
		kernel.CopyRows(spare[at:], image[from:], rows, cols, kernel.Apart(across), w.strided())
	})
	return spare
}

// merge is the gradient of split: it sets the image to the numbers of the phases.
func (w *window) merge(image, phases []float32) {
	if w.plain() {
		return // they are the image
	}
	_, across := w.phase()
	w.visit(w.stride, w.stride, func(at, from, rows, cols int) {
		kernel.CopyRows(image[from:], phases[at:], rows, cols, w.strided(), kernel.Apart(across))
	})
}

// strided are the rows of a phase in the image.
func (w *window) strided() kernel.Rows {
	return kernel.Rows{Row: w.stride * w.shape.Width, Step: w.stride}
}

// visit calls f for high×wide phases of each channel: with the place in the phases where its pixels begin, their place in
// the image, and their number of rows and columns.
func (w *window) visit(high, wide int, f func(at, from, rows, cols int)) {
	height, across := w.phase()
	for py := range high {
		y, top := w.corner(py, w.padY)
		for px := range wide {
			x, left := w.corner(px, w.padX)
			rows, cols := (w.shape.Height-y+w.stride-1)/w.stride, (w.shape.Width-x+w.stride-1)/w.stride
			if rows < 1 || cols < 1 {
				continue
			}
			at, from := ((py*w.stride+px)*height+top)*across+left, y*w.shape.Width+x
			for range w.shape.Channels {
				f(at, from, rows, cols)
				at, from = at+w.stride*w.stride*height*across, from+w.shape.Height*w.shape.Width
			}
		}
	}
}

// corner returns the first pixel of a phase, down or across, and its place there.
func (w *window) corner(phase, pad int) (pixel, place int) {
	pixel = (phase + (w.stride-1)*pad) % w.stride // behind pad zeros
	return pixel, (pixel + pad) / w.stride
}

// unroll writes the patches of one image, a column per position and a row per weight, as [kernel.Im2Col] does.
func (w *window) unroll(patches, image, spare []float32) {
	phases := w.split(spare, image)
	height, width := w.phase()
	if w.stride == 1 && w.high == w.wide {
		kernel.Im2Col(patches, phases, w.shape.Channels, height, width, w.high)
		return
	}
	down, across := w.places()
	to := 0
	for c := range w.shape.Channels {
		for y := range w.high {
			for x := range w.wide {
				from := w.at(c, y, x)
				kernel.CopyRows(patches[to:], phases[from:], down, across, kernel.Apart(across), kernel.Apart(width))
				to += down * across
			}
		}
	}
}

// roll is the gradient of unroll: it sets each pixel to the sum of its copies, in their order.
func (w *window) roll(image, patches, spare []float32) {
	phases := spare
	if w.plain() {
		phases = image
	}
	height, width := w.phase()
	if w.stride == 1 && w.high == w.wide {
		kernel.Col2Im(phases, patches, w.shape.Channels, height, width, w.high)
	} else {
		clear(phases)
		down, across := w.places()
		from := 0
		for c := range w.shape.Channels {
			for y := range w.high {
				for x := range w.wide {
					to := w.at(c, y, x)
					for range down {
						kernel.Axpy(phases[to:to+across], 1, patches[from:from+across])
						from, to = from+across, to+width
					}
				}
			}
		}
	}
	w.merge(image, phases)
}
