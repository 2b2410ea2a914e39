package algorithm

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
)

var (
	fieldLike = param.Field{Name: "like", Label: "Merge from cosine τ", Section: param.Models, Kind: param.Float, Min: -1, Max: 1, Low: 0, High: 1, Step: 0.01, Default: "0.3", PerLane: true, Advanced: true,
		Doc: "Clusters become one if the cosine between their mean pulls is as large. It depends on the data: 0.2 to 0.65 in the released code, more for small networks."}
	fieldLook = param.Field{Name: "look", Label: "Epochs of the first look", Section: param.Models, Kind: param.Int, Min: 1, Max: 100, Low: 1, High: 20, Default: "10", PerLane: true, Advanced: true,
		Doc: "For how many steps on all of its samples a client pulls at the first model, once, to be compared by."}
)

// gathering is bottom-up clustering by how clients pull at one model, the same for
// all and for good, as in StoCFL (Algorithm 1): pulls at different models would tell
// the models apart, not the clients. Every client begins as a cluster, and clusters
// whose mean pulls have a cosine of τ or more become one.
type gathering struct {
	tau      float64
	clusters int // most of them

	anchor []float32   // the first model
	pulls  [][]float32 // ψ of each client; zeros before it has come
	union  union
	seen   []bool
	slot   []int // model of each cluster, by root; −1 for none yet
	used   []bool

	gram     []float64
	features clusterer.Matrix
	cosines  clusterer.Matrix
	spectral clusterer.Spectral
	pairs    []pair
	active   []bool // roots of the clusters in a round
}

func (s *gathering) start(env *fl.Env, anchor int) {
	n := env.Clients
	s.anchor = slices.Clone(env.Exchange.Bank.Model(anchor))
	s.pulls = make([][]float32, n)
	for i := range s.pulls {
		s.pulls[i] = make([]float32, env.Size)
	}
	s.seen, s.active, s.slot, s.used = make([]bool, n), make([]bool, n), make([]int, n), make([]bool, s.clusters)
	s.gram, s.pairs = make([]float64, n*n), make([]pair, 0, n*(n-1)/2)
	s.cosines.Reshape(n, n)
	s.features.Reshape(n, min(3, n))
	s.union.start(n)
	for i := range s.slot {
		s.slot[i] = -1
	}
}

// hear takes a client's pull, which comes once. One that is not finite counts as none,
// at right angles to all others.
func (s *gathering) hear(i int, pull []float32) {
	if isFinite(pull) {
		copy(s.pulls[i], pull)
	}
	s.seen[i] = true
}

// compare finds the cosines between the clients that were heard.
func (s *gathering) compare() {
	kernel.Gram(s.gram, s.pulls)
	copy(s.cosines.Data, s.gram)
	clusterer.CosinesOfGram(&s.cosines)
	s.spectral.FitGram(&s.features, &s.cosines, s.features.Cols)
}

// merge unites clusters of this round, the nearest first, down to a cosine of τ;
// then any, until there is a model for each. It gives new clusters a copy of fresh,
// which are parameters from low on, and clients the model of their cluster.
func (s *gathering) merge(r *fl.Round, low int, fresh []float32) {
	clear(s.active)
	for _, i := range r.Participants {
		if s.seen[i] {
			s.active[s.union.root(i)] = true
		}
	}
	for _, p := range s.ranked(func(root int) bool { return s.active[root] }) {
		if p.cosine < s.tau {
			break
		}
		s.unite(p.a, p.b)
	}
	if s.count() > s.clusters {
		for _, p := range s.ranked(func(int) bool { return true }) {
			if s.unite(p.a, p.b); s.count() <= s.clusters {
				break
			}
		}
	}
	for i, root := range s.union.of {
		if root == i && s.seen[i] && s.slot[i] < 0 {
			s.slot[i] = slices.Index(s.used, false)
			s.used[s.slot[i]] = true
			copy(r.Bank.Model(s.slot[i])[low:], fresh)
		}
	}
	for i := range r.Label {
		if s.seen[i] {
			r.Label[i] = s.slot[s.union.root(i)]
		}
	}
}

// unite makes two clusters one, under the lower root and with the larger one's
// model, the former's on ties.
func (s *gathering) unite(a, b int) {
	a, b = s.union.root(a), s.union.root(b)
	if a == b {
		return
	}
	a, b = min(a, b), max(a, b)
	keep, drop := s.slot[a], s.slot[b]
	if s.union.size[b] > s.union.size[a] && drop >= 0 || keep < 0 {
		keep, drop = drop, keep
	}
	if drop >= 0 {
		s.used[drop] = false
	}
	s.union.join(a, b)
	s.slot[a], s.slot[b] = keep, -1
}

// count returns the number of clusters of clients that have come.
func (s *gathering) count() (n int) {
	for i, root := range s.union.of {
		if root == i && s.seen[i] {
			n++
		}
	}
	return n
}

// pair is two clusters and the cosine between their mean pulls.
type pair struct {
	a, b   int
	cosine float64
}

// ranked returns the pairs of clusters that are wanted, the nearest first, then by
// root. All inner products of means are sums of those of clients.
func (s *gathering) ranked(wanted func(root int) bool) []pair {
	n := len(s.seen)
	s.pairs = s.pairs[:0]
	sums := s.cosines.Data // free until the next look
	clear(sums)
	for i := range n {
		for j := range n {
			sums[s.union.root(i)*n+s.union.root(j)] += s.gram[i*n+j]
		}
	}
	for a := range n {
		if s.union.of[a] != a || !s.seen[a] || !wanted(a) {
			continue
		}
		for b := a + 1; b < n; b++ {
			if s.union.of[b] == b && s.seen[b] && wanted(b) {
				s.pairs = append(s.pairs, pair{a, b, cosine(sums[a*n+b], sums[a*n+a], sums[b*n+b])})
			}
		}
	}
	sortPairs(s.pairs)
	return s.pairs
}

// sortPairs puts the nearest first, and of equals the first.
func sortPairs(pairs []pair) {
	slices.SortFunc(pairs, func(p, q pair) int {
		switch {
		case p.cosine > q.cosine:
			return -1
		case p.cosine < q.cosine:
			return 1
		case p.a != q.a:
			return p.a - q.a
		}
		return p.b - q.b
	})
}

// Embedding returns the three leading features of the cosines between clients.
func (s *gathering) Embedding() *clusterer.Matrix { return &s.features }

// pull is the client's side: some steps on all samples from one model.
type pull struct {
	looks int
	rate  float32
}

func newPull(v param.Values) pull { return pull{v.Int("look"), float32(v.Float("lr"))} }

// first appends how a client pulls at the model that came along: what its training
// takes away from it.
func (p pull) first(dst, anchor []float32, at fl.ClientContext) []float32 {
	m := at.Model()
	from, size := len(dst), m.Size()
	dst = slices.Grow(dst, size)[:from+size]
	moved, gradient := at.Scratch(0, size), at.Scratch(1, size)
	copy(moved, anchor)
	all := at.Samples(0, at.Held())
	for range p.looks {
		m.Gradient(gradient, moved, all)
		kernel.Axpy(moved, -p.rate, gradient)
	}
	copy(dst[from:], anchor)
	kernel.Axpy(dst[from:], -1, moved)
	if digits := at.Protocol().Digits; digits >= 0 {
		kernel.Trunc(dst[from:], digits)
	}
	return dst
}
