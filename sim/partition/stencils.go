package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/exact"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// stencil is a filter: the sum of pixels around a pixel, with weights.
type stencil struct {
	taps  []tap
	reach int // largest offset
	edge  func(i, n int) int
}

// tap is an offset from a pixel, and its weight.
type tap struct {
	dx, dy int
	weight float32
}

// memory returns the numbers of an image with a margin of the stencil's reach.
func (f *stencil) memory(shape dataset.Shape) int {
	return (shape.Height + 2*f.reach) * (shape.Width + 2*f.reach) * shape.Channels
}

// apply writes the filtered image src to dst. wide holds f.memory(shape) numbers.
func (f *stencil) apply(dst, src, wide []float32, shape dataset.Shape) {
	c, line := shape.Channels, (shape.Width+2*f.reach)*shape.Channels
	for y := range shape.Height + 2*f.reach {
		from := src[f.edge(y-f.reach, shape.Height)*shape.Width*c:]
		to := wide[y*line : (y+1)*line]
		copy(to[f.reach*c:], from[:shape.Width*c])
		for x := range f.reach {
			copy(to[x*c:(x+1)*c], from[f.edge(x-f.reach, shape.Width)*c:])
			right := f.reach + shape.Width + x
			copy(to[right*c:(right+1)*c], from[f.edge(shape.Width+x, shape.Width)*c:])
		}
	}
	for y := range shape.Height {
		row := dst[y*shape.Width*c : (y+1)*shape.Width*c]
		clear(row)
		for _, t := range f.taps {
			kernel.Axpy(row, t.weight, wide[(y+f.reach+t.dy)*line+(f.reach+t.dx)*c:][:len(row)])
		}
	}
}

// defocus is the disc that a lens out of focus makes of each point: of radius 3, 4, 6, 8 or 10 pixels, of colour images
// 0.3 to 1.5, smoothed by a narrow Gaussian filter.
func defocus(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5][2]float64{{3, .1}, {4, .5}, {6, .5}, {8, .5}, {10, .5}},
		[5][2]float64{{.3, .4}, {.4, .5}, {.5, .6}, {1, .2}, {1.5, .1}})
	f := disc(c[0], c[1])
	memory := lend(f.memory(shape))
	return func(dst, raw []float32, _ rng.Stream) {
		wide := memory.take()
		defer memory.give(wide)
		f.apply(dst, raw, *wide, shape)
		for j, x := range dst {
			dst[j] = clip(x)
		}
	}
}

// disc is a disc of a radius, smoothed by a Gaussian filter of 3 × 3 pixels, of 5 × 5 above a radius of 8.
func disc(radius, sigma float64) *stencil {
	smooth := 1
	if radius > 8 {
		smooth = 2
	}
	whole := int(radius)
	reach := whole + smooth
	f := &stencil{reach: reach, edge: mirrored}
	bell, sum := make([]float64, smooth+1), 0.0
	for d := range bell {
		bell[d] = exact.Exp(-float64(d*d) / (2 * sigma * sigma))
		sum += float64(bell[d] * float64(min(d, 1)+1))
	}
	inside := 0
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			weight := 0.0
			for dy := -smooth; dy <= smooth; dy++ {
				for dx := -smooth; dx <= smooth; dx++ {
					if u, v := x+dx, y+dy; float64(u*u+v*v) <= radius*radius {
						weight += float64(bell[max(dx, -dx)] * bell[max(dy, -dy)])
						inside += 1 - min(1, max(dx, -dx)+max(dy, -dy)) // counted once, in the middle
					}
				}
			}
			if weight > 0 {
				f.taps = append(f.taps, tap{x, y, float32(weight / (sum * sum))})
			}
		}
	}
	for i := range f.taps {
		f.taps[i].weight /= float32(inside)
	}
	return f
}

// mostSteps is the most pixels of a trail.
const mostSteps = 41

// trail is how far a camera moves while it takes a picture: ImageMagick's motion blur, half of a bell along a line, of a
// radius of pixels and a standard deviation.
type trail struct {
	weight []float32
}

func newTrail(radius int, sigma float64) *trail {
	t := &trail{make([]float32, 2*radius+1)}
	sum := 0.0
	for i := range t.weight {
		sum += exact.Exp(-float64(i*i) / (2 * sigma * sigma))
	}
	for i := range t.weight {
		t.weight[i] = float32(exact.Exp(-float64(i*i)/(2*sigma*sigma)) / sum)
	}
	return t
}

// memory returns the numbers that blur needs.
func (t *trail) memory(shape dataset.Shape) int {
	f := stencil{reach: len(t.weight) - 1}
	return f.memory(shape)
}

// blur writes the image src to dst as it is after a movement in the direction of an angle in degrees.
func (t *trail) blur(dst, src, wide []float32, shape dataset.Shape, angle float64) {
	var taps [mostSteps]tap
	sin, cos := exact.SinCosDegrees(angle)
	for i, w := range t.weight {
		taps[i] = tap{int(math.Ceil(float64(float64(i)*cos) - .5)), int(math.Ceil(float64(float64(i)*sin) - .5)), w}
	}
	f := stencil{taps[:len(t.weight)], len(t.weight) - 1, replicated}
	f.apply(dst, src, wide, shape)
}

// motion is a movement of the camera by up to 45° from the horizontal.
func motion(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5][2]float64{{10, 3}, {15, 5}, {15, 8}, {15, 12}, {20, 15}},
		[5][2]float64{{6, 1}, {6, 1.5}, {6, 2}, {8, 2}, {9, 2.5}})
	t := newTrail(int(c[0]), c[1])
	memory := lend(t.memory(shape))
	return func(dst, raw []float32, s rng.Stream) {
		wide := memory.take()
		defer memory.give(wide)
		t.blur(dst, raw, *wide, shape, s.Uniform(-45, 45))
		for j, x := range dst {
			dst[j] = clip(x)
		}
	}
}
