package partition

import (
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/rng"
)

// pixelwise makes a corruption of single numbers, with a constant c for each severity. Results are
// clipped to [0, 1].
func pixelwise(change func(dst, raw []float32, c float64, s rng.Stream),
	ofGrey, ofColour [5]float64) func(dataset.Shape, int) corrupter {
	return func(shape dataset.Shape, level int) corrupter {
		c := constant(shape, level, ofGrey, ofColour)
		return func(dst, raw []float32, s rng.Stream) {
			change(dst, raw, c, s)
			for j, x := range dst {
				dst[j] = clip(x)
			}
		}
	}
}

// gaussian adds noise of standard deviation c.
func gaussian(dst, raw []float32, c float64, s rng.Stream) {
	for j := range dst {
		dst[j] = raw[j] + float32(c*s.Normal())
	}
}

// speckle adds noise of standard deviation c·x: none where x is 0.
func speckle(dst, raw []float32, c float64, s rng.Stream) {
	for j := range dst {
		if dst[j] = raw[j]; raw[j] != 0 {
			dst[j] += float32(raw[j] * float32(c*s.Normal()))
		}
	}
}

// shot counts the light particles that arrive: Poisson(c·x)/c.
func shot(dst, raw []float32, c float64, s rng.Stream) {
	for j := range dst {
		if dst[j] = 0; raw[j] != 0 {
			dst[j] = float32(float64(poisson(c*float64(raw[j]), &s)) / c)
		}
	}
}

// impulse replaces a part c of the numbers, half of them by 0 and half by 1.
func impulse(dst, raw []float32, c float64, s rng.Stream) {
	for j := range dst {
		switch u := s.Float64(); {
		case u < c/2:
			dst[j] = 0
		case u < c:
			dst[j] = 1
		default:
			dst[j] = raw[j]
		}
	}
}

// brightness adds .1 to .5, of colour images .05 to .3, to the value of a colour, which is its largest channel. Hue and
// saturation stay.
func brightness(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5]float32{.1, .2, .3, .4, .5}, [5]float32{.05, .1, .15, .2, .3})
	return recolour(shape, func(saturation, value float32) (float32, float32) { return saturation, value + c })
}

// saturate multiplies the saturation of colours and adds to it. MNIST-C does the same with hue, saturation and value of
// grey images, and takes the luminance of what comes out.
func saturate(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5][2]float32{{.3, 0}, {.1, 0}, {2, 0}, {5, .1}, {20, .2}},
		[5][2]float32{{.3, 0}, {.1, 0}, {1.5, 0}, {2, .1}, {2.5, .2}})
	if colour(shape) {
		return recolour(shape, func(saturation, value float32) (float32, float32) {
			return float32(saturation*c[0]) + c[1], value
		})
	}
	luminance := [5]float32{1, 1, 1, .96424, .97707}[level] // of value 1, and hue and saturation c[1]
	return recolour(shape, func(_, value float32) (float32, float32) {
		return 0, float32(clip(float32(value*c[0])+c[1]) * luminance)
	})
}

// recolour changes saturation and value of each pixel, clipped to [0, 1]. The hue stays; that of a grey is red. Pixels of
// other than three channels are greys.
func recolour(shape dataset.Shape, change func(saturation, value float32) (float32, float32)) corrupter {
	n := 1
	if colour(shape) {
		n = 3
	}
	return func(dst, raw []float32, _ rng.Stream) {
		for at := 0; at < len(dst); at += n {
			pixel := raw[at : at+n]
			value := slices.Max(pixel)
			span := value - slices.Min(pixel)
			saturation := float32(0)
			if value > 0 {
				saturation = span / value
			}
			s, v := change(saturation, value)
			s, v = clip(s), clip(v)
			for k, x := range pixel {
				far := float32(min(k, 1)) // distance from the largest channel in parts of the span
				if span > 0 {
					far = (value - x) / span
				}
				dst[at+k] = float32(v * (1 - float32(s*far)))
			}
		}
	}
}

// invert exchanges ink and background.
func invert(dst, raw []float32, _ float64, _ rng.Stream) {
	for j := range dst {
		dst[j] = 1 - raw[j]
	}
}

// contrast pulls every number towards the mean of its channel.
func contrast(shape dataset.Shape, level int) corrupter {
	c := constant(shape, level, [5]float32{.4, .3, .2, .1, .05}, [5]float32{.75, .5, .4, .3, .15})
	channels := shape.Channels
	return func(dst, raw []float32, _ rng.Stream) {
		for ch := range channels {
			sum, n := float32(0), 0
			for j := ch; j < len(dst); j += channels {
				sum += raw[j]
				n++
			}
			mean := sum / float32(n)
			for j := ch; j < len(dst); j += channels {
				dst[j] = clip(float32((raw[j]-mean)*c) + mean)
			}
		}
	}
}

// stripe inverts the left and the right quarter of the image: columns 0 to 6
// and 21 to 27 of 28.
func stripe(shape dataset.Shape, _ int) corrupter {
	return func(dst, raw []float32, _ rng.Stream) {
		for j := range dst {
			x := j / shape.Channels % shape.Width
			dst[j] = raw[j]
			if x < shape.Width/4 || x >= shape.Width-shape.Width/4 {
				dst[j] = 1 - raw[j]
			}
		}
	}
}
