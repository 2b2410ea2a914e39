package algorithm

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/exact"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// icfl is recursive bipartition by the clients' newest updates. The connectivity of a cluster is λ₁/n, the largest
// eigenvalue of the cosines of its n clients over their number: 1 if all updates point in the same direction, 1/n if
// they are orthogonal. It is also 1 if some are exactly opposite: groups on one line are never split.
//
// Model 0 belongs to the pool, the clients without a cluster. Until the first split it holds all clients; later only
// newcomers, which immediately move to the cluster with the nearest mean update.
//
// The public code compares updates with parameters, clusters indices of eigenvectors instead of clients, and drops
// members that missed a round.
type icfl struct {
	counting       method.Counting
	weights        []float64 // weight of each client in a mean
	epsilon, alpha float64   // ε₁ and α₀
	maxThreshold   float64

	env      *fl.Env
	updates  [][]float32 // the latest update of each client
	known    []bool
	used     []bool // models that belong to clusters
	wereUsed []bool // used, before a round's splits
	members  []int
	gram     []float64 // clients × clients
	all      clusterer.Matrix
	cosines  clusterer.Matrix // cosines of one cluster
	features clusterer.Matrix
	spectral clusterer.Spectral
	halves   clusterer.Bipartition
	stream   rng.Stream
	sum      []float64
}

func (s *icfl) Start(env *fl.Env, label []int) {
	s.env, s.weights = env, s.counting.Of(env.Samples)
	n := env.Clients
	clear(label)
	s.updates = make([][]float32, n)
	for i := range s.updates {
		s.updates[i] = make([]float32, env.Size)
	}
	s.known, s.used, s.wereUsed = make([]bool, n), make([]bool, env.Models), make([]bool, env.Models)
	s.members = make([]int, 0, n)
	s.gram, s.sum = make([]float64, n*n), make([]float64, env.Size)
	s.all.Reshape(n, n)
	s.features.Reshape(n, min(3, n))
	s.preallocate()
}

// preallocate splits a made-up cluster so that rounds do not allocate.
func (s *icfl) preallocate() {
	n := s.env.Clients
	s.cosines.Reshape(n, n)
	for i := range n {
		for j := range n {
			s.cosines.Data[i*n+j] = indicator(i == j)
		}
	}
	s.stream.Reset(s.env.Seed, rng.Clustering, 0, 0)
	s.halves.FitSpectral(&s.cosines, &s.stream)
}

func (s *icfl) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
	}
	r.Ask()
	if len(r.Replied) == 0 {
		return
	}
	for _, i := range r.Replied {
		copy(s.updates[i], r.Update(i, 0))
		s.known[i] = true
	}
	s.compare(r)
	s.joinClusters(r)
	s.splitClusters(r)
	r.ApplyMean(s.weights)
	s.updatePool(r)
}

// compare computes the inner products and cosines of updates.
func (s *icfl) compare(r *fl.Round) {
	kernel.Gram(s.gram, s.updates)
	copy(s.all.Data, s.gram)
	clusterer.CosinesOfGram(&s.all)
	s.spectral.FitGram(&s.features, &s.all, s.features.Cols)
	r.Reclustered = true
	if rec := r.Recorder(); rec != nil && s.known[rec.Client] {
		rec.Note("cosines", fl.Floats("cosines", s.all.Row(rec.Client)))
	}
}

// joinClusters moves clients from the pool to the cluster whose mean update has the nearest direction, the first on
// ties.
func (s *icfl) joinClusters(r *fl.Round) {
	n := s.env.Clients
	for _, i := range r.Replied {
		if r.Label[i] != 0 {
			continue
		}
		best, nearest := 0, 0.0
		for k := 1; k < s.env.Models; k++ {
			if !s.used[k] {
				continue
			}
			var xy, yy float64
			for a, la := range r.Label {
				if la != k {
					continue
				}
				xy += s.gram[i*n+a]
				for b, lb := range r.Label {
					if lb == k {
						yy += s.gram[a*n+b]
					}
				}
			}
			if c := numeric.Cosine(xy, s.gram[i*n+i], yy); best == 0 || c > nearest {
				best, nearest = k, c
			}
		}
		r.Label[i] = best
	}
}

// splitClusters tests every cluster with replies, or the pool while there are no clusters, and splits those whose
// connectivity is below the threshold.
func (s *icfl) splitClusters(r *fl.Round) {
	threshold := min(s.threshold(r.T+1), s.maxThreshold)
	copy(s.wereUsed, s.used)
	if !slices.Contains(s.wereUsed, true) {
		s.trySplit(r, 0, threshold)
	}
	for k, used := range s.wereUsed {
		if used && slices.ContainsFunc(r.Replied, func(i int) bool { return r.Label[i] == k }) {
			s.trySplit(r, k, threshold)
		}
	}
}

// threshold returns a(t) = 1 − (e/ε₁)^(t/ε₂) with ε₂ = ln(1−α₀)/(1−ln ε₁).
func (s *icfl) threshold(t int) float64 {
	slope := 1 - exact.Log(s.epsilon)
	return 1 - exact.Exp(float64(t)*slope*slope/exact.Log(1-s.alpha))
}

// trySplit splits a cluster in two if its connectivity is below the threshold and there is a model for each side. The
// sides start as copies of its model, before this round's update. When the pool splits, both sides leave it, and only
// clients that have never replied stay in it.
func (s *icfl) trySplit(r *fl.Round, k int, threshold float64) {
	s.members = s.members[:0]
	for i, label := range r.Label {
		if label == k && s.known[i] {
			s.members = append(s.members, i)
		}
	}
	n := len(s.members)
	s.cosines.Reshape(n, n)
	for a, i := range s.members {
		for b, j := range s.members {
			s.cosines.Row(a)[b] = s.all.Row(i)[j]
		}
	}
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, k+1)
	connectivity := s.halves.FitSpectral(&s.cosines, &s.stream)
	if connectivity >= threshold || !slices.Contains(s.halves.Labels, 1) {
		return
	}
	first, second := k, s.freeModel(1)
	if k == 0 {
		first, second = 1, s.freeModel(2) // no model is in use yet
	}
	if second == 0 {
		return
	}
	s.used[first], s.used[second] = true, true
	copy(r.Bank.Model(first), r.Bank.Model(k))
	copy(r.Bank.Model(second), r.Bank.Model(k))
	for a, i := range s.members {
		r.Label[i] = first
		if s.halves.Labels[a] == 1 {
			r.Label[i] = second
		}
	}
}

// freeModel returns the first unused model from the given one on, 0 if there is none.
func (s *icfl) freeModel(from int) int {
	for k := from; k < len(s.used); k++ {
		if !s.used[k] {
			return k
		}
	}
	return 0
}

// updatePool sets the pool's model to the mean of the clusters' models, weighted by the weights of their clients, once
// there are clusters.
func (s *icfl) updatePool(r *fl.Round) {
	clear(s.sum)
	total := 0.0
	for k, used := range s.used {
		if !used {
			continue
		}
		weight := 0.0
		for i, label := range r.Label {
			if label == k {
				weight += s.weights[i]
			}
		}
		kernel.Accumulate(s.sum, weight, r.Bank.Model(k))
		total += weight
	}
	if total > 0 {
		pool := r.Bank.Model(0)
		for j, v := range s.sum {
			pool[j] = float32(v / total)
		}
	}
}

// Embedding returns the three leading features of the cosines between clients.
func (s *icfl) Embedding() *clusterer.Matrix {
	return &s.features
}
