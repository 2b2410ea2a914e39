package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// cfl is the recursive bipartition of the paper, in the form of its code: the split test runs during training, once per
// round and cluster, and both halves continue from the model of the whole. CFL-GP calls it MADMO, CLoVE CFL-S.
//
// Clients that come after a split find their cluster in the tree of splits (cfl_newcomers.go).
//
// A cluster is the list of clients that share a label. The released notebook, and copies of it, number the members of a
// half within their parent, and so confuse clients from the second split on; here a client keeps its number.
type cfl struct {
	counting     method.Counting
	weights      []float64 // weight of each client in means
	linkage      clusterer.Linkage
	scaled       bool
	eps1, eps2   float64
	warm         int     // the last round without a split
	gamma        float64 // 0: every split is accepted
	countMissing bool    // members that miss a round count with their last update

	used        int         // models that have or had clients
	peak        float64     // the largest norm of a mean update so far
	longest     float64     // the largest norm of a client's update so far
	known       []bool      // clients that have replied
	lastUpdates [][]float32 // the last update of each client; nil if none are kept
	tree        cflTree
	compared    []int       // clients compared in this round, ascending
	updates     [][]float32 // updates of the compared clients
	norms       []float64   // of the updates
	sum         []float64   // sum of a cluster's updates
	members     []int       // members of a cluster, as indices into compared

	cosines  clusterer.Matrix // cosines of all compared clients
	within   clusterer.Matrix // cosines within one cluster
	split    clusterer.Bipartition
	spectral clusterer.Spectral
	leading  clusterer.Matrix
	features clusterer.Matrix // clients × mapDimensions
}

func (s *cfl) Start(env *fl.Env, label []int) {
	clear(label)
	c := env.Clients
	s.weights = s.counting.Of(env.Samples)
	s.used, s.known = 1, make([]bool, c)
	s.tree.passed = make([]int, c)
	s.updates, s.norms, s.members = make([][]float32, 0, c), make([]float64, c), make([]int, 0, c)
	s.compared, s.sum = make([]int, 0, c), make([]float64, env.Size)
	if s.countMissing {
		s.lastUpdates = make([][]float32, c)
		for i := range s.lastUpdates {
			s.lastUpdates[i] = make([]float32, env.Size)
		}
	}
	s.features.Reshape(c, mapDimensions)
	// The first split may come late, and is the largest: allocate for it.
	s.within.Reshape(c, c)
	clear(s.within.Data)
	s.split.Fit(&s.within, s.linkage)
}

func (s *cfl) Round(r *fl.Round) {
	s.descend(r)
	for _, i := range r.Participants {
		if s.known[i] || s.tree.next(i, r.Label[i]) == nil {
			r.AskUpdate(i, r.Label[i])
		}
	}
	r.Ask()
	if len(r.Replied) > 0 {
		s.compare(r)
		for k := range s.used { // halves do not split again in the same round
			s.trySplit(r, k)
		}
	}
	// Both halves of a split start from the model of the whole and are moved by the updates that decided the split.
	r.ApplyMean(s.weights)
}

// compare computes the cosines between the updates of this round, or between the last ones of all clients that ever
// replied (the paper's equation for α, all pairs).
func (s *cfl) compare(r *fl.Round) {
	s.compared, s.updates = s.compared[:0], s.updates[:0]
	for _, i := range r.Replied {
		s.known[i] = true
		if s.countMissing {
			copy(s.lastUpdates[i], r.Update(i, 0))
			continue
		}
		s.compared, s.updates = append(s.compared, i), append(s.updates, r.Update(i, 0))
	}
	for i, kept := range s.lastUpdates {
		if s.known[i] {
			s.compared, s.updates = append(s.compared, i), append(s.updates, kept)
		}
	}
	n := len(s.updates)
	s.cosines.Reshape(n, n)
	kernel.Gram(s.cosines.Data, s.updates)
	for a := range n {
		s.norms[a] = math.Sqrt(max(0, s.cosines.Row(a)[a]))
		s.longest = max(s.longest, s.norms[a])
	}
	clusterer.CosinesOfGram(&s.cosines)
	s.spectral.FitGram(&s.leading, &s.cosines, mapDimensions)
	clear(s.features.Data)
	for a, i := range s.compared {
		copy(s.features.Row(i), s.leading.Row(a))
		if rec := r.Recorder(); rec.Follows(i) {
			rec.Note("cosines", fl.Floats("cosines", s.cosines.Row(a)))
		}
	}
	r.Reclustered = true
}

