package dataset

import (
	"math"
	"slices"

	"flockscope/sim/exact"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[Generator]{
		Meta: registry.Meta{
			Name:   "shapes",
			Title:  "Synthetic colour shapes (as large as CIFAR-10)",
			Family: registry.Pictures,
			Doc:    "Ten kinds of shapes and textures on backgrounds, 32 by 32 pixels in colour. Colours tell nothing about the class, so that linear models fail and convolutions do not.",
			Paper: registry.Citation{Authors: "Krizhevsky", Given: "Alex",
				Title: "Learning Multiple Layers of Features from Tiny Images",
				Venue: "University of Toronto", Year: 2009, URL: "https://www.cs.toronto.edu/~kriz/learning-features-2009-TR.pdf",
				Where: "CIFAR-10, whose size these pictures have"},
		},
		Make: Shapes,
	})
}

const shapeSide = 32

var shapeNames = []string{"stripes across", "stripes down", "triangle up", "triangle down", "crescent left", "crescent right", "ring", "plus sign",
	"checked square", "plain square"}

// Shapes returns n synthetic colour images, 32 × 32 × 3, in ten classes. Three pairs of classes differ only by their
// orientation, so that clients who see their pictures rotated disagree about them. All samples have one distribution;
// the last sixth is the test split, as in CIFAR-10.
func Shapes(seed uint64, n int) *Set {
	s := &Set{Name: "Shapes", Shape: Image(shapeSide, shapeSide, 3), Classes: len(shapeNames),
		ClassNames: slices.Clone(shapeNames), Train: n - n/6,
		Label: balanced[uint8](n, len(shapeNames), seed, shapePurpose, classStream)}
	s.Rows = newLazyPixels(s.Shape, n, func(dst []uint8, i int) { drawShape(dst, seed, i, int(s.Label[i])) })
	return s
}

// tint is a colour: red, green and blue from 0 to 1.
type tint [3]float64

// sample draws a colour that differs from the other by 0.25 to 0.5 in each channel. It is lighter, or with probability
// dark darker, where that is possible.
func (c *tint) sample(other tint, dark float64, s *rng.Stream) {
	lighter := s.Float64() >= dark
	for k, o := range other {
		step := s.Uniform(.25, .5)
		if o < step || lighter && o+step <= 1 {
			c[k] = o + step
		} else {
			c[k] = o - step
		}
	}
}

// drawShape draws sample i.
func drawShape(dst []uint8, seed uint64, i, class int) {
	var s rng.Stream
	s.Reset(seed, shapePurpose, i, sampleStream)
	var paper, shade, ink, second tint
	for k := range paper {
		paper[k] = s.Uniform(0, .7)
	}
	shade.sample(paper, .5, &s) // the background fades from one to the other, in waves
	ink.sample(paper, .2, &s)
	second.sample(ink, .5, &s)
	grain := s.Uniform(.01, .06)
	period, fade := s.Uniform(4, 20), s.Uniform(0, .6)
	sinWave, cosWave := exact.SinCosDegrees(s.Uniform(-180, 180))
	blot := point{s.Uniform(0, shapeSide), s.Uniform(0, shapeSide)} // a distraction
	blotSize := s.Uniform(2, 4)

	centre := point{s.Uniform(11, 21), s.Uniform(11, 21)}
	size, narrow := s.Uniform(7.5, 11), s.Uniform(.8, 1.25)
	sin, cos := exact.SinCosDegrees(s.Uniform(-14, 14))
	for y := range shapeSide {
		for x := range shapeSide {
			var sum tint
			for corner := range 4 { // four points of each pixel, against stairs
				px, py := float64(x)+.25+float64(.5*float64(corner%2)), float64(y)+.25+float64(.5*float64(corner/2))
				dx, dy := px-centre.x, py-centre.y
				u := float64((float64(dx*cos)+float64(dy*sin))*narrow) / size
				v := (float64(dy*cos) - float64(dx*sin)) / size
				inside, other := shapeAt(class, u, v)
				bx, by := px-blot.x, py-blot.y
				for k := range sum {
					switch {
					case inside && other:
						sum[k] += second[k]
					case inside:
						sum[k] += ink[k]
					case float64(bx*bx)+float64(by*by) < float64(blotSize*blotSize):
						sum[k] += second[k]
					default:
						part := float64(fade * wave((float64(px*cosWave)+float64(py*sinWave))/period))
						sum[k] += paper[k] + float64(part*(shade[k]-paper[k]))
					}
				}
			}
			for k, v := range sum {
				v = float64(v/4) + float64(grain*s.Normal())
				dst[(y*shapeSide+x)*3+k] = uint8(float64(255*max(0, min(1, v))) + .5)
			}
		}
	}
}

// shapeAt reports whether a point is inside the shape of a class, in units of its size from its centre, with v
// downwards, and whether it has the second colour of the texture.
func shapeAt(class int, u, v float64) (inside, second bool) {
	square := float64(u*u) + float64(v*v)
	block := max(math.Abs(u), math.Abs(v)) < .85
	switch class {
	case 0:
		return square < 1, wave(v/.7) < .5
	case 1:
		return square < 1, wave(u/.7) < .5
	case 2:
		return v < .75 && math.Abs(u) < float64(.6*(v+1)), false
	case 3:
		return v > -.75 && math.Abs(u) < float64(.6*(1-v)), false
	case 4:
		return square < 1 && float64((u-.45)*(u-.45))+float64(v*v) > .6, false
	case 5:
		return square < 1 && float64((u+.45)*(u+.45))+float64(v*v) > .6, false
	case 6:
		return square < 1 && square > .3, false
	case 7:
		return max(math.Abs(u), math.Abs(v)) < 1 && min(math.Abs(u), math.Abs(v)) < .3, false
	case 8:
		return block, (wave(u/.85) < .5) != (wave(v/.85) < .5)
	}
	return block, false
}
