package dataset

import (
	"math"
	"slices"

	"flockscope/sim/kernel"
)

// rows is how a set keeps the numbers of its samples.
type rows interface {
	// row writes sample i to dst, without allocating.
	row(dst []float32, i int)
	// bytes is the memory taken.
	bytes() int64
}

// pixels are images of one byte a number, 0 to 255, one after another.
type pixels struct {
	size int // of a sample
	data []uint8
}

func (p *pixels) row(dst []float32, i int) {
	kernel.Shades(dst[:p.size], p.data[i*p.size:(i+1)*p.size])
}
func (p *pixels) bytes() int64 { return int64(len(p.data)) }

// features are numbers of any size, one sample after another. Those of a column that lie
// far from 0 and close together are kept as differences from a number of the column, which
// float32 has room for.
type features struct {
	size int // of a sample
	data []float32
	from []float64 // what the numbers of each column are more than data; nil: nothing
}

func (f *features) row(dst []float32, i int) {
	copy(dst[:f.size], f.data[i*f.size:(i+1)*f.size])
	for j, from := range f.from {
		if from != 0 {
			dst[j] = float32(float64(dst[j]) + from)
		}
	}
}

// reach is the largest size of a number.
func (f *features) reach() (most float64) {
	row := make([]float32, f.size)
	for i := range len(f.data) / f.size {
		f.row(row, i)
		for _, v := range row {
			most = max(most, math.Abs(float64(v)))
		}
	}
	return most
}

func (f *features) bytes() int64 { return 4*int64(len(f.data)) + 8*int64(len(f.from)) }

// offset returns what is taken from numbers between low and high so that float32 keeps
// their differences: 0 where it keeps the numbers well enough, to a 16000th of their range.
func offset(low, high float64, whole bool) float64 {
	span, most := high-low, max(-low, high)
	if span == 0 || 1000*span > most || whole && most <= 1<<24 {
		return 0
	}
	return low + float64(span/2)
}

// extent is what is known of the numbers of a column while they are read into float32.
type extent struct {
	low, high float64
	rounded   bool // float32 has no room for one of them
}

func (e *extent) note(v float64) {
	e.low, e.high = min(e.low, v), max(e.high, v)
	e.rounded = e.rounded || float64(float32(v)) != v
}

// offsets returns what is taken from the numbers of each column: nil for nothing.
func offsets(columns []extent) (from []float64) {
	for j, e := range columns {
		if by := offset(e.low, e.high, false); by != 0 && e.rounded {
			if from == nil {
				from = make([]float64, len(columns))
			}
			from[j] = by
		}
	}
	return from
}

// withoutOffsets returns rows without what is to be added to each column, and that: nil for nothing.
func withoutOffsets(r rows) (rows, []float64) {
	switch r := r.(type) {
	case *features:
		return &features{r.size, r.data, nil}, r.from
	case *chosen:
		inner, from := withoutOffsets(r.rows)
		return &chosen{inner, r.at}, from
	}
	return r, nil
}

// sparse are bags of words: of each sample only the numbers that are not zero,
// at entries start[i] … start[i+1]−1.
type sparse struct {
	size  int // of a sample, at most 1<<16
	start []int32
	index []uint16
	value []float32
}

func (s *sparse) row(dst []float32, i int) {
	dst = dst[:s.size]
	clear(dst)
	for e := s.start[i]; e < s.start[i+1]; e++ {
		dst[s.index[e]] = s.value[e]
	}
}

func (s *sparse) bytes() int64 {
	return 4*int64(len(s.start)) + 2*int64(len(s.index)) + 4*int64(len(s.value))
}

// chosen are some rows of others, by number.
type chosen struct {
	rows
	at []int32
}

func (c *chosen) row(dst []float32, i int) { c.rows.row(dst, int(c.at[i])) }
func (c *chosen) bytes() int64             { return c.rows.bytes() + 4*int64(len(c.at)) }

// Only returns the set of the samples with the numbers in at, which ascend: those for
// training stay before the others. It keeps at, which must not change any more.
func (s *Set) Only(at []int32) *Set {
	out := *s
	out.rows = &chosen{s.rows, at}
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

// wholeBytes returns data times unit as bytes, if that is what they are.
func wholeBytes(data []float32, unit float32) ([]uint8, bool) {
	out := make([]uint8, len(data))
	for i, v := range data {
		v = float32(v * unit)
		if !(v > -0.01 && v < 255.01) {
			return nil, false
		}
		out[i] = uint8(v + 0.5)
		if d := v - float32(out[i]); d < -0.01 || d > 0.01 {
			return nil, false
		}
	}
	return out, true
}
