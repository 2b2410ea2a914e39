package algorithm

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "cflgp",
			Title: "CFL-GP",
			Doc:   "The server averages each client's gradients over the rounds, on models that all clients receive in turn, and clusters their leading directions.",
			Paper: registry.CFLGP.At("Algorithms 1 to 3"),
			Fields: []param.Field{fieldK, fieldRate,
				{Name: "P", Label: "Clustering period P", Section: param.Models, Kind: param.Int, Min: 2, Max: 100, High: 20, Low: 2, Default: "2", PerLane: true, Advanced: true,
					Doc: "The server clusters in every P-th round. With P = 1 the paper's rule t mod P = 1 never holds."},
				{Name: "beta", Label: "Memory β", Section: param.Models, Kind: param.Choice, Default: "mean", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "mean", Title: "average of all gradients"}, {Name: "1", Title: "newest gradient only"}},
					Doc:     "Keep the average of all gradients so far, or only the newest (β = 1, the paper's ablation)."},
				{Name: "stop", Label: "Stop rule", Section: param.Models, Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
					Doc: "Stop clustering when no client was moved for T/10 rounds. It saves traffic and can freeze a mistake."},
			},
		},
		Make: func(v param.Values, _ int) fl.Plan {
			s := &cflgp{rate: v.Float("lr"), period: v.Int("P"), newest: v.Text("beta") == "1"}
			if v.Switch("stop") {
				s.patience = max(v.Int("T")/10, s.period)
			}
			return fl.Plan{Server: s, Models: v.Int("K"), Evidence: fl.GradientFeatures}
		},
	})
}

// cflgp is Algorithms 1 to 3 of the paper: model update, gradient features of
// a common model taken in turn, clustering.
type cflgp struct {
	rate     float64
	period   int  // P
	newest   bool // β_t = 1
	patience int  // rounds without a move until clustering stops; 0 for never

	env *fl.Env
	// gradients holds g_{c,k}: a row a client, K blocks of d columns. This
	// is Gᵀ of the paper, all zero at the start.
	gradients clusterer.Matrix
	features  clusterer.Matrix // Rᵀ: clients × K
	spectral  clusterer.Spectral
	kmeans    clusterer.KMeans
	assigner  clusterer.Assigner
	stream    rng.Stream
	previous  []int

	common    int // k̄: the model whose gradients are taken next
	clustered int // number of clusterings so far
	unchanged int // rounds since a client was last moved
	frozen    bool
}

func (s *cflgp) Start(env *fl.Env, label []int) {
	s.env = env
	s.gradients.Reshape(env.Clients, env.Models*env.Size)
	clear(s.gradients.Data)
	s.features.Reshape(env.Clients, env.Models)
	s.previous = make([]int, env.Clients)
	// The paper takes the first clusters as given; a random start shows
	// that they do not matter.
	for i := range label {
		s.stream.Reset(env.Seed, rng.Labels, i, 0)
		label[i] = s.stream.IntN(env.Models)
	}
}

func (s *cflgp) Round(r *fl.Round) {
	clustering := !s.frozen && r.T%s.period == 1
	for i, k := range r.Label {
		r.AskGradient(i, k)
		// Algorithm 2 broadcasts the common model as it stands before
		// this round's update, and clients use the same minibatch: a
		// client that trains it anyway answers once for both.
		if clustering && k != s.common {
			r.AskGradient(i, s.common)
		}
	}
	r.Ask()
	r.Descend(s.rate, nil)
	if clustering {
		s.accumulate(r)
		s.cluster(r)
	}
	s.watch(r, clustering)
}

// accumulate is Algorithm 2: g_{c,k̄} ← (1−β) g_{c,k̄} + β ∇f_c(θ_k̄).
//
// With β_t = 1/(⌊t/KP⌋ + 1) and the models in turn, each block is the plain
// mean of the gradients taken on its model.
func (s *cflgp) accumulate(r *fl.Round) {
	beta := 1.0
	if !s.newest {
		beta = 1 / float64(r.T/(s.env.Models*s.period)+1)
	}
	d := s.env.Size
	for i, k := range r.Label {
		n := 0
		if k != s.common {
			n = 1
		}
		block := s.gradients.Row(i)[s.common*d : (s.common+1)*d]
		for j, g := range r.Gradient(i, n) {
			block[j] = float64((1-beta)*block[j]) + float64(beta*float64(g))
		}
	}
	s.common = (s.common + 1) % s.env.Models
}

// cluster is Algorithm 3: k-means on the K leading left singular features,
// then the naming of clusters that moves the fewest clients.
func (s *cflgp) cluster(r *fl.Round) {
	s.spectral.Fit(&s.features, &s.gradients, s.env.Models)
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, 0)
	s.kmeans.Fit(&s.features, s.env.Models, &s.stream)
	copy(s.previous, r.Label)
	copy(r.Label, s.kmeans.Labels)
	s.assigner.Relabel(r.Label, s.previous, s.env.Models)
	s.clustered++
	r.News = true
}

// watch is the stop rule of appendix F.4: labels that stay the same for T/10
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
		s.frozen, r.Frozen = true, true
	}
}

// Embedding returns the gradient features of the last clustering.
func (s *cflgp) Embedding() *clusterer.Matrix {
	return &s.features
}
