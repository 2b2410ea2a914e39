package dataset

import (
	"strconv"

	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Generator]{
		Meta: registry.Meta{
			Name:   "digits",
			Title:  "Synthetic digits (like MNIST)",
			Family: registry.Pictures,
			Doc:    "Handwritten digits of a hundred simulated writers, 28 by 28 pixels. Each writer has a slant, a pen width and shapes of digits.",
			Paper: registry.Citation{Authors: "LeCun, Bottou, Bengio, Haffner", Given: "Yann, Léon, Yoshua, Patrick",
				Title: "Gradient-Based Learning Applied to Document Recognition",
				Venue: "Proceedings of the IEEE", Year: 1998, URL: "https://doi.org/10.1109/5.726791", Where: "the MNIST set, which these digits imitate"},
		},
		Make: Digits,
	})
}

// As in MNIST, a digit fills a box of 20 pixels in an image of 28.
const (
	side       = 28
	sideSize   = side * side
	penWriters = 100
)

// Digits returns n synthetic images of digits, 28 × 28 × 1, ink 1 on a background of 0, in ten
// classes and by a hundred writers. All samples have one distribution; the last seventh is the test
// split, as in MNIST.
func Digits(seed uint64, n int) *Set {
	s := &Set{Name: "Synthetic digits", Shape: Shape{side, side, 1}, Classes: 10, Train: n - n/7,
		Label:  balanced[uint8](n, 10, seed, digitPurpose, classStream),
		Writer: balanced[int32](n, penWriters, seed, digitPurpose, writerStream)}
	for k := range s.Classes {
		s.ClassNames = append(s.ClassNames, strconv.Itoa(k))
	}
	for w := range penWriters {
		s.Writers = append(s.Writers, "writer "+strconv.Itoa(w+1))
	}
	s.Rows = newLazyPixels(s.Shape, n, func(dst []uint8, i int) {
		drawDigit(dst, seed, i, int(s.Label[i]), int(s.Writer[i]))
	})
	return s
}
