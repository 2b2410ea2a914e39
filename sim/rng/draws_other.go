//go:build !js

package rng

func (s *Stream) draw(u, z []float64) { s.oneByOne(u, z) }
