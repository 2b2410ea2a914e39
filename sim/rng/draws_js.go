package rng

import "flockscope/sim/kernel"

func (s *Stream) draw(u, z []float64) {
	if kernel.Available() {
		kernel.Normals(&s.state, u, z)
	} else {
		s.oneByOne(u, z)
	}
}
