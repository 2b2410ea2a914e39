// Package grouping clusters clients in ways that several methods share: by merging clusters whose updates point in similar
// directions (agglomerative.go, with union.go and threshold.go), by k-means among trained models (modelkmeans.go), and by
// the nearest mean (means.go).
package grouping

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
)

var (
	FieldLike = param.Field{Name: "like", Label: "Merge above cosine τ", Section: param.Models, Kind: param.Float,
		Min: -1, Max: 1, Step: 0.01, Default: "-1",
		Tune:    &param.Space{Low: 0.05, High: 0.65, Source: "the released code: 0.2 to 0.65; HCFL, Table 1: 0.05 and 0.1"},
		PerLane: true, Advanced: true,
		Doc: "Clusters merge if the cosine between their mean updates of the first model is at least this. −1 finds the threshold from the clients' cosines (Otsu's rule); the released code has 0.2 to 0.65 for different data."}
	FieldLook = param.Field{Name: "look", Label: "Epochs of the comparison", Section: param.Models, Kind: param.Int,
		Min: 1, Max: 100, Low: 1, High: 20, Default: "10", PerLane: true, Advanced: true,
		Doc: "Steps that a client trains the first model on all of its samples, once; clients are compared by these updates."}
)

// FindsLike reports whether the threshold is to be found from the clients ([FieldLike]).
func FindsLike(v param.Values) bool { return v.Float("like") == -1 }

// Agglomerative is bottom-up clustering by the clients' updates of one model, the first one, as in StoCFL (Algorithm
// 1): updates of different models differ by the model more than by the client. Every client begins as a cluster, and
// clusters whose mean updates have a cosine of τ or more merge.
type Agglomerative struct {
	Tau      float64
	Find     bool // find τ from the cosines of known clients
	Clusters int  // maximum number of clusters

	Reference  []float32   // parameters of the first model
	Directions [][]float32 // ψ, the update of each client; zeros before it is known
	Union      union
	Known      []bool
	slot       []int // model of each cluster, by root; −1 if it has none yet
	Used       []bool

	gram     []float64
	features clusterer.Matrix
	cosines  clusterer.Matrix
	spectral clusterer.Spectral
	pairs    []Pair
	active   []bool // roots of the clusters in a round, by client
	threshold
}

func (s *Agglomerative) Start(env *fl.Env, anchor int) {
	n := env.Clients
	s.Reference = slices.Clone(env.Exchange.Bank.Model(anchor))
	s.Directions = make([][]float32, n)
	for i := range s.Directions {
		s.Directions[i] = make([]float32, env.Size)
	}
	s.Known, s.active, s.slot, s.Used = make([]bool, n), make([]bool, n), make([]int, n), make([]bool, s.Clusters)
	s.gram, s.pairs = make([]float64, n*n), make([]Pair, 0, n*(n-1)/2)
	s.cosines.Reshape(n, n)
	s.features.Reshape(n, min(3, n))
	s.Union.start(n)
	for i := range s.slot {
		s.slot[i] = -1
	}
}

// Add adds a client with its update. An update that is not finite counts as 0, orthogonal to all others.
func (s *Agglomerative) Add(i int, update []float32) {
	if numeric.IsFinite(update) {
		copy(s.Directions[i], update)
	}
	s.Known[i] = true
}

// Compare computes the cosines between known clients.
func (s *Agglomerative) Compare() {
	kernel.Gram(s.gram, s.Directions)
	copy(s.cosines.Data, s.gram)
	clusterer.CosinesOfGram(&s.cosines)
	if s.Find {
		s.Tau = s.Threshold(s.Known, func(i, j int) float64 { return s.cosines.Row(i)[j] })
	}
	s.spectral.FitGram(&s.features, &s.cosines, s.features.Cols)
}

// Cosine returns the cosine between the updates of two known clients, 0 if one update is zero.
func (s *Agglomerative) Cosine(i, j int) float64 {
	n := len(s.Known)
	return numeric.Cosine(s.gram[i*n+j], s.gram[i*n+i], s.gram[j*n+j])
}

