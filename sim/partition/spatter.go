package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/rng"
)

// spatter is mud on the lens, or, on colour images of severity 1 to 3, drops of water. Drops lie where smoothed noise is
// above a level. Their edges are the outermost pixels; the script of CIFAR-10-C finds edges by Canny's detector.
func spatter(shape dataset.Shape, level int) corrupter {
	// mean and deviation of the noise, its smoothing, level, smoothing of mud or strength of water, and 1 for mud
	c := constant(shape, level, [5][6]float64{{.65, .3, 4, .69, .6, 1}, {.65, .3, 3, .68, .6, 1},
		{.65, .3, 2, .68, .5, 1}, {.65, .3, 1, .65, 1.5, 1}, {.67, .4, 1, .65, 1.5, 1}},
		[5][6]float64{{.62, .1, .7, .7, .5, 0}, {.65, .1, .8, .7, .5, 0}, {.65, .3, 1, .69, .5, 0},
			{.65, .1, .7, .69, .6, 1}, {.65, .1, .5, .68, .6, 1}})
	grey := plane(shape)
	n := grey.Size()
	smooth := func(sigma float64) (across, down axis) {
		return bell(shape.Width, sigma, 4, replicated), bell(shape.Height, sigma, 4, replicated)
	}
	across, down := smooth(c[2])
	acrossMud, downMud := smooth(c[4])
	water, mud := [3]float32{175. / 255, 238. / 255, 238. / 255}, [3]float32{63. / 255, 42. / 255, 20. / 255}
	memory := lend(2*n + box3.memory(grey))
	return func(dst, raw []float32, s rng.Stream) {
		work := memory.take()
		defer memory.give(work)
		drops, other, wide := (*work)[:n], (*work)[n:2*n], (*work)[2*n:]
		for j := range drops {
			drops[j] = float32(c[0] + float64(c[1]*s.Normal()))
		}
		filter(other, drops, grey, &across, &down)
		if c[5] == 0 {
			for j, x := range drops {
				if float64(x) < c[3] {
					drops[j] = 0
				}
			}
			emboss(other, drops, wide, grey)
			most := float32(0)
			for j, x := range drops {
				drops[j] = float32(x * other[j])
				most = max(most, drops[j])
			}
			strength := float32(c[4]) / max(most, 1e-30)
			for j := range dst {
				dst[j] = clip(raw[j] + float32(float32(drops[j/shape.Channels]*strength)*water[j%3]))
			}
			return
		}
		for j, x := range drops {
			drops[j] = 0
			if float64(x) > c[3] {
				drops[j] = 1
			}
		}
		filter(other, drops, grey, &acrossMud, &downMud)
		for j := range dst {
			m := drops[j/shape.Channels]
			if m < .8 {
				m = 0
			}
			dst[j] = clip(float32(raw[j]*(1-m)) + float32(mud[j%shape.Channels%3]*m))
		}
	}
}

var (
	// box3 is the mean of 3 × 3 pixels, and lit the light from one corner on a relief.
	box3 = square3(1./9, 1./9, 1./9, 1./9, 1./9, 1./9, 1./9, 1./9, 1./9)
	lit  = square3(-2, -1, 0, -1, 1, 1, 0, 1, 2)
)

func square3(weights ...float32) *stencil {
	f := &stencil{reach: 1, edge: mirrored}
	for i, w := range weights {
		f.taps = append(f.taps, tap{i%3 - 1, i/3 - 1, w})
	}
	return f
}

// emboss writes how light plays on drops to dst, from 0 to 255: it depends on the distance from their edges.
func emboss(dst, drops, wide []float32, grey dataset.Shape) {
	w := grey.Width
	out := func(y, x int) bool { return inside(grey, x, y) && drops[y*w+x] == 0 }
	for at := range dst {
		y, x := at/w, at%w
		dst[at] = 20 // the longest distance
		if drops[at] > 0 && (out(y-1, x) || out(y+1, x) || out(y, x-1) || out(y, x+1)) {
			dst[at] = 0
		}
	}
	// Distances along steps of the chess king and knight, from the top and then from the bottom.
	steps := [...]struct {
		dy, dx int
		length float32
	}{{-1, 0, 1}, {0, -1, 1}, {-1, -1, 1.4}, {-1, 1, 1.4},
		{-1, -2, 2.1969}, {-1, 2, 2.1969}, {-2, -1, 2.1969}, {-2, 1, 2.1969}}
	for sign := 1; sign >= -1; sign -= 2 {
		for i := range dst {
			at := i
			if sign < 0 {
				at = len(dst) - 1 - i
			}
			y, x := at/w, at%w
			for _, s := range steps {
				if ny, nx := y+sign*s.dy, x+sign*s.dx; inside(grey, nx, ny) {
					dst[at] = min(dst[at], dst[ny*w+nx]+s.length)
				}
			}
		}
	}
	box3.apply(dst, dst, wide, grey)
	equalize(dst)
	lit.apply(dst, dst, wide, grey)
	for at, x := range dst {
		dst[at] = max(0, min(255, x))
	}
	box3.apply(dst, dst, wide, grey)
}

// equalize spreads whole parts of numbers from 0 to 255 over this range, so that each part of it is as frequent.
func equalize(values []float32) {
	var up [256]int
	least := 255
	for _, v := range values {
		up[int(v)]++
		least = min(least, int(v))
	}
	rest := len(values) - up[least]
	for i, sum := least, -up[least]; i < 256; i++ {
		sum += up[i]
		up[i] = sum
	}
	for at, v := range values {
		if values[at] = float32(int(v)); rest > 0 {
			values[at] = float32(math.Floor(float64(255*up[int(v)])/float64(rest) + .5))
		}
	}
}
