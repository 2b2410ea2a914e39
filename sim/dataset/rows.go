package dataset

import (
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

// features are numbers of any size, one sample after another.
type features struct {
	size int // of a sample
	data []float32
}

func (f *features) row(dst []float32, i int) { copy(dst[:f.size], f.data[i*f.size:(i+1)*f.size]) }
func (f *features) bytes() int64             { return 4 * int64(len(f.data)) }

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