// trySplit splits cluster k if its mean update is short and the update of one of its clients is long (the paper's two
// conditions on ε₁ and ε₂), it has more than two members, and a member has replied in this round, or all members
// replied if last updates do not count.
func (s *cfl) trySplit(r *fl.Round, k int) {
	if !s.listMembers(r, k) {
		return
	}
	mean, longest := s.updateLengths(r)
	s.peak = max(s.peak, mean)
	eps1, eps2 := s.thresholds(longest)
	rec := r.Recorder()
	if rec != nil && r.Label[rec.Client] == k {
		rec.Note("test", fl.Int("size", len(s.members)), fl.Number("mean", mean), fl.Number("longest", longest),
			fl.Number("eps1", eps1), fl.Number("eps2", eps2))
	}
	if r.T <= s.warm || s.used == r.Bank.Models() || len(s.members) <= 2 || !(mean < eps1 && longest > eps2) {
		return
	}
	n := len(s.members)
	s.within.Reshape(n, n)
	for a, at := range s.members {
		for b, other := range s.members {
			s.within.Row(a)[b] = s.cosines.Row(at)[other]
		}
	}
	s.split.Fit(&s.within, s.linkage)
	if s.gamma > 0 && !(s.gamma < math.Sqrt((1-s.split.Cross)/2)) {
		return
	}
	if rec != nil && r.Label[rec.Client] == k {
		rec.Note("split", fl.Number("cross", s.split.Cross), fl.Int("moved", count(s.split.Labels, 1)),
			fl.Int("k", s.used))
	}
	for a, at := range s.members {
		if s.split.Labels[a] == 1 {
			r.Label[s.compared[at]] = s.used
		}
	}
	if slices.Contains(s.known, false) {
		s.tree.add(k, s.used, r.Bank.Model(k), s.members, s.updates, s.split.Labels)
	} else {
		s.tree.splits = nil // there are no newcomers left
	}
	copy(r.Bank.Model(s.used), r.Bank.Model(k))
	s.used++
}

// thresholds returns ε₁ and ε₂ for a cluster with this longest update. A threshold that is not given follows from the
// other, by the ratio of the two in the authors' program. Without both, the mean update is to be shorter than the longest by
// this ratio, and the longest not much shorter than updates were before: near the stationary point of a model that fits all
// clients, updates are short and their mean is shorter still, by noise alone.
func (s *cfl) thresholds(longest float64) (eps1, eps2 float64) {
	eps1, eps2 = s.eps1, s.eps2
	switch {
	case s.scaled:
		return eps1 * s.peak, eps2 * s.peak
	case eps1 < 0 && eps2 < 0:
		return longest / cflRatio, s.longest / cflShrunk
	case eps1 < 0:
		return eps2 / cflRatio, eps2
	case eps2 < 0:
		return eps1, eps1 * cflRatio
	}
	return eps1, eps2
}

// cflRatio is ε₂/ε₁ in the program of Sattler et al.: 1.6 and 0.4. cflShrunk is our choice.
const cflRatio, cflShrunk = 4, 2

// count returns how often v occurs in list.
func count(list []int, v int) (n int) {
	for _, w := range list {
		if w == v {
			n++
		}
	}
	return n
}

// listMembers lists the compared members of cluster k, and reports whether they suffice to decide on a split.
func (s *cfl) listMembers(r *fl.Round, k int) bool {
	s.members = s.members[:0]
	for at, i := range s.compared {
		if r.Label[i] == k {
			s.members = append(s.members, at)
		}
	}
	size, answered := 0, false
	for i, label := range r.Label {
		if label == k && s.known[i] {
			size++
		}
	}
	for _, i := range r.Replied {
		answered = answered || r.Label[i] == k
	}
	return answered && len(s.members) == size
}

// updateLengths returns the norm of the members' mean update and the largest norm of their updates. In the paper
// clients count by their samples in the mean, in its code once.
func (s *cfl) updateLengths(r *fl.Round) (mean, longest float64) {
	clear(s.sum)
	total := 0.0
	for _, at := range s.members {
		w := s.weights[s.compared[at]]
		kernel.Accumulate(s.sum, w, s.updates[at])
		total += w
		longest = max(longest, s.norms[at])
	}
	for _, v := range s.sum {
		mean += float64(v * v)
	}
	return math.Sqrt(mean) / total, longest
}

// Embedding returns the leading features of the directions of the last updates: their inner products approximate the
// cosines.
func (s *cfl) Embedding() *clusterer.Matrix { return &s.features }

// mapDimensions is the number of features for the map of methods that compare clients pair by pair.
const mapDimensions = 3
