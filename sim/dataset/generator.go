package dataset

import (
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

// Maker draws a set of n samples, n ≥ 1. The first samples of two sets of one
// seed are the same, whatever their lengths.
type Maker func(seed uint64, n int) *Set

// Registry lists every generator. Each cites the set of photographs or scans
// that it stands in for.
var Registry registry.Registry[Maker]

// Purposes of the streams that drawings come from. Streams of one purpose are
// told apart by their last number.
const (
	digitPurpose   rng.Purpose = 16
	garmentPurpose rng.Purpose = 17
	wordPurpose    rng.Purpose = 18
	channelPurpose rng.Purpose = 19
)

// What the streams of one purpose are for.
const (
	sampleStream  = 0 // one sample; (sample, 0)
	classDeal     = 1 // the classes of as many samples as there are; (block, 1)
	writerDeal    = 2 // the writers of as many samples as there are; (block, 2)
	placeStream   = 3 // where scatterers lie; (0, 3)
	topicStream   = 3 // what words are about; (block of words, 3)
	writerStreams = 8 // a writer's hand, in general and for each class; (writer, 8 + …)
)

// deal gives n samples the numbers 0 … kinds−1: each block of so many samples
// has every number once, in an order of its own, so that any stretch of samples
// is nearly balanced.
func deal[T uint8 | int32](n, kinds int, seed uint64, purpose rng.Purpose, which int) []T {
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
