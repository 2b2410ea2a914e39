package algorithm

import (
	"slices"
	"sync"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "stocfl",
			Title: "StoCFL",
			Doc:   "Every client begins as a cluster; clusters whose clients pull at the first model in like directions become one. Their models are held near a model for everybody.",
			By:    "directions at the first model; finds K", Sends: "at first a gradient; updates of two models",
			Paper: registry.Citation{Authors: "Zeng, Hu, Liu, Yu, Wang, Xu", Title: "Stochastic Clustered Federated Learning",
				Venue: "arXiv", Year: 2023, URL: "https://arxiv.org/abs/2303.00897"}.At("Algorithms 1 and 2, and the released code"),
			Fields: training(
				param.Field{Name: "like", Label: "Merge from cosine τ", Section: param.Models, Kind: param.Float, Min: -1, Max: 1, Low: 0, High: 1, Step: 0.01, Default: "0.3", PerLane: true, Advanced: true,
					Doc: "Clusters become one if the cosine between their mean pulls is as large. It depends on the data: 0.2 to 0.65 in the released code, more for small networks."},
				param.Field{Name: "tie", Label: "Tie to the common model λ", Section: param.Models, Kind: param.Float, Min: 0, Max: 100, Low: 0, High: 1, Step: 0.01, Default: "0.05", PerLane: true, Advanced: true,
					Doc: "How strongly cluster models are drawn to the model of everybody."},
				param.Field{Name: "look", Label: "Epochs of the first look", Section: param.Models, Kind: param.Int, Min: 1, Max: 100, Low: 1, High: 20, Default: "10", PerLane: true, Advanced: true,
					Doc: "For how many steps on all of its samples a client pulls at the first model, once, to be compared by."},
				fieldMost,
			),
		},
		Make: func(v param.Values, clients int) fl.Plan {
			clusters := min(v.Int("most"), clients)
			return fl.Plan{Server: &stocfl{tau: v.Float("like"), clusters: clusters}, Models: clusters + 1, Evidence: fl.GradientFeatures, Blocks: 1,
				Device: &puller{looks: v.Int("look"), rate: float32(v.Float("lr")), lambda: float32(v.Float("tie")), common: clusters}}
		},
	})
}

// stocfl is bottom-up clustering by pulls at the first model, which every client
// measures once, with the cluster models' objective
//
//	f(θ_c) + (λ/2)·‖θ_c − w‖²
//
// Models 0 to most − 1 are those of clusters. The last one is w, which all clients
// train besides, and which those that have not come yet would be given.
//
// The released code trains w from client to client in a row; here, as in the
// paper, it is the mean of what all make of it. Clusters are compared by the mean
// pull of all of their clients that have come, where the code takes only those of
// the round. When clusters outnumber models, the nearest are merged whatever τ.
type stocfl struct {
	tau      float64
	clusters int // most of them, and the number of w

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

func (s *stocfl) Start(env *fl.Env, label []int) {
	n := env.Clients
	s.anchor = slices.Clone(env.Exchange.Bank.Model(s.clusters))
	s.pulls = make([][]float32, n)
	for i := range s.pulls {
		s.pulls[i] = make([]float32, env.Size)
	}
	s.seen, s.active, s.slot, s.used = make([]bool, n), make([]bool, n), make([]int, n), make([]bool, s.clusters)
	s.gram, s.pairs = make([]float64, n*n), make([]pair, 0, n*(n-1)/2)
	s.cosines.Reshape(n, n)
	s.features.Reshape(n, min(3, n))
	s.union.start(n)
	for i := range label {
		label[i], s.slot[i] = s.clusters, -1
	}
}

func (s *stocfl) Round(r *fl.Round) {
	s.meet(r)
	clear(s.active)
	for _, i := range r.Here {
		if s.seen[i] {
			s.active[s.union.root(i)] = true
		}
	}
	s.merge(r)
	for _, i := range r.Here {
		if s.seen[i] {
			r.AskUpdate(i, s.clusters)
			r.AskCall(i, pullFrom+r.Label[i], nil, r.Label[i], s.clusters)
		}
	}
	r.Ask()
	for k := range s.clusters {
		r.DescendAlong(k, func(i int) ([]float32, float64) { return r.Answer(i), one(r.Label[i] == k) })
	}
	r.DescendAlong(s.clusters, func(i int) ([]float32, float64) { return r.Update(i, 0), 1 })
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// meet has clients that come for the first time pull at the first model.
func (s *stocfl) meet(r *fl.Round) {
	come := false
	for _, i := range r.Here {
		if !s.seen[i] {
			r.AskCall(i, pullFirst, s.anchor)
			come = true
		}
	}
	if !come {
		return
	}
	r.Ask()
	for _, i := range r.Answered {
		copy(s.pulls[i], r.Answer(i))
		s.seen[i], r.News = true, true
	}
	kernel.Gram(s.gram, s.pulls)
	copy(s.cosines.Data, s.gram)
	clusterer.CosinesOfGram(&s.cosines)
	s.spectral.FitGram(&s.features, &s.cosines, s.features.Cols)
}

// merge unites clusters of this round, the nearest first, down to a cosine of τ;
// then any, until there is a model for each. It gives new clusters a copy of w,
// and clients the model of their cluster.
func (s *stocfl) merge(r *fl.Round) {
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
			copy(r.Bank.Model(s.slot[i]), r.Bank.Model(s.clusters))
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
func (s *stocfl) unite(a, b int) {
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
func (s *stocfl) count() (n int) {
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
func (s *stocfl) ranked(wanted func(root int) bool) []pair {
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
	slices.SortFunc(s.pairs, func(p, q pair) int {
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
	return s.pairs
}

// Embedding returns the three leading features of the cosines between clients.
func (s *stocfl) Embedding() *clusterer.Matrix {
	return &s.features
}

// What clients are asked: to pull at the first model, which comes along, or to
// train the model of this number and more.
const (
	pullFirst = 1
	pullFrom  = 2
)

// puller is the client's side.
type puller struct {
	looks  int
	rate   float32
	lambda float32
	common int
	idle   sync.Pool // of *pulled
}

// Do is the first pull, or an update of a cluster's model that the common one
// holds back.
func (d *puller) Do(dst []float32, op int, with []float32, at fl.Place) []float32 {
	m := at.Model()
	from, size := len(dst), m.Size()
	dst = slices.Grow(dst, size)[:from+size]
	if op == pullFirst {
		moved, gradient := at.Scratch(0, size), at.Scratch(1, size)
		copy(moved, with)
		all := at.Samples(0, at.Held())
		for range d.looks {
			m.Gradient(gradient, moved, all)
			kernel.Axpy(moved, -d.rate, gradient)
		}
		copy(dst[from:], with)
		kernel.Axpy(dst[from:], -1, moved)
		if digits := at.Protocol().Digits; digits >= 0 {
			kernel.Trunc(dst[from:], digits)
		}
		return dst
	}
	p, _ := d.idle.Get().(*pulled)
	if p == nil {
		p = new(pulled)
		p.gradient = p.towards
	}
	defer d.idle.Put(p)
	p.model, p.centre, p.strength = m, at.Scratch(2, size), d.lambda
	copy(p.centre, at.Params(d.common))
	at.Update(dst[from:], at.Params(op-pullFrom), p.gradient)
	return dst
}
