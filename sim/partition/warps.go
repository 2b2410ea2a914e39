package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/rng"
)

// glass blurs an image, exchanges pixels with others near them, and blurs again, as rough glass does.
//
// The script of CIFAR-10-C means to exchange two pixels, but NumPy gives it views of them: the first becomes the second,
// and the second stays. Its images were published so, and are so here. On grey images the exchange works, and MNIST-C
// leaves out every other one.
func glass(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5][3]float64{{.7, 1, 2}, {.9, 2, 1}, {1, 2, 3}, {1.1, 3, 2}, {1.5, 4, 2}},
		[5][3]float64{{.05, 1, 1}, {.25, 1, 1}, {.4, 1, 1}, {.25, 1, 2}, {.4, 1, 2}})
	far, times, n := int(c[1]), int(c[2]), shape.Channels
	smooth := linear(shape, func(n int) axis { return bell(n, c[0], 4, replicated) })
	return func(dst, raw []float32, s rng.Stream) {
		smooth(dst, raw, s)
		for range times {
			for y := shape.Height - far; y > far; y-- {
				for x := shape.Width - far; x > far; x-- {
					if n != 3 && s.IntN(2) == 0 {
						continue
					}
					dx, dy := s.IntN(2*far)-far, s.IntN(2*far)-far
					a, b := dst[(y*shape.Width+x)*n:][:n], dst[((y+dy)*shape.Width+x+dx)*n:][:n]
					for k, old := range a {
						if a[k] = b[k]; n != 3 {
							b[k] = old
						}
					}
				}
			}
		}
		copy(raw, dst)
		smooth(dst, raw, s)
	}
}

// elastic moves three points of an image at random, and the image with them; then every pixel by a smooth field. Outside
// colour images are mirrored and others are black.
func elastic(shape dataset.Shape, level int) corrupter {
	// size of the field in pixels, its standard deviation, and how far points move, in parts of the side
	c := constant(shape, level, [5][3]float64{{2, .7, .1}, {2, .08, .2}, {.05, .01, .02}, {.07, .01, .02},
		{.12, .01, .02}},
		[5][3]float64{{0, 0, .08}, {.05, .2, .07}, {.08, .06, .06}, {.1, .04, .05}, {.1, .03, .03}})
	side := float64(min(shape.Height, shape.Width))
	sigma, size, far := float64(c[1]*side), float64(c[0]*side), float64(c[2]*side)
	across, down := bell(shape.Width, sigma, 3, reflected), bell(shape.Height, sigma, 3, reflected)
	grey := plane(shape)
	n := grey.Size()
	memory := lend(3 * n)
	inner, outer := mirrored, reflected
	if !colour(shape) {
		inner, outer = nowhere, nowhere
	}
	return func(dst, raw []float32, s rng.Stream) {
		work := memory.take()
		defer memory.give(work)
		m := threePoints(shape, far, &s)
		for y := range shape.Height {
			for x := range shape.Width {
				px, py := m.at(float64(x), float64(y))
				interpolate(dst[(y*shape.Width+x)*shape.Channels:], raw, shape, px, py, inner)
			}
		}
		copy(raw, dst)
		var field [2][]float32
		for k := range field {
			field[k] = (*work)[k*n : (k+1)*n]
			for j := range field[k] {
				field[k][j] = float32(size * s.Uniform(-1, 1))
			}
			filter((*work)[2*n:], field[k], grey, &across, &down)
		}
		for y := range shape.Height {
			for x := range shape.Width {
				at := y*shape.Width + x
				px, py := float64(x)+float64(field[0][at]), float64(y)+float64(field[1][at])
				interpolate(dst[at*shape.Channels:], raw, shape, px, py, outer)
			}
		}
		for j, x := range dst {
			dst[j] = clip(x)
		}
	}
}

// nowhere is an edge beyond which an image is black.
func nowhere(i, n int) int {
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// interpolate writes the pixel at a position between others.
func interpolate(dst, src []float32, shape dataset.Shape, px, py float64, edge func(i, n int) int) {
	fx, fy := math.Floor(px), math.Floor(py)
	right, below := px-fx, py-fy
	dst = dst[:shape.Channels]
	clear(dst)
	for corner := range 4 {
		x, y := edge(int(fx)+corner&1, shape.Width), edge(int(fy)+corner>>1, shape.Height)
		if x < 0 || y < 0 {
			continue
		}
		weight := float32(math.Abs(float64(1-corner&1)-right) * math.Abs(float64(1-corner>>1)-below))
		for k := range dst {
			dst[k] += float32(weight * src[(y*shape.Width+x)*shape.Channels+k])
		}
	}
}

// affine maps (x, y) to (a·x + b·y + c, d·x + e·y + f).
type affine [6]float64

func (m *affine) at(x, y float64) (float64, float64) {
	return float64(m[0]*x) + float64(m[1]*y) + m[2], float64(m[3]*x) + float64(m[4]*y) + m[5]
}

// threePoints returns where the pixels of an image come from that is moved with three of its points, each by up to far
// pixels along both axes.
func threePoints(shape dataset.Shape, far float64, s *rng.Stream) affine {
	cx, cy := float64(shape.Width/2), float64(shape.Height/2)
	square := float64(min(shape.Height, shape.Width) / 3)
	from := [3][2]float64{{cx + square, cy + square}, {cx + square, cy - square}, {cx - square, cy - square}}
	to := from
	for i := range to {
		for k := range to[i] {
			to[i][k] += s.Uniform(-far, far)
		}
	}
	// Solve m(to) = from, relative to the second point.
	ux, uy := to[0][0]-to[1][0], to[0][1]-to[1][1]
	vx, vy := to[2][0]-to[1][0], to[2][1]-to[1][1]
	area := float64(ux*vy) - float64(uy*vx)
	if math.Abs(area) < 1 {
		return affine{1, 0, 0, 0, 1, 0} // the points are on a line
	}
	var m affine
	for k := range 2 {
		u, v := from[0][k]-from[1][k], from[2][k]-from[1][k]
		a, b := (float64(u*vy)-float64(v*uy))/area, (float64(v*ux)-float64(u*vx))/area
		m[3*k], m[3*k+1] = a, b
		m[3*k+2] = from[1][k] - float64(a*to[1][0]) - float64(b*to[1][1])
	}
	return m
}
