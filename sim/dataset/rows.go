package dataset

import (
	"math"
	"slices"

	"flockscope/sim/kernel"
)

// Rows stores the numbers of a set's samples. Its methods may be called from many goroutines
// at once.
type Rows interface {
	// Row writes sample i to dst. It does not allocate.
	Row(dst []float32, i int)
	// Bytes is the memory of the samples.
	Bytes() int64
}

// Pixels are images with one byte for each number, one image after another. 0 to 255 become 0 to 1.
type Pixels struct {
	Size int // numbers of a sample
	Data []uint8
}

// Row implements [Rows].
func (p *Pixels) Row(dst []float32, i int) {
	kernel.Shades(dst[:p.Size], p.Data[i*p.Size:(i+1)*p.Size])
}

// Bytes implements [Rows].
func (p *Pixels) Bytes() int64 { return int64(len(p.Data)) }

// Features are numbers of any size, one sample after another. Values of a feature that lie
// far from 0 and close together are stored as differences from its Offset, since float32
// could not tell the values themselves apart.
type Features struct {
	Size   int // numbers of a sample
	Data   []float32
	Offset []float64 // added to the values of each feature; nil for none
}

// Row implements [Rows].
func (f *Features) Row(dst []float32, i int) {
	copy(dst[:f.Size], f.Data[i*f.Size:(i+1)*f.Size])
	for j, offset := range f.Offset {
		if offset != 0 {
			dst[j] = float32(float64(dst[j]) + offset)
		}
	}
}

// MaxAbs is the largest absolute value of a feature.
func (f *Features) MaxAbs() (most float64) {
	row := make([]float32, f.Size)
	for i := range len(f.Data) / f.Size {
		f.Row(row, i)
		for _, v := range row {
			most = max(most, math.Abs(float64(v)))
		}
	}
	return most
}

// Bytes implements [Rows].
func (f *Features) Bytes() int64 { return 4*int64(len(f.Data)) + 8*int64(len(f.Offset)) }

// withoutOffsets returns rows without the offsets of their features, and these offsets; nil for none.
func withoutOffsets(r Rows) (rows Rows, offset []float64) {
	switch r := r.(type) {
	case *Features:
		return &Features{r.Size, r.Data, nil}, r.Offset
	case *subset:
		inner, offset := withoutOffsets(r.Rows)
		return &subset{inner, r.indices}, offset
	}
	return r, nil
}

// Sparse is a matrix of compressed sparse rows: the values of sample i that are not zero are
// entries Start[i] to Start[i+1]−1.
type Sparse struct {
	Size  int // features of a sample, at most 1<<16
	Start []int32
	Index []uint16 // the feature of each entry
	Value []float32
}

// Row implements [Rows].
func (s *Sparse) Row(dst []float32, i int) {
	dst = dst[:s.Size]
	clear(dst)
	for e := s.Start[i]; e < s.Start[i+1]; e++ {
		dst[s.Index[e]] = s.Value[e]
	}
}

// Bytes implements [Rows].
func (s *Sparse) Bytes() int64 {
	return 4*int64(len(s.Start)) + 2*int64(len(s.Index)) + 4*int64(len(s.Value))
}

// Sequences says how sentences become numbers of words in their order: with the most frequent words of the training
// samples, and a length to which each text is cut or filled. A length of 0 asks for weights of words instead.
type Sequences struct{ Words, Length int }

// Tokens are texts of equal length as numbers of words, one text after another.
type Tokens struct {
	Size int // words of a text
	Data []uint16
}

// Row implements [Rows].
func (t *Tokens) Row(dst []float32, i int) {
	for j, word := range t.Data[i*t.Size : (i+1)*t.Size] {
		dst[j] = float32(word)
	}
}

// Bytes implements [Rows].
func (t *Tokens) Bytes() int64 { return 2 * int64(len(t.Data)) }

// subset has some rows of other Rows, by number.
type subset struct {
	Rows
	indices []int32
}

func (c *subset) Row(dst []float32, i int) { c.Rows.Row(dst, int(c.indices[i])) }
func (c *subset) Bytes() int64             { return c.Rows.Bytes() + 4*int64(len(c.indices)) }

// Only returns the set of the samples with the numbers in at, which must ascend, so that training samples stay before
// test samples. It keeps at, which must not change afterwards.
func (s *Set) Only(at []int32) *Set {
	out := *s
	out.Rows = &subset{s.Rows, at}
	out.Label, out.Value, out.Writer = only(s.Label, at), only(s.Value, at), only(s.Writer, at)
	out.Train, _ = slices.BinarySearch(at, int32(s.Train))
	if out.Train == 0 {
		out.Train = len(at)
	}
	return &out
}

func only[T any](all []T, at []int32) []T {
	if all == nil {
		return nil
	}
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = all[k]
	}
	return out
}
