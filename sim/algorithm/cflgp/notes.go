package cflgp

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// noteMix explains lines 8 and 9 of Algorithm 1: how the memory of client i changes, if rec records it.
func (s *clustering) noteMix(rec *fl.Recorder, i, model int, gradient []float32) {
	if !rec.Follows(i) || !numeric.IsFinite(gradient) {
		return
	}
	taken := s.memory.count(i, model)
	beta := s.beta(taken)
	old := s.memory.block(i, model)
	mixed := newMemory(1, 1, len(old)) // a copy, updated in the same way
	mixed.mix(0, 0, 1, old)
	mixed.mix(0, 0, beta, gradient)
	rec.NoteLater("mix", fl.Int("k", model), fl.Int("taken", taken+1), fl.Number("keep", 1-beta),
		fl.Number("beta", beta),
		fl.Weights("old", old), fl.Weights("gradient", gradient), fl.Weights("new", mixed.block(0, 0)))
}

// noteCluster explains Algorithm 3, if rec records one of the clients: the client's point, a row of points, the mean of
// its cluster, the cluster's name, and how many of its clients had that model.
func (s *clustering) noteCluster(rec *fl.Recorder, points *clusterer.Matrix, clients []int) {
	if rec == nil {
		return
	}
	n := slices.Index(clients, rec.Client)
	if n < 0 {
		return
	}
	point, mean := points.Row(n), s.parts.Centre(points, s.parts.Labels[n])
	square := 0.0
	for j, v := range point {
		square += float64((v - mean[j]) * (v - mean[j]))
	}
	rec.Note("project", fl.Int("size", len(point)), fl.Floats("point", point))
	size, votes := 0, 0
	for m, z := range s.parts.Labels {
		if z == s.parts.Labels[n] {
			size++
			if s.old[m] == s.new[n] {
				votes++
			}
		}
	}
	rec.Note("cluster", fl.Floats("point", point), fl.Floats("mean", mean), fl.Number("distance", math.Sqrt(square)),
		fl.Int("size", size))
	rec.Note("match", fl.Int("before", s.old[n]), fl.Int("k", s.new[n]), fl.Int("votes", votes), fl.Int("size", size))
}
