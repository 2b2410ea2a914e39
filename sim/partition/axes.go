package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/exact"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// axis is a linear map of one axis of an image: output i is a weighted sum of inputs from[i],
// from[i]+1, …
type axis struct {
	from   []int
	weight [][]float32
}

// linear makes a corruption that maps both axes of an image, one after the other.
func linear(shape dataset.Shape, change func(n int) axis) corrupter {
	across, down := change(shape.Width), change(shape.Height)
	return func(dst, raw []float32, _ rng.Stream) {
		filter(dst, raw[:len(dst)], shape, &across, &down)
		for j := range dst {
			dst[j] = clip(raw[j])
		}
	}
}

// filter maps the rows of src to dst, and the columns of that to src.
func filter(dst, src []float32, shape dataset.Shape, across, down *axis) {
	line := shape.Width * shape.Channels
	for y := range shape.Height {
		across.apply(dst[y*line:(y+1)*line], src[y*line:(y+1)*line], shape.Channels)
	}
	// A whole line is one position of the vertical axis.
	down.apply(src, dst, line)
}

// apply writes the mapped axis to dst. Each position holds size numbers.
func (a *axis) apply(dst, src []float32, size int) {
	for i, weights := range a.weight {
		in := src[a.from[i]*size:]
		out := dst[i*size : (i+1)*size]
		for c := range out {
			sum := float32(0)
			at := c
			for _, w := range weights {
				sum += float32(w * in[at])
				at += size
			}
			out[c] = sum
		}
	}
}

// add appends an output with the given weights of all inputs, without leading and trailing zeros.
func (a *axis) add(weights []float32) {
	from, to := 0, len(weights)
	for from < to-1 && weights[from] == 0 {
		from++
	}
	for from < to-1 && weights[to-1] == 0 {
		to--
	}
	a.from, a.weight = append(a.from, from), append(a.weight, weights[from:to])
}

// blur is a Gaussian filter of standard deviation 1, 2, 3, 4 or 6 pixels, of colour images 0.4 to 1.
func blur(shape dataset.Shape, level int) corrupter {
	sigma := constant(shape, level, [5]float64{1, 2, 3, 4, 6}, [5]float64{.4, .6, .7, .8, 1})
	return linear(shape, func(n int) axis { return bell(n, sigma, 4, replicated) })
}

// bell is a Gaussian filter of an axis of n pixels, truncated at so many standard deviations.
func bell(n int, sigma, truncate float64, edge func(i, n int) int) axis {
	reach := int(float64(truncate*sigma) + 0.5)
	bell := make([]float64, reach+1)
	sum := 0.0
	for d := range bell {
		bell[d] = 1
		if d > 0 {
			bell[d] = exact.Exp(-float64(d*d) / (2 * sigma * sigma))
		}
		sum += bell[d]
		if d > 0 {
			sum += bell[d]
		}
	}
	var a axis
	for i := range n {
		row := make([]float64, n)
		for d := -reach; d <= reach; d++ {
			row[edge(i+d, n)] += bell[max(d, -d)] / sum
		}
		weights := make([]float32, n)
		for j, w := range row {
			weights[j] = float32(w)
		}
		a.add(weights)
	}
	return a
}

// Positions outside an axis of n pixels: that of the nearest pixel, of a mirror behind the last pixel, or of a mirror in
// the middle of the last pixel. SciPy calls them nearest, reflect and mirror.
func replicated(i, n int) int { return max(0, min(n-1, i)) }
func reflected(i, n int) int {
	i = ((i % (2 * n)) + 2*n) % (2 * n)
	return min(i, 2*n-1-i)
}
func mirrored(i, n int) int {
	period := max(1, 2*n-2)
	i = ((i % period) + period) % period
	return min(i, period-i)
}

