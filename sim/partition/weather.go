package partition

import (
	"sync"

	"flockscope/sim/dataset"
	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// plane is the shape of one channel of an image.
func plane(shape dataset.Shape) dataset.Shape { return dataset.Image(shape.Height, shape.Width, 1) }

// plasma fills the square dst, whose side is a power of two, with a cloud from 0 to 1: the diamond-square algorithm on a
// torus. Random changes shrink from scale to scale by the square of decay.
func plasma(dst []float32, side int, decay float64, s *rng.Stream) {
	wibble := 100.0
	at := func(y, x int) *float32 { return &dst[(y&(side-1))*side+x&(side-1)] }
	set := func(y, x int, a, b, c, d float32) {
		*at(y, x) = float32(float64(float64((a+b)+(c+d))/4) + float64(wibble*s.Uniform(-wibble, wibble)))
	}
	dst[0] = 0
	for step := side; step >= 2; step /= 2 {
		half := step / 2
		for y := 0; y < side; y += step {
			for x := 0; x < side; x += step {
				set(y+half, x+half, *at(y, x), *at(y+step, x), *at(y, x+step), *at(y+step, x+step))
			}
		}
		for y := 0; y < side; y += half {
			for x := half - y%step; x < side; x += step {
				set(y, x, *at(y-half, x), *at(y+half, x), *at(y, x-half), *at(y, x+half))
			}
		}
		wibble /= decay
	}
	low, high := dst[0], dst[0]
	for _, v := range dst[:side*side] {
		low, high = min(low, v), max(high, v)
	}
	for i, v := range dst[:side*side] {
		dst[i] = (v - low) / max(high-low, 1e-30)
	}
}

// fog is a cloud in front of an image, which loses contrast so that its brightest number stays. The cloud is as large as
// the image, up to a power of two; MNIST-C cuts it from one of 256 pixels.
func fog(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5][2]float64{{1.5, 2}, {2, 2}, {2.5, 1.7}, {2.5, 1.5}, {3, 1.4}},
		[5][2]float64{{.2, 3}, {.5, 3}, {.75, 2.5}, {1, 2}, {1.5, 1.75}})
	side := 2
	for side < max(shape.Height, shape.Width) {
		side *= 2
	}
	memory := lend(side * side)
	thick := float32(c[0])
	return func(dst, raw []float32, s rng.Stream) {
		cloud := memory.take()
		defer memory.give(cloud)
		plasma(*cloud, side, c[1], &s)
		brightest := float32(0)
		for _, x := range raw[:len(dst)] {
			brightest = max(brightest, x)
		}
		for j := range dst {
			pixel := j / shape.Channels
			x := raw[j] + float32(thick*(*cloud)[pixel/shape.Width*side+pixel%shape.Width])
			dst[j] = clip(float32(x*brightest) / (brightest + thick))
		}
	}
}

// frostSide is the side of a picture of frost.
const frostSide = 128

// frostPictures are five windows with frost. Hendrycks and Dietterich have photographs.
var frostPictures = sync.OnceValue(func() (out [5][]float32) {
	for i := range out {
		var s rng.Stream
		s.Reset(uint64(i), viewPlan, 0, 1)
		out[i] = drawFrost(&s)
	}
	return out
})

// drawFrost draws ferns of ice on a hazy window, brightness 0 to 1. The picture continues beyond its edges.
func drawFrost(s *rng.Stream) []float32 {
	ice := make([]float32, frostSide*frostSide)
	plasma(ice, frostSide, 1.7, s)
	for i, v := range ice {
		ice[i] = .2 + float32(.4*v)
	}
	var grow func(x, y, angle, length float64)
	grow = func(x, y, angle, length float64) {
		sin, cos := exact.SinCosDegrees(normalizedAngle(angle))
		for step := 0.0; step < length; step++ {
			at := &ice[(int(y)&(frostSide-1))*frostSide+int(x)&(frostSide-1)]
			*at = max(*at, float32(1.2-float64(.7*step/length)))
			x, y = x+cos, y+sin
			if int(step)%5 == 4 && length > 8 {
				grow(x, y, angle+60, float64((length-step)*.4))
				grow(x, y, angle-60, float64((length-step)*.4))
			}
		}
	}
	for range 24 {
		x, y := s.Uniform(frostSide, 2*frostSide), s.Uniform(frostSide, 2*frostSide) // so that no branch gets below 0
		grow(x, y, s.Uniform(-180, 180), s.Uniform(15, 60))
	}
	soft := stencil{box3.taps, 1, wrapped}
	shape := dataset.Image(frostSide, frostSide, 1)
	soft.apply(ice, ice, make([]float32, soft.memory(shape)), shape)
	return ice
}

