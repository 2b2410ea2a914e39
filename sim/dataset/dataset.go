// Package dataset holds labelled sample sets and generates synthetic ones: pictures of digits,
// garments and colour shapes, texts and radio channels, so that a run needs no download. Files of
// other people's samples are read by package ingest.
//
//	dataset.go, rows.go, scale.go   a set, how its numbers are stored, scaling of features
//	generator.go, lazy.go           generators; samples are generated when they are first read
//	digits.go, hand.go, glyphs.go   handwritten digits
//	garments.go, garment.go, cuts.go, cloth.go   garments
//	shapes.go                       colour shapes
//	pen.go, fill.go                 lines, curves and areas of both
//	words.go, channels.go           texts, radio channels
package dataset

import "flockscope/sim/say"

// Shape says how the numbers of one sample are laid out: rows from top to
// bottom, columns from left to right, channels innermost, red before green
// before blue. A plain vector of n features is 1 × n × 1.
//
// So it is in sets, views of clients and pictures on the page. Networks read
// one plane per channel; batches are converted when they are filled.
type Shape struct{ Height, Width, Channels int }

// Vector is the shape of a sample of n features.
func Vector(n int) Shape { return Shape{1, n, 1} }

// Image is the shape of an image.
func Image(height, width, channels int) Shape { return Shape{height, width, channels} }

// Size is the number of numbers in a sample.
func (s Shape) Size() int { return s.Height * s.Width * s.Channels }

// Set is a list of samples, each with a class or a target. A set never changes, and its methods may
// be called from many goroutines at once.
type Set struct {
	Name  string // name to display
	Shape Shape

	// Picture draws a sample that is not an image itself, with the size Sheet and 255 for the darkest ink. It is nil if
	// there is no such picture.
	PictureShape Shape
	Picture      func(dst []uint8, row []float32)

	// Texts says that features are weights of the words of a text.
	Texts bool
	// Tokens says that a sample is a text: the numbers of its tokens, from 0 to Tokens−1; 0: it is none.
	Tokens int

	Classes    int       // number of classes, at most 256; 0 when Value is the target
	ClassNames []string  // one for each class
	Label      []uint8   // class of each sample, or nil
	Value      []float32 // target of each sample, or nil
	Offset     float64   // subtracted from all values, if they lie far from 0 and close together

	// The source of each sample, if known: the person who wrote it, or the shop that it reviews. Writer holds indices
	// into Writers; both may be nil.
	Writer  []int32
	Writers []string

	// The planted group of each writer, if the files have it: indices into Groups; both may be nil.
	Group  []int32
	Groups []string

	// Domains says that only the domain of a sample is known, such as a shop: writers and groups
	// are these domains, and several clients may share one.
	Domains bool

	// Train is the start of the set's test split: samples 0 to Train−1 are for training, the others
	// for testing. It is Len if there is no test split.
	Train int

	// MaxAbs is the largest absolute value of a feature, if it may be above a million: such features
	// must be scaled. 0: no feature is that large.
	MaxAbs float64

	// Same lists the features that are constant in the training samples, "" for none.
	Same say.Message

	Rows Rows
}

// Len is the number of samples.
func (s *Set) Len() int { return max(len(s.Label), len(s.Value)) }

// Row writes the numbers of sample i to dst, which must hold Shape.Size of them. Pixels are scaled
// to [0, 1]; other features are unchanged.
func (s *Set) Row(dst []float32, i int) { s.Rows.Row(dst, i) }

// Bytes is the memory of the samples, once all have been read.
func (s *Set) Bytes() int64 {
	return s.Rows.Bytes() + int64(len(s.Label)) + 4*int64(len(s.Value)+len(s.Writer))
}
