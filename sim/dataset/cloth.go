package dataset

import (
	"math"

	"flockscope/sim/rng"
)

// pattern is the texture of a garment.
type pattern int

// The patterns.
const (
	plain   pattern = iota
	across          // stripes from left to right
	down            // stripes from top to bottom
	checks          // both
	block           // the lower part has another tone
	picture         // a rectangle on the chest
)

// patternsOf is the number of patterns of each class: the first ones of the list.
var patternsOf = [10]int{6, 3, 6, 5, 5, 1, 6, 3, 5, 1}

// cloth is the brightness of a garment at each pixel.
type cloth struct {
	tone        float64 // brightness in the middle
	toRight     float64 // brightness added from left to right
	toHem       float64 // brightness added from top to bottom
	fold        float64 // depth of folds, which run down
	foldWidth   float64 // in pixels
	pattern     pattern
	depth       float64 // depth of the pattern
	period      float64 // in pixels
	offset      float64 // in pixels
	grain       float64
	left, right float64 // of the print, in pixels
	top, bottom float64
}

// sample draws the cloth of a garment of the class.
func (k *cloth) sample(class int, s *rng.Stream) {
	dark := s.Float64()
	k.tone = 0.97 - float64(0.72*float64(dark*dark)) // most clothes are light
	k.toRight = float64(0.1 * s.Normal())
	k.toHem = float64(0.12 * s.Normal())
	k.fold = max(0, float64(0.12*s.Normal()))
	k.foldWidth = s.Uniform(3, 8)
	k.depth = s.Uniform(0.15, 0.7)
	k.period = s.Uniform(2.2, 7)
	k.offset = s.Uniform(0, 28)
	k.grain = s.Uniform(0.01, 0.05)
	k.left, k.right = s.Uniform(8, 12), s.Uniform(15, 20)
	k.top, k.bottom = s.Uniform(7, 11), s.Uniform(12, 20)
	k.pattern = plain
	if s.Float64() < 0.5 {
		k.pattern = pattern(s.IntN(patternsOf[class]))
	}
}

// brightness returns the brightness at pixel (x, y).
func (k *cloth) brightness(x, y int) float64 {
	u, v := float64(x)+k.offset, float64(y)+k.offset
	b := k.tone + float64(k.toRight*(float64(x-side/2)/side)) + float64(k.toHem*(float64(y-side/2)/side))
	b -= float64(k.fold * wave(u/k.foldWidth))
	dark := 0.0
	switch k.pattern {
	case across:
		dark = wave(v / k.period)
	case down:
		dark = wave(u / k.period)
	case checks:
		dark = (wave(u/k.period) + wave(v/k.period)) / 2
	case block:
		if float64(y) > k.bottom {
			dark = 1
		}
	case picture:
		if fx, fy := float64(x), float64(y); fx > k.left && fx < k.right && fy > k.top && fy < k.bottom {
			dark = 1
		}
	}
	return max(0.05, b*(1-float64(k.depth*dark)))
}

// wave is a triangle wave of period 1 from 0 to 1.
func wave(t float64) float64 {
	t -= math.Floor(t)
	return 1 - math.Abs(float64(2*t)-1)
}
