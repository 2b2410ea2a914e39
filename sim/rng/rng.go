// Package rng has a stream of random numbers for every purpose of a run.
//
// A stream is identified by the purpose of the draw, not by its time: the samples of client 7 in
// round 12 come from the stream (data seed, Samples, 12, 7). So the order in which clients work,
// the number of workers and the other lanes change nothing, and a setting that adds a draw in one
// place does not change any other.
package rng

import (
	"math/bits"

	"flockscope/sim/exact"
)

// Purpose is what a stream is used for. Results depend on these numbers: never reuse or renumber
// one.
type Purpose uint64

// The purposes.
const (
	Samples    Purpose = 1 // a client's samples of one round; (round, client)
	Models     Purpose = 2 // a start model; (model)
	Labels     Purpose = 3 // labels before the first round; (client)
	Clustering Purpose = 4 // start of k-means; (round)
	Training   Purpose = 5 // the order of a client's samples in local epochs; (round, client)

	Coordinates   Purpose = 6  // compared parameters; ()
	Participation Purpose = 7  // which clients take part; (round, 0), and which join late; (0, 1)
	Dropout       Purpose = 8  // which clients drop out; (round, client)
	UpdateNoise   Purpose = 9  // noise on updates; (round and exchange, client and update)
	ClientDraws   Purpose = 10 // draws of an algorithm at a client; (round, client)
	ClientSpeed   Purpose = 11 // latency and bandwidth of a client; (client)
	// a random projection of inputs; (0), and the start of Gaussians; (1 + Gaussian)
	InputProjection Purpose = 12
	Nodes           Purpose = 13 // nodes of a quadrature over inputs; (number of inputs)

	Rebalancing Purpose = 14 // clients that are moved to small clusters; (round, exchange)
	Units       Purpose = 15 // what dropout drops; (0, the inputs of the layer)
	// which clients lie; (0, 0), and the noise of a lie; (round and exchange, client and update)
	Liars Purpose = 16
	// what reports draw, not runs: resamples of a bootstrap; (0, 0), and a posterior's weights; (1, 0)
	Reports Purpose = 17
)

// Stream is one reproducible sequence: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Its state
// is one word, so that starting a stream and drawing from it takes nanoseconds, even in a browser.
// It must be reset before use. Resetting allocates nothing.
type Stream struct{ state uint64 }

// Reset starts the sequence that its arguments identify.
func (s *Stream) Reset(seed uint64, p Purpose, a, b int) {
	h := mix(seed ^ golden)
	h = mix(h ^ uint64(p))
	h = mix(h ^ uint64(a))
	s.state = mix(h ^ uint64(b))
}

// golden is 2⁶⁴ divided by the golden ratio, made odd, so that adding it reaches every state.
const golden = 0x9E3779B97F4A7C15

// word returns the next 64 bits.
func (s *Stream) word() uint64 {
	x := mix(s.state)
	s.state += golden
	return x
}

// mix is a bijection of 64 bits in which every bit of the result depends on every bit of the
// argument.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Float64 returns a uniform number in [0, 1).
func (s *Stream) Float64() float64 { return float64(float64(s.word()>>11) / (1 << 53)) }

// IntN returns a uniform whole number in [0, n).
func (s *Stream) IntN(n int) int {
	// The product's upper word is uniform up to a bias of n/2⁶⁴.
	hi, _ := bits.Mul64(s.word(), uint64(n))
	return int(hi)
}

// Normal returns a number from the standard normal distribution.
func (s *Stream) Normal() float64 {
	// The centre of one of 2⁵² equal intervals: never 0, never 1.
	return exact.NormalQuantile((float64(s.word()>>12) + 0.5) / (1 << 52))
}

// Uniform returns a uniform number in [low, high).
func (s *Stream) Uniform(low, high float64) float64 {
	return low + float64((high-low)*s.Float64())
}
