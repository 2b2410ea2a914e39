package dataset

import (
	"slices"

	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[Generator]{
		Meta: registry.Meta{
			Name:   "garments",
			Title:  "Synthetic garments (like Fashion-MNIST)",
			Family: registry.Pictures,
			Doc:    "Ten kinds of clothes, 28 by 28 pixels. Shirts, coats and pullovers look alike; shoes and bags do not.",
			Paper: registry.Citation{Authors: "Xiao, Rasul, Vollgraf", Given: "Han, Kashif, Roland",
				Title: "Fashion-MNIST: a Novel Image Dataset for Benchmarking Machine Learning Algorithms",
				Venue: "arXiv", Year: 2017, URL: "https://arxiv.org/abs/1708.07747", Where: "the set, which these garments imitate"},
		},
		Make: Garments,
	})
}

// Garments returns n synthetic images of garments, 28 × 28 × 1, light on a background of 0, in ten
// classes. All samples have one distribution; the last seventh is the test split, as in
// Fashion-MNIST.
func Garments(seed uint64, n int) *Set {
	s := &Set{Name: "Garments", Shape: Shape{side, side, 1}, Classes: 10, ClassNames: slices.Clone(GarmentNames),
		Train: n - n/7,
		Label: balanced[uint8](n, 10, seed, garmentPurpose, classStream)}
	s.Rows = newLazyPixels(s.Shape, n, func(dst []uint8, i int) {
		drawGarment(dst, seed, i, int(s.Label[i]))
	})
	return s
}

// drawGarment draws sample i.
func drawGarment(dst []uint8, seed uint64, i, class int) {
	var s rng.Stream
	s.Reset(seed, garmentPurpose, i, sampleStream)
	var t garment
	t.cut = &cuts[class][s.IntN(len(cuts[class]))]
	t.sample(&s)
	t.cloth.sample(class, &s)
	var c canvas
	t.draw(&c, &s)
	c.quantize(dst)
}
