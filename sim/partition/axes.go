package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// axis is a linear map of one axis of an image: output i is a weighted sum of inputs from[i],
// from[i]+1, …
type axis struct {
	from   []int
	weight [][]float32
}

// linear makes a corruption that maps both axes of an image, one after the other.
func linear(change func(n, level int) axis) func(dataset.Shape, int) corrupter {
	return func(shape dataset.Shape, level int) corrupter {
		across, down := change(shape.Width, level), change(shape.Height, level)
		line := shape.Width * shape.Channels
		return func(dst, raw []float32, _ rng.Stream) {
			for y := range shape.Height {
				across.apply(dst[y*line:(y+1)*line], raw[y*line:(y+1)*line], shape.Channels)
			}
			// A whole line is one position of the vertical axis.
			down.apply(raw[:len(dst)], dst, line)
			for j := range dst {
				dst[j] = clip(raw[j])
			}
		}
	}
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

// blur is a Gaussian filter of standard deviation 1, 2, 3, 4 or 6 pixels, truncated at four
// standard deviations. Edge pixels are replicated.
var blur = linear(func(n, level int) axis {
	sigma := [5]float64{1, 2, 3, 4, 6}[level]
	reach := int(float64(4*sigma) + 0.5)
	bell := make([]float64, reach+1)
	sum := 0.0
	for d := range bell {
		bell[d] = exact.Exp(-float64(d*d) / (2 * sigma * sigma))
		sum += bell[d]
		if d > 0 {
			sum += bell[d]
		}
	}
	var a axis
	for i := range n {
		row := make([]float64, n)
		for d := -reach; d <= reach; d++ {
			row[max(0, min(n-1, i+d))] += bell[max(d, -d)] / sum
		}
		weights := make([]float32, n)
		for j, w := range row {
			weights[j] = float32(w)
		}
		a.add(weights)
	}
	return a
})

// pixelate downsamples an image to 0.95, 0.9, 0.85, 0.75 or 0.65 of its side and upsamples it, both
// with a box filter: a pixel is the mean of the pixels whose centres its area covers.
var pixelate = linear(func(n, level int) axis {
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
