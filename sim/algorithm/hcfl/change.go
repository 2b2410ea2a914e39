package hcfl

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// splitter finds the cluster to split.
type splitter struct {
	distance clusterer.Matrix // distances of clients, from the last round in which they were compared
	members  []int
	within   clusterer.Matrix // D_k, then −D_k
	halves   clusterer.Bipartition
	side     []int // side, 0 or 1, of the clients of the cluster that splits; −1 for others
}

// findSplit returns the cluster to split, −1 for none, and sets sides. A client must have replied on each side, as otherwise
// one of the two heads would have no update.
func (s *hcfl) findSplit(r *fl.Round) int {
	found := s.widest(r)
	if s.adapt.norms {
		found = s.standing(r)
	}
	if found < 0 {
		return -1
	}
	s.distancesWithin(r, found)
	if !s.adapt.norms && !s.adapt.divides(&s.splitter.within) {
		return -1
	}
	sp := &s.splitter
	for j, d := range sp.within.Data {
		sp.within.Data[j] = -d
	}
	sp.halves.Fit(&sp.within, clusterer.Complete)
	for i := range sp.side {
		sp.side[i] = -1
	}
	for n, i := range sp.members {
		sp.side[i] = sp.halves.Labels[n]
	}
	var replied [2]bool
	for _, i := range r.Replied {
		if side := sp.side[i]; side >= 0 {
			replied[side] = true
		}
	}
	if !replied[0] || !replied[1] {
		return -1
	}
	return found
}

// widest returns the cluster with the largest distance of all, −1 if all distances are 0. It is the one that may split: as in
// Algorithm 2, lines 21 and 22, no cluster splits if this one does not. Clusters with too few clients are ignored.
func (s *hcfl) widest(r *fl.Round) int {
	found, most := -1, 0.0
	for _, k := range s.active {
		s.distancesWithin(r, k)
		if within := &s.splitter.within; within.Rows >= s.adapt.minClients {
			if largest := slices.Max(within.Data); largest > most {
				found, most = k, largest
			}
		}
	}
	return found
}

// standing returns the first cluster that no longer moves although its clients do, −1 for none: the norm of the mean update
// of its clients is below tol₁, and that of one of them above tol₂. These are the two conditions of Sattler et al. (2021) on
// ε₁ and ε₂, in each round and for the clients that replied, each counted once. Updates are those of the cluster's head if
// clusters share the trunk.
func (s *hcfl) standing(r *fl.Round) int {
	sum := s.sum[:s.head()]
	for _, k := range s.active {
		clear(sum)
		clients, longest, square := 0, 0.0, 0.0
		for _, i := range r.Replied {
			if r.Label[i] == k {
				update := s.profiles[i].update
				kernel.Accumulate(sum, 1, update)
				longest = max(longest, math.Sqrt(kernel.Dot(update, update)))
				clients++
			}
		}
		for _, v := range sum {
			square += float64(v * v)
		}
		mean := math.Sqrt(square) / float64(max(clients, 1))
		if rec := r.Recorder(); rec != nil && r.Label[rec.Client] == k {
			rec.Note("stands", fl.Int("k", k), fl.Number("mean", mean), fl.Number("longest", longest),
				fl.Number("tol1", s.adapt.short), fl.Number("tol2", s.adapt.long))
		}
		if clients >= s.adapt.minClients && mean < s.adapt.short && longest > s.adapt.long {
			return k
		}
	}
	return -1
}

// updateDistances computes the distances between the clients that replied (Algorithm 2, line 20), whichever clusters
// they are in: they may be in the same cluster later. Updates of different models cannot be compared, so these are
// compared within clusters only.
func (s *hcfl) updateDistances(r *fl.Round) {
	sp := &s.splitter
	_, hard := s.assigns()
	for n, i := range r.Replied {
		a := 0
		if !hard {
			a = slices.Index(s.active, r.Label[i])
		}
		s.profiles[i].update = s.update(r, i, a)
		for _, j := range r.Replied[:n] {
			if r.Label[i] == r.Label[j] || s.adapt.distance.across() {
				d := s.adapt.distance.between(&s.profiles[i], &s.profiles[j])
				sp.distance.Row(i)[j], sp.distance.Row(j)[i] = d, d
			}
		}
	}
}

// distancesWithin sets members to the clients that prefer cluster k, and within to their latest distances, each
// multiplied by both clients' weights for the cluster.
func (s *hcfl) distancesWithin(r *fl.Round, k int) {
	sp := &s.splitter
	sp.members = sp.members[:0]
	for i, known := range s.known {
		if known && r.Label[i] == k {
			sp.members = append(sp.members, i)
		}
	}
	sp.within.Reshape(len(sp.members), len(sp.members))
	for n, i := range sp.members {
		distance, weight, within := sp.distance.Row(i), s.weights.Row(i)[k], sp.within.Row(n)
		for m, j := range sp.members {
			within[m] = distance[j]
			if !s.adapt.unweighted {
				within[m] = float64(float64(within[m]*weight) * s.weights.Row(j)[k])
			}
		}
	}
}

// unused returns the lowest unused cluster number.
func (s *hcfl) unused() int {
	for n, k := range s.active {
		if n != k {
			return n
		}
	}
	return len(s.active)
}

// adaptClusters logs which clusters split, are removed and merge, and updates weights, labels and masses. Clusters that
// no client prefers, among those that have replied, are removed; the last cluster stays. Which clusters to remove is
// decided before the split.
func (s *hcfl) adaptClusters(r *fl.Round, split, into int) {
	before := len(s.log)
	if split >= 0 {
		s.log = append(s.log, float32(split), float32(into))
	}
	if s.adapt.remove && r.T >= s.adapt.keepRounds {
		left := len(s.active)
		for _, k := range s.active {
			if left > 1 && slices.Contains(s.known, true) && !s.preferred(r, k) {
				s.log = append(s.log, float32(k), gone)
				left--
				if rec := r.Recorder(); rec != nil {
					rec.Note("gone", fl.Int("k", k))
				}
			}
		}
	}
	if s.merges(r) {
		s.merge(r)
	}
	news := s.log[before:]
	if len(news) == 0 {
		return
	}
	s.active = s.log.active(s.active, s.start)
	for i := range r.Label {
		for k, w := range s.weights.Row(i) {
			s.row[k] = float32(w)
		}
		news.followWeights(s.row, 1)
		r.Label[i] = s.weights.set(i, s.row)
		if split >= 0 && r.Label[i] == min(split, into) {
			// Both weights are equal: the client gets the cluster of its side.
			r.Label[i] = split
			if s.splitter.side[i] == 1 {
				r.Label[i] = into
			}
		}
		if _, hard := s.assigns(); hard {
			s.assign(r, i, r.Label[i])
		}
	}
	s.classes.follow(news)
}

// preferred reports whether any client that has replied has the label k.
func (s *hcfl) preferred(r *fl.Round, k int) bool {
	for i, known := range s.known {
		if known && r.Label[i] == k {
			return true
		}
	}
	return false
}

// follow applies edits to the masses: when a cluster splits, both get its masses (Algorithm 4); those of a removed cluster
// are cleared.
func (c *classes) follow(log edits) {
	for _, masses := range c.masses {
		log.follow(masses, len(masses)/c.models, nil)
	}
}
