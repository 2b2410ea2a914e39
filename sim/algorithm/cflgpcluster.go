package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// cluster is Algorithm 3: k-means on the K leading left singular features of the
// clients that have been heard, then the naming of clusters that moves the fewest
// of them.
func (s *cflgp) cluster(r *fl.Round) {
	s.gradients.features(&s.features, s.models)
	r.Spectrum, r.Directions = s.gradients.spectral.Values, s.models
	points := s.those(&s.features)
	if points.Rows == 0 {
		return
	}
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, 0)
	s.kmeans.Fit(points, min(s.models, points.Rows), &s.stream)
	copy(s.previous, r.Label)
	n := 0
	for i, known := range s.known {
		if known {
			s.found[n], s.before[n] = s.kmeans.Labels[n], s.previous[i]
			n++
		}
	}
	s.assigner.Relabel(s.found[:n], s.before[:n], s.models)
	n = 0
	for i, known := range s.known {
		if known {
			if rec := r.Recorder(); rec.Follows(i) {
				s.explain(rec, points.Row(n), s.kmeans.Centroids.Row(s.kmeans.Labels[n]), s.found[n])
			}
			r.Label[i] = s.found[n]
			n++
		}
	}
	s.clustered++
	r.Reclustered = true
}

// explain notes how the recorder's client came to its model: its point, the mean
// of its cluster, and the cluster's name.
func (s *cflgp) explain(rec *fl.Recorder, point, mean []float64, k int) {
	square := 0.0
	for j, v := range point {
		square += float64((v - mean[j]) * (v - mean[j]))
	}
	rec.Note("project", fl.Whole("size", len(point)), fl.Floats("point", point))
	rec.Note("cluster", fl.Floats("point", point), fl.Floats("mean", mean), fl.Number("distance", math.Sqrt(square)))
	rec.Note("match", fl.Whole("before", s.previous[rec.Client]), fl.Whole("k", k))
}

// those returns the rows of the clients that have been heard.
func (s *cflgp) those(all *clusterer.Matrix) *clusterer.Matrix {
	if !slices.Contains(s.known, false) {
		return all
	}
	s.heard.Reshape(s.env.Clients, all.Cols)
	n := 0
	for i, known := range s.known {
		if known {
			copy(s.heard.Row(n), all.Row(i))
			n++
		}
	}
	s.heard.Reshape(n, all.Cols)
	return &s.heard
}

// welcome places newcomers by their gradients of all models, the nearest mean
// features being those of their cluster: at once if wanted, and where clustering
// is over in any case, as nothing else would place them.
func (s *cflgp) welcome(r *fl.Round) {
	if s.clustered == 0 || !s.greet && !s.frozen || !slices.ContainsFunc(r.Participants, func(i int) bool { return !s.known[i] }) {
		return
	}
	blocks := s.models
	if s.released {
		blocks = 1
	}
	lost := s.lost
	clear(lost)
	for k := range blocks {
		for _, i := range r.Participants {
			if !s.known[i] {
				r.AskFeature(i, k)
			}
		}
		r.Ask()
		for _, i := range r.Replied {
			lost[i] = !s.take(i, k, r.Feature(i)) || lost[i]
		}
		s.gradients.mixed(k)
	}
	s.gradients.features(&s.features, s.models)
	s.means.fit(&s.features, r.Label, s.models, func(i int) bool { return s.known[i] })
	for _, i := range r.Replied {
		if !lost[i] {
			r.Label[i] = s.means.nearest(s.features.Row(i))
			s.known[i], r.Reclustered = true, true
		}
	}
}

// watch is the stop rule of appendix F, before F.1: labels that stay the same for T/10
// rounds stay for good; for a whole period P at least, so that one clustering
// has confirmed another.
func (s *cflgp) watch(r *fl.Round, clustering bool) {
	if s.patience == 0 || s.frozen || s.clustered == 0 {
		return
	}
	if clustering && !slices.Equal(s.previous, r.Label) {
		s.unchanged = 0
		return
	}
	if s.unchanged++; s.unchanged >= s.patience {
		s.frozen, r.Stopped = true, true
	}
}
