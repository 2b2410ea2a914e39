package algorithm

import (
	"math"

	"flockscope/sim/fl"
)

// noteMix explains Algorithm 2: what becomes of the memory of the recorder's client.
func (s *cflgp) noteMix(rec *fl.Recorder, gradient []float32) {
	taken := s.averaged[s.common*s.env.Clients+rec.Client] + 1
	beta := s.beta(taken)
	old := s.memory.block(rec.Client, s.common)
	mixed := newMemory(1, 1, len(old)) // a copy, which is mixed in the very same way
	mixed.mix(0, 0, 1, old)
	mixed.mix(0, 0, beta, gradient)
	rec.Later("mix", fl.Whole("k", s.common), fl.Whole("taken", taken), fl.Number("keep", 1-beta),
		fl.Number("beta", beta),
		fl.Weights("old", old), fl.Weights("gradient", gradient), fl.Weights("new", mixed.block(0, 0)))
}

// noteCluster explains Algorithm 3: the client's point, the mean of its cluster, and the
// cluster's name.
func (s *cflgp) noteCluster(rec *fl.Recorder, point, mean []float64, k int) {
	square := 0.0
	for j, v := range point {
		square += float64((v - mean[j]) * (v - mean[j]))
	}
	rec.Note("project", fl.Whole("size", len(point)), fl.Floats("point", point))
	rec.Note("cluster", fl.Floats("point", point), fl.Floats("mean", mean), fl.Number("distance", math.Sqrt(square)))
	rec.Note("match", fl.Whole("before", s.previous[rec.Client]), fl.Whole("k", k))
}