// Merge merges clusters of this round's participants, the nearest first, down to a cosine of τ; then any clusters, until
// there is a model for each. New clusters get a copy of fresh, the parameters from low on, and clients the model of their
// cluster.
func (s *Agglomerative) Merge(r *fl.Round, low int, fresh []float32) {
	clear(s.active)
	for _, i := range r.Participants {
		if s.Known[i] {
			s.active[s.Union.root(i)] = true
		}
	}
	for _, p := range s.RankedPairs(func(root int) bool { return s.active[root] }) {
		if p.Cosine < s.Tau {
			break
		}
		s.unite(p.A, p.B)
	}
	if s.count() > s.Clusters {
		for _, p := range s.RankedPairs(func(int) bool { return true }) {
			if s.unite(p.A, p.B); s.count() <= s.Clusters {
				break
			}
		}
	}
	for i, root := range s.Union.Of {
		if root == i && s.Known[i] && s.slot[i] < 0 {
			s.slot[i] = slices.Index(s.Used, false)
			s.Used[s.slot[i]] = true
			copy(r.Bank.Model(s.slot[i])[low:], fresh)
		}
	}
	for i := range r.Label {
		if s.Known[i] {
			r.Label[i] = s.slot[s.Union.root(i)]
		}
	}
}

// unite merges two clusters. The union has the lower root and the model of the larger cluster, on ties that of the
// lower root.
func (s *Agglomerative) unite(a, b int) {
	a, b = s.Union.root(a), s.Union.root(b)
	if a == b {
		return
	}
	a, b = min(a, b), max(a, b)
	keep, drop := s.slot[a], s.slot[b]
	if s.Union.size[b] > s.Union.size[a] && drop >= 0 || keep < 0 {
		keep, drop = drop, keep
	}
	if drop >= 0 {
		s.Used[drop] = false
	}
	s.Union.join(a, b)
	s.slot[a], s.slot[b] = keep, -1
}

// count returns the number of clusters of known clients.
func (s *Agglomerative) count() (n int) {
	for i, root := range s.Union.Of {
		if root == i && s.Known[i] {
			n++
		}
	}
	return n
}

// Pair is two clusters and the cosine between their mean updates.
type Pair struct {
	A, B   int
	Cosine float64
}

// RankedPairs returns the pairs of clusters with the given roots, the nearest first, ties by root.
func (s *Agglomerative) RankedPairs(wanted func(root int) bool) []Pair {
	n := len(s.Known)
	s.pairs = s.pairs[:0]
	sums := s.cosines.Data // not needed until the next Compare
	clear(sums)
	for i := range n {
		for j := range n {
			sums[s.Union.root(i)*n+s.Union.root(j)] += s.gram[i*n+j]
		}
	}
	for a := range n {
		if s.Union.Of[a] != a || !s.Known[a] || !wanted(a) {
			continue
		}
		for b := a + 1; b < n; b++ {
			if s.Union.Of[b] == b && s.Known[b] && wanted(b) {
				s.pairs = append(s.pairs, Pair{a, b, numeric.Cosine(sums[a*n+b], sums[a*n+a], sums[b*n+b])})
			}
		}
	}
	SortPairs(s.pairs)
	return s.pairs
}

// SortPairs sorts pairs, the nearest first, ties by cluster.
func SortPairs(pairs []Pair) {
	slices.SortFunc(pairs, func(p, q Pair) int {
		switch {
		case p.Cosine > q.Cosine:
			return -1
		case p.Cosine < q.Cosine:
			return 1
		case p.A != q.A:
			return p.A - q.A
		}
		return p.B - q.B
	})
}

// Embedding returns the three leading features of the cosines between clients.
func (s *Agglomerative) Embedding() *clusterer.Matrix { return &s.features }

// AnchorUpdate is the client's side: it trains the first model for some steps on all samples.
type AnchorUpdate struct {
	steps int
	rate  float32
}

func NewAnchorUpdate(v param.Values) AnchorUpdate {
	return AnchorUpdate{v.Int("look"), float32(v.Float("lr"))}
}

// Append appends the client's update of the model that was sent: the model minus the trained one.
func (p AnchorUpdate) Append(dst, anchor []float32, at fl.ClientContext) []float32 {
	m := at.Model()
	from, size := len(dst), m.Size()
	dst = slices.Grow(dst, size)[:from+size]
	moved, gradient := at.Scratch(0, size), at.Scratch(1, size)
	copy(moved, anchor)
	all := at.Samples(0, at.SampleCount())
	for range p.steps {
		m.Gradient(gradient, moved, all)
		kernel.Axpy(moved, -p.rate, gradient)
	}
	copy(dst[from:], anchor)
	kernel.Axpy(dst[from:], -1, moved)
	at.Quantize(dst[from:])
	return dst
}
