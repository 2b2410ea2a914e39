// Package dataset holds labelled sample sets, before anybody shares them out:
// drawn by a generator, so that a page needs no download, or read from the
// files that the field has agreed on.
//
// Files are read in these steps:
//
//	read.go, unpack.go, zip.go   open files and archives, which name.go describes by their names
//	kind.go                      tells the formats apart
//	idx.go, cifar.go, numpy.go, leaf.go, svm.go, names.go, writers.go   formats but tables
//
// and tables in these:
//
//	dialect.go, records.go, package arff   values of rows: with separators, as JSON, of Weka's
//	table.go        types of columns
//	roles.go        what columns are for, with owners.go (who may hold rows), parts.go (which rows
//	                are for testing) and copies.go (what repeats the label)
//	fromtable.go    a set of them, with the words of sentences from sentences.go
//	inspect.go      all this in words
//
// target.go makes classes or numbers to predict, roster.go the clients, scale.go scales features.
// The other files draw samples.
package dataset

import "flockscope/sim/say"

// Shape says how the numbers of one sample are laid out: rows from top to
// bottom, columns from left to right, channels innermost. A plain vector of n
// features is 1 × n × 1.
type Shape struct{ Height, Width, Channels int }

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

	low  int // the number of class 0, where labels are numbers
	rows rows
}

// Len is the number of samples.
func (s *Set) Len() int { return max(len(s.Label), len(s.Value)) }

// Row writes the numbers of sample i to dst, which must hold Shape.Size of
// them. Pixels are scaled to [0, 1]; other features are as they came.
func (s *Set) Row(dst []float32, i int) { s.rows.row(dst, i) }

// Bytes is the memory that the samples take, once all have been looked at.
func (s *Set) Bytes() int64 {
	return s.rows.bytes() + int64(len(s.Label)) + 4*int64(len(s.Value)+len(s.Writer))
}