// wrapped is a position on a torus.
func wrapped(i, n int) int { return (i + n) % n }

// frost adds a random part of a frosty window, bluish on colour images.
func frost(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5][2]float32{{1, .4}, {.8, .6}, {.7, .7}, {.65, .7}, {.6, .75}},
		[5][2]float32{{1, .2}, {1, .3}, {.9, .4}, {.85, .4}, {.75, .45}})
	tint := [3]float32{.85, .95, 1}
	if !colour(shape) {
		tint = [3]float32{1, 1, 1}
	}
	pictures := frostPictures()
	return func(dst, raw []float32, s rng.Stream) {
		ice := pictures[s.IntN(len(pictures))]
		top, left := s.IntN(frostSide), s.IntN(frostSide)
		for j := range dst {
			pixel := j / shape.Channels
			y, x := (top+pixel/shape.Width)&(frostSide-1), (left+pixel%shape.Width)&(frostSide-1)
			white := float32(c[1] * float32(ice[y*frostSide+x]*tint[j%shape.Channels%3]))
			dst[j] = clip(float32(c[0]*raw[j]) + white)
		}
	}
}

// luminance returns the grey of a pixel.
func luminance(pixel []float32) float32 {
	if len(pixel) != 3 {
		return pixel[0]
	}
	return (float32(.299*pixel[0]) + float32(.587*pixel[1])) + float32(.114*pixel[2])
}

// snow pales an image, and adds flakes that fall from both sides: bright points of noise, enlarged and blurred along
// their way.
func snow(shape dataset.Shape, level int) corrupter {
	// mean and deviation of the noise, factor, least brightness, trail and its deviation, and part of the image
	c := constant(shape, level, [5][7]float64{{.1, .3, 3, .5, 10, 4, .8}, {.2, .3, 2, .5, 12, 4, .7},
		{.55, .3, 4, .9, 12, 8, .7}, {.55, .3, 4.5, .85, 12, 8, .65}, {.55, .3, 2.5, .85, 12, 12, .55}},
		[5][7]float64{{.1, .2, 1, .6, 8, 3, .95}, {.1, .2, 1, .5, 10, 4, .9}, {.15, .3, 1.75, .55, 10, 4, .9},
			{.25, .3, 2.25, .6, 12, 6, .85}, {.3, .3, 1.25, .65, 14, 12, .8}})
	grey := plane(shape)
	across, down := enlarge(shape.Width, c[2]), enlarge(shape.Height, c[2])
	t := newTrail(int(c[4]), c[5])
	n := grey.Size()
	memory := lend(2*n + t.memory(grey))
	keep := float32(c[6])
	return func(dst, raw []float32, s rng.Stream) {
		work := memory.take()
		defer memory.give(work)
		flakes, other, wide := (*work)[:n], (*work)[n:2*n], (*work)[2*n:]
		for j := range flakes {
			flakes[j] = float32(c[0] + float64(c[1]*s.Normal()))
		}
		filter(other, flakes, grey, &across, &down)
		for j, x := range flakes {
			if flakes[j] = clip(x); float64(x) < c[3] {
				flakes[j] = 0
			}
		}
		t.blur(other, flakes, wide, grey, s.Uniform(-135, -45))
		for j := range dst {
			pixel := j / shape.Channels
			pale := float32(1.5*luminance(raw[pixel*shape.Channels:(pixel+1)*shape.Channels])) + .5
			x := float32(keep*raw[j]) + float32((1-keep)*max(raw[j], pale))
			dst[j] = clip(x + (other[pixel] + other[n-1-pixel]))
		}
	}
}
