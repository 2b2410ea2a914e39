// Package dataset holds labelled sample sets and generates synthetic ones: pictures of digits and
// garments, texts and radio channels, so that a run needs no download. Files of other people's
// samples are read by package ingest.
//
//	dataset.go, rows.go, scale.go   a set, how its numbers are stored, scaling of features
//	generator.go, drawn.go          generators; samples are generated when they are first read
//	digits.go, hand.go, glyphs.go   handwritten digits
//	garments.go, tailor.go, cuts.go, cloth.go   garments
//	pen.go, fill.go                 lines, curves and areas of both
//	words.go, channels.go           texts, radio channels
package dataset

import "flockscope/sim/say"

// Shape says how the numbers of one sample are laid out: rows from top to
// bottom, columns from left to right, channels innermost. A plain vector of n
// features is 1 × n × 1.
type Shape struct{ Height, Width, Channels int }

// Vector is the shape of a sample of n features.
func Vector(n int) Shape { return Shape{1, n, 1} }

// Image is the shape of an image.
func Image(height, width, channels int) Shape { return Shape{height, width, channels} }

// Size is the number of numbers in a sample.
func (s Shape) Size() int { return s.Height * s.Width * s.Channels }

// Set is a list of samples, each with a class or a number to predict. A set
// never changes, and its methods may be called from many goroutines at once.
type Set struct {
	Name  string // for people
	Shape Shape

	// How people see a sample that is no picture itself: Picture draws one of
	// Sheet's size, 255 for the most ink. Nil where there is nothing to see.
	Sheet   Shape
	Picture func(dst []uint8, row []float32)

	// Texts says that the numbers of a sample are those of the words of a text.
	Texts bool

	Classes    int       // number of classes, at most 256; 0 when Value is the target
	ClassNames []string  // one for each class
	Label      []uint8   // class of each sample, or nil
	Value      []float32 // number to predict of each sample, or nil
	Offset     float64   // what was taken from all of them, since they lie far from 0 and close together

	// Who made each sample, where the set knows: a person who wrote, a shop
	// that was reviewed. Writer holds indices into Writers; both may be nil.
	Writer  []int32
	Writers []string

	// The planted group of each writer, where the files say so: indices into
	// Groups; both may be nil.
	Group  []int32
	Groups []string

	// Domains says that nobody knows more of who made a sample than the domain that it
	// is from, such as a shop: writers and groups are these domains, and each may be
	// shared out to several clients.
	Domains bool

	// Train is where the set's own test split begins: samples 0 … Train−1 are
	// for training, the others for testing. It is Len when the set has none.
	Train int

	// Reach is the largest size of a feature, where it may be more than a million: such
	// numbers must be scaled. 0: no feature is as large.
	Reach float64

	// Same is a list of the features that are the same in all samples for training, "" for none.
	Same say.Message

	Rows Rows
}

// Len is the number of samples.
func (s *Set) Len() int { return max(len(s.Label), len(s.Value)) }

// Row writes the numbers of sample i to dst, which must hold Shape.Size of
// them. Pixels are scaled to [0, 1]; other features are as they came.
func (s *Set) Row(dst []float32, i int) { s.Rows.Row(dst, i) }

// Bytes is the memory that the samples take, once all have been looked at.
func (s *Set) Bytes() int64 {
	return s.Rows.Bytes() + int64(len(s.Label)) + 4*int64(len(s.Value)+len(s.Writer))
}