// pixelate downsamples an image to 0.95, 0.9, 0.85, 0.75 or 0.65 of its side and upsamples it, both
// with a box filter: a pixel is the mean of the pixels whose centres its area covers.
func pixelate(shape dataset.Shape, level int) corrupter {
	return linear(shape, func(n int) axis {
		small := max(1, int(float64(n)*[5]float64{.95, .9, .85, .75, .65}[level]))
		shrunk, stretched := box(n, small), box(small, n)
		var a axis
		for i, weights := range stretched.weight {
			row := make([]float32, n)
			for k, w := range weights {
				at := stretched.from[i] + k
				for l, v := range shrunk.weight[at] {
					row[shrunk.from[at]+l] += float32(w * v)
				}
			}
			a.add(row)
		}
		return a
	})
}

// box resizes an axis from n to m pixels.
func box(n, m int) axis {
	var a axis
	scale := float64(n) / float64(m)
	half := float64(max(1, scale) / 2)
	for i := range m {
		centre := float64((float64(i) + 0.5) * scale)
		from := max(0, int(math.Floor(centre-half+0.5)))
		to := min(n, int(math.Floor(centre+half+0.5)))
		weights := make([]float32, to-from)
		for k := range weights {
			weights[k] = 1 / float32(len(weights))
		}
		a.from, a.weight = append(a.from, from), append(a.weight, weights)
	}
	return a
}

// translate shifts each image by as many pixels as the severity, in a random diagonal direction per
// sample; 0 fills the rest.
func translate(shape dataset.Shape, level int) corrupter {
	step := level + 1
	return func(dst, raw []float32, s rng.Stream) {
		dx, dy := step, step
		if s.IntN(2) == 0 {
			dx = -step
		}
		if s.IntN(2) == 0 {
			dy = -step
		}
		clear(dst)
		left, right := max(0, dx), min(shape.Width, shape.Width+dx)
		for y := max(0, dy); y < min(shape.Height, shape.Height+dy) && left < right; y++ {
			to, from := y*shape.Width+left, (y-dy)*shape.Width+left-dx
			n := (right - left) * shape.Channels
			copy(dst[to*shape.Channels:][:n], raw[from*shape.Channels:])
		}
	}
}

// zoom is the mean of an image and of enlarged copies, as a zoom lens leaves it: from 1 to 1.11, 1.15, 1.20, 1.24 or 1.30
// times as large, of colour images to 1.06, 1.11, 1.15, 1.20 or 1.25.
func zoom(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5][2]int{{12, 1}, {16, 1}, {11, 2}, {13, 2}, {11, 3}},
		[5][2]int{{7, 1}, {12, 1}, {16, 1}, {21, 1}, {26, 1}}) // number of copies, and their steps in hundredths
	across, down := make([]axis, c[0]), make([]axis, c[0])
	step := (1 + float64(c[1])/100) - 1 // rounded as in NumPy's arange, since sizes jump at some factors
	for i := range c[0] {
		factor := 1 + float64(float64(i)*step)
		across[i], down[i] = enlarge(shape.Width, factor), enlarge(shape.Height, factor)
	}
	memory := lend(2 * shape.Size())
	return func(dst, raw []float32, _ rng.Stream) {
		work := memory.take()
		defer memory.give(work)
		raw = raw[:len(dst)]
		rows, copied := (*work)[:len(dst)], (*work)[len(dst):]
		copy(dst, raw)
		for i := range across {
			copy(copied, raw)
			filter(rows, copied, shape, &across[i], &down[i])
			kernel.Axpy(dst, 1, copied)
		}
		for j := range dst {
			dst[j] = clip(dst[j] / float32(1+len(across)))
		}
	}
}

// enlarge cuts the middle of an axis of n pixels and enlarges it to n pixels, by linear interpolation between its first
// and its last pixel, as scipy.ndimage.zoom does.
func enlarge(n int, factor float64) axis {
	cut := int(math.Ceil(float64(n) / factor))
	wide := int(math.RoundToEven(float64(cut) * factor))
	var a axis
	for i := range n {
		at := 0.0
		if wide > 1 {
			at = float64(i+(wide-n)/2) * float64(cut-1) / float64(wide-1)
		}
		left := min(int(at), cut-1)
		part := at - float64(left)
		a.from = append(a.from, (n-cut)/2+left)
		if left+1 < cut {
			a.weight = append(a.weight, []float32{float32(1 - part), float32(part)})
		} else {
			a.weight = append(a.weight, []float32{1})
		}
	}
	return a
}
