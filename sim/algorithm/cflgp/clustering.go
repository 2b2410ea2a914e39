package cflgp

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// clustering holds the inputs of Algorithm 3.
type clustering struct {
	newest   bool     // β_t = 1: only the newest gradient counts
	unit     bool     // rows of Gᵀ are scaled to length 1
	compared compared // coordinates of gradients
	memory   *memory  // g_{c,k}

	features clusterer.Matrix // Rᵀ = GᵀU: clients × K
	parts    grouping.Parts
	assigner clusterer.Assigner
	stream   rng.Stream
	seed     uint64
	times    int   // number of clusterings so far
	previous []int // labels before the last clustering
	old, new []int // labels of the known clients before and after it
}

func (s *clustering) start(env *fl.Env) {
	s.seed = env.Seed
	s.compared.start(env)
	s.memory = newMemory(env.Clients, env.Models, env.Exchange.Width())
	s.memory.unit = s.unit
	s.features.Reshape(env.Clients, env.Models)
	s.previous = make([]int, env.Clients)
	s.old, s.new = make([]int, 0, env.Clients), make([]int, 0, env.Clients)
}

// beta is β for a block with n gradients so far.
func (s *clustering) beta(n int) float64 {
	if s.newest {
		return 1
	}
	return 1 / float64(n+1)
}

// Embedding returns the gradient features of the last clustering.
func (s *clustering) Embedding() *clusterer.Matrix { return &s.features }

// Remembers implements [fl.Rememberer].
func (s *clustering) Remembers() bool { return !s.newest }

// Averaged implements [fl.Rememberer].
func (s *clustering) Averaged() []uint16 { return s.memory.averaged }

// Alone implements [fl.Rememberer].
func (s *clustering) Alone() *clusterer.Matrix { return s.memory.alone(&s.features) }
