// Package rng gives every random draw of a run a stream of its own.
//
// A stream is named by what the draw is for, not by when it happens: the
// samples that client 7 sees in round 12 come from the stream (data seed,
// Samples, 12, 7). So the order in which clients run, the number of workers
// and the other lanes change nothing, and a setting that adds a draw in one
// place leaves all others as they were.
package rng

import (
	"math/bits"
	"math/rand/v2"

	"flockscope/sim/exact"
)

// Purpose says what a stream is used for. The numbers are part of every
// result: never reuse or renumber one.
type Purpose uint64

// The purposes.
const (
	Samples    Purpose = 1 // a client's samples of one round; (round, client)
	Models     Purpose = 2 // a start model; (model)
	Labels     Purpose = 3 // labels before the first round; (client)
	Clustering Purpose = 4 // seeding of k-means; (round)
)

// Stream is one reproducible sequence. The zero Stream must be reset before
// use. It is a value: resetting it allocates nothing.
type Stream struct{ pcg rand.PCG }

// Reset puts the stream at the start of the sequence named by its arguments.
func (s *Stream) Reset(seed uint64, p Purpose, a, b int) {
	h := mix(seed ^ 0x9E3779B97F4A7C15)
	h = mix(h ^ uint64(p))
	h = mix(h ^ uint64(a))
	low := mix(h ^ uint64(b))
	s.pcg.Seed(low, mix(low^0xD1B54A32D192ED03))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a
// bijection of 64 bits in which every input bit reaches every output bit.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Float64 returns a uniform number in [0, 1).
func (s *Stream) Float64() float64 { return float64(s.pcg.Uint64()>>11) / (1 << 53) }

// IntN returns a uniform whole number in [0, n).
func (s *Stream) IntN(n int) int {
	// The product's upper word is uniform up to a bias of n/2⁶⁴.
	hi, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(hi)
}

// Normal returns a number from the standard normal distribution.
func (s *Stream) Normal() float64 {
	// The centre of one of 2⁵² equal intervals: never 0, never 1.
	return exact.NormalQuantile((float64(s.pcg.Uint64()>>12) + 0.5) / (1 << 52))
}

// Uniform returns a uniform number in [low, high).
func (s *Stream) Uniform(low, high float64) float64 {
	return low + float64((high-low)*s.Float64())
}
