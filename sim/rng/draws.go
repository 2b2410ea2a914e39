package rng

// Normals fills z with the results of consecutive calls of Normal.
func (s *Stream) Normals(z []float64) { s.draw(nil, z) }

// Pairs fills u and z, of one length, with the results of alternating calls of Float64 and Normal.
func (s *Stream) Pairs(u, z []float64) {
	if len(u) != len(z) {
		panic("rng: Pairs: slices of different lengths")
	}
	s.draw(u, z)
}

// oneByOne is Pairs, or Normals if u is nil.
func (s *Stream) oneByOne(u, z []float64) {
	for i := range z {
		if u != nil {
			u[i] = s.Float64()
		}
		z[i] = s.Normal()
	}
}
