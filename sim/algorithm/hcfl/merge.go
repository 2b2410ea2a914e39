package hcfl

import (
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// merger finds clusters that are similar.
type merger struct {
	clusters []profile // mean profile of the clients in each cluster
	pairs    []grouping.Pair
	into     []int // the cluster that each became part of, or itself
	tau      float64
}

// findTau returns the cosine above which clusters merge: the setting, or a value found from the clients' cosines.
func (s *hcfl) findTau() float64 {
	switch {
	case !s.adapt.find:
		return s.adapt.tau
	case s.comparesFirst():
		return s.bottomUpClusters.Tau
	}
	return s.bottomUpClusters.Threshold(s.known, s.cosine)
}

// cosine returns the cosine of two clients.
func (s *hcfl) cosine(i, j int) float64 {
	if s.comparesFirst() {
		return s.bottomUpClusters.Cosine(i, j)
	}
	return 1 - s.adapt.distance.between(&s.profiles[i], &s.profiles[j])
}

// similarity returns the cosine between the means of two clusters. If τ is found from clients, it is instead the mean
// of their cosines : clusters that are mixtures of the same groups have similar means, however different their clients
// are.
func (s *hcfl) similarity(r *fl.Round, a, b int) float64 {
	if !s.adapt.find {
		return 1 - s.adapt.distance.between(&s.merger.clusters[a], &s.merger.clusters[b])
	}
	sum := 0.0
	for i := range r.Label {
		for j := range r.Label {
			if r.Label[i] == a && r.Label[j] == b && s.comparable(i) && s.comparable(j) {
				sum += s.cosine(i, j)
			}
		}
	}
	return sum / float64(s.merger.clusters[a].clients*s.merger.clusters[b].clients)
}

// comparable reports whether a client can be compared.
func (s *hcfl) comparable(i int) bool {
	return s.known[i] && !(s.comparesFirst() && s.profiles[i].anchorUpdate == nil)
}

// merge logs which clusters merge: the most similar first, down to a cosine of τ, and further while there are more clusters
// than the settings allow. The cluster with fewer clients becomes part of the other, the later on ties. If there are too
// many, those that no client prefers are removed first. Cosines are not computed again after a merge, as in StoCFL.
func (s *hcfl) merge(r *fl.Round) {
	m := &s.merger
	s.describeClusters(r)
	m.pairs = m.pairs[:0]
	for n, a := range s.active {
		for _, b := range s.active[n+1:] {
			if m.clusters[a].clients > 0 && m.clusters[b].clients > 0 {
				m.pairs = append(m.pairs, grouping.Pair{A: a, B: b, Cosine: s.similarity(r, a, b)})
			}
		}
	}
	grouping.SortPairs(m.pairs)
	m.tau = s.findTau()
	s.noteMerge(r, m.pairs, r.Label, m.tau)
	for k := range m.into {
		m.into[k] = k
	}
	left := len(s.active)
	for _, k := range s.active {
		if left > s.adapt.maxClusters && m.clusters[k].clients == 0 {
			s.log = append(s.log, float32(k), gone)
			left--
		}
	}
	for _, p := range m.pairs {
		a, b := m.into[p.A], m.into[p.B]
		if p.Cosine < m.tau && left <= s.adapt.maxClusters || a == b {
			continue
		}
		left--
		a, b = min(a, b), max(a, b)
		if m.clusters[b].clients > m.clusters[a].clients {
			a, b = b, a
		}
		m.clusters[a].clients += m.clusters[b].clients
		for k, of := range m.into {
			if of == b {
				m.into[k] = a
			}
		}
		s.log = append(s.log, float32(b), merged(float32(a)))
	}
}

// describeClusters computes the mean profile of the clients that prefer each cluster.
func (s *hcfl) describeClusters(r *fl.Round) {
	for k := range s.merger.clusters {
		of := &s.merger.clusters[k]
		of.clients = 0
		clear(of.anchorUpdate)
		clear(of.features)
		clear(of.count)
	}
	for i := range s.known {
		p := &s.profiles[i]
		if !s.comparable(i) {
			continue
		}
		of := &s.merger.clusters[r.Label[i]]
		of.clients++
		of.anchorUpdate, of.features, of.count = sized(of.anchorUpdate, len(p.anchorUpdate)), sized(of.features,
			len(p.features)), sized(of.count, len(p.count))
		kernel.Axpy(of.anchorUpdate, 1, p.anchorUpdate)
		width := len(p.features) / (len(p.count) + 1)
		for c := range len(p.count) + 1 {
			n := float32(s.env.Samples[i])
			if c < len(p.count) {
				n = p.count[c]
				of.count[c] += n
			}
			// A sum has the direction of its mean.
			kernel.Axpy(of.features[c*width:(c+1)*width], n, p.features[c*width:(c+1)*width])
		}
	}
}

// merges reports whether clusters are compared in this round. Where each client begins as a cluster, clusters were
// compared before training.
func (s *hcfl) merges(r *fl.Round) bool {
	return s.adapt.merge && !s.bottomUp() && r.T >= s.adapt.mergeAfter
}
