package hcfl

import (
	"slices"

	"flockscope/sim/algorithm/internal/numeric"
)

// clientState is the state that a client keeps between rounds, as floats:
//
//	1                the number of edits applied so far
//	most             ω̃_k, its weights of clusters
//	most × count     π_a|k, the share of each Gaussian in each cluster, if inputs matter
//	most × samples   ω_jk, the weights of its samples, one row per cluster, if samples have weights
//
// Its size does not change after the first call ([newState]), so that the slices that methods return stay valid.
type clientState struct {
	floats         []float32
	most           int // largest number of clusters
	count, samples int // numbers of Gaussians, and of samples with weights
}

// size returns the number of floats.
func (s *clientState) size() int { return 1 + s.most*(1+s.count+s.samples) }

// begin initialises the state of a client: equal weights for the clusters at the start.
func (s *clientState) begin(start int) {
	s.floats = slices.Grow(s.floats[:0], s.size())[:s.size()]
	clear(s.floats)
	weights := s.weights()
	numeric.Uniform(weights[:start])
	if s.count > 0 {
		numeric.SetEqual(s.pairs(), s.count)
	}
	for k, w := range weights {
		for j := range s.samples {
			s.sample(k)[j] = w
		}
	}
}

func (s *clientState) edits() int         { return int(s.floats[0]) }
func (s *clientState) weights() []float32 { return s.floats[1 : 1+s.most] }

// pairs returns π_a|k, one row of count numbers per cluster.
func (s *clientState) pairs() []float32 { return s.floats[1+s.most : 1+s.most*(1+s.count)] }

// sample returns ω_jk of cluster k, one number per sample.
func (s *clientState) sample(k int) []float32 {
	at := 1 + s.most*(1+s.count) + k*s.samples
	return s.floats[at : at+s.samples]
}

// follow applies the new edits (Algorithms 4 and 5).
func (s *clientState) follow(log edits) {
	news, weights := log[s.edits():], s.weights()
	s.floats[0] = float32(len(log))
	for n := 0; n < len(news); n += 2 {
		one := news[n : n+2]
		if s.count > 0 {
			one.follow(s.pairs(), s.count, weights) // with the weights before the edit
		}
		one.followWeights(weights, 1)
		for j := range s.samples {
			one.followWeights(s.floats[1+s.most*(1+s.count)+j:], s.samples)
		}
	}
}
