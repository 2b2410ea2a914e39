package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/rng"
)

// pixelwise makes a corruption of single numbers, with a constant c for each severity. Results are
// clipped to [0, 1].
func pixelwise(change func(dst, raw []float32, c float64, s rng.Stream), constants ...float64) func(dataset.Shape,
	int) corrupter {
	return func(_ dataset.Shape, level int) corrupter {
		c := constants[level]
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

// brighten adds c.
func brighten(dst, raw []float32, c float64, _ rng.Stream) {
	for j := range dst {
		dst[j] = raw[j] + float32(c)
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
	c := [5]float32{.4, .3, .2, .1, .05}[level]
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
