package hcfl

import (
	"slices"

	"flockscope/sim/algorithm/internal/numeric"
)

// clientState is what a client keeps of the clusters, by number:
//
//	1                the number of edits that it has followed
//	most             ω̃_k, its weights of clusters
//	most × count     π_a|k, the share of each Gaussian in each cluster, where inputs matter
//	most × samples   ω_jk, the weights of its samples, a row a cluster, where they have any
//
// All of it is made when a client is first asked ([newState]) and never grows, so that what the
// methods return is always the state itself and not what it was before.
type clientState struct {
	floats         []float32
	most           int // clusters that there can be
	count, samples int // Gaussians; samples that have weights
}

// size is how many numbers a state has.
func (s *clientState) size() int { return 1 + s.most*(1+s.count+s.samples) }

// begin makes the state of a client that is asked for the first time: of the clusters at the start,
// with the same weights for each.
func (s *clientState) begin(start int) {
	s.floats = slices.Grow(s.floats[:0], s.size())[:s.size()]
	clear(s.floats)
	weights := s.weights()
	numeric.Uniform(weights[:start])
	if s.count > 0 {
		numeric.Even(s.pairs(), s.count)
	}
	for k, w := range weights {
		for j := range s.samples {
			s.sample(k)[j] = w
		}
	}
}

func (s *clientState) edits() int         { return int(s.floats[0]) }
func (s *clientState) weights() []float32 { return s.floats[1 : 1+s.most] }

// pairs returns π_a|k, a row of count numbers a cluster.
func (s *clientState) pairs() []float32 { return s.floats[1+s.most : 1+s.most*(1+s.count)] }

// sample returns ω_jk of cluster k, a number a sample.
func (s *clientState) sample(k int) []float32 {
	at := 1 + s.most*(1+s.count) + k*s.samples
	return s.floats[at : at+s.samples]
}

// follow has everything follow the edits that are new (Algorithms 4 and 5).
func (s *clientState) follow(log edits) {
	news, weights := log[s.edits():], s.weights()
	s.floats[0] = float32(len(log))
	for n := 0; n < len(news); n += 2 {
		one := news[n : n+2]
		if s.count > 0 {
			one.follow(s.pairs(), s.count, weights) // by the weights of before the edit
		}
		one.followWeights(weights, 1)
		for j := range s.samples {
			one.followWeights(s.floats[1+s.most*(1+s.count)+j:], s.samples)
		}
	}
}
