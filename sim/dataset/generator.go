package dataset

import (
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

// Generator returns a set of n ≥ 1 synthetic samples. The first samples of two sets with one seed
// are the same, whatever their lengths.
type Generator func(seed uint64, n int) *Set

// Registry lists every generator. Each cites the set of real samples that it imitates.
var Registry registry.Registry[Generator]

// Purposes of the random streams of generators. The last number of a stream says what it is for.
const (
	digitPurpose   rng.Purpose = 16
	garmentPurpose rng.Purpose = 17
	wordPurpose    rng.Purpose = 18
	channelPurpose rng.Purpose = 19
	shapePurpose   rng.Purpose = 40
)

// What the streams of one purpose are for.
const (
	sampleStream    = 0 // one sample; (sample, 0)
	classStream     = 1 // the classes of a block of samples; (block, 1)
	writerStream    = 2 // the writers of a block of samples; (block, 2)
	scattererStream = 3 // positions of scatterers; (0, 3)
	topicStream     = 3 // topics of words; (block of words, 3)
	writerStreams   = 8 // the handwriting of a writer, in general and for each class; (writer, 8 + …)
)

// balanced returns n of the numbers 0 to kinds−1. Each block of kinds samples has every number
// once, in random order, so that any range of samples is nearly balanced.
func balanced[T uint8 | int32](n, kinds int, seed uint64, purpose rng.Purpose, which int) []T {
	var s rng.Stream
	var block []T
	out := make([]T, 0, n+kinds)
	for len(out) < n {
		s.Reset(seed, purpose, len(out)/kinds, which)
		block = block[:0]
		for k := range kinds {
			j := s.IntN(k + 1)
			block = append(block, T(k))
			block[k], block[j] = block[j], T(k)
		}
		out = append(out, block...)
	}
	return out[:n:n]
}
