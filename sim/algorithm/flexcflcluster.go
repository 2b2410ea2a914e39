package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/rng"
)

// choose lists the clients that make the clusters, ascending.
func (s *flexcfl) choose(t int) {
	s.chosen = s.chosen[:0]
	for i, known := range s.known {
		if known {
			s.chosen = append(s.chosen, i)
		}
	}
	if most := 20 * s.env.Models; len(s.chosen) > most {
		stream := s.env.Stream(rng.Clustering, t, 1)
		for j := range most {
			k := j + stream.IntN(len(s.chosen)-j)
			s.chosen[j], s.chosen[k] = s.chosen[k], s.chosen[j]
		}
		s.chosen = s.chosen[:most]
		slices.Sort(s.chosen)
	}
}

// cluster labels the chosen clients by the inner products of their updates.
func (s *flexcfl) cluster(t int) []int {
	if s.pairwise {
		clusterer.CosinesOfGram(&s.gram)
		s.differ()
		s.tree.FitDistances(&s.features)
		return s.tree.Tree.Cut(s.env.Models)
	}
	// A feature of u_i is ⟨u_i, v⟩ for a leading direction v, of unit length.
	s.spectral.Length = s.env.Size
	s.spectral.FitGram(&s.features, &s.gram, s.env.Models)
	for a := range s.features.Rows {
		if length := math.Sqrt(s.gram.Row(a)[a]); length > 0 {
			for j := range s.features.Row(a) {
				s.features.Row(a)[j] /= length
			}
		}
	}
	s.kmeans.Fit(&s.features, s.env.Models, s.env.Stream(rng.Clustering, t, 0))
	grouping.ByFirst(s.kmeans.Labels, s.env.Models)
	return s.kmeans.Labels
}

// differ fills features with MADC, the mean absolute difference of two clients'
// cosines with everybody else, of whom there are n−2.
func (s *flexcfl) differ() {
	n := s.gram.Rows
	s.features.Reshape(n, n)
	clear(s.features.Data)
	for a := range n {
		for b := range a {
			total := 0.0
			for z, c := range s.gram.Row(a) {
				if z != a && z != b {
					total += math.Abs(c - s.gram.Row(b)[z])
				}
			}
			d := total / float64(max(1, n-2))
			s.features.Row(a)[b], s.features.Row(b)[a] = d, d
		}
	}
}
