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
			Fields: training(fieldK,
				param.Field{Name: "P", Label: "Clustering period P", Section: param.Models, Kind: param.Int, Min: 2, Max: 100, High: 20, Low: 2, Default: "2", PerLane: true, Advanced: true,
					Doc: "The server clusters in every P-th round. With P = 1 the paper's rule t mod P = 1 never holds."},
				param.Field{Name: "beta", Label: "Memory β", Section: param.Models, Kind: param.Choice, Default: "mean", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "mean", Title: "average of all gradients"}, {Name: "1", Title: "newest gradient only"}},
					Doc:     "Keep the average of all gradients so far, or only the newest (β = 1, the paper's ablation)."},
				param.Field{Name: "cr", Label: "Compression", Section: param.Models, Kind: param.Int, Min: 1, Max: 100000, Low: 1, High: 10000, Log: true, Default: "1", PerLane: true, Advanced: true,
					Doc: "Compare gradients at one in so many parameters, drawn at random once (appendix E.1). Less to send and to keep; training is not touched."},
				param.Field{Name: "stop", Label: "Stop rule", Section: param.Models, Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
					Doc: "Stop clustering when no client was moved for T/10 rounds. It saves traffic and can freeze a mistake."},
			),
		},
		Make: func(v param.Values, _ int) fl.Plan {
			s := &cflgp{compression: v.Int("cr"), period: v.Int("P"), newest: v.Text("beta") == "1"}
			if v.Switch("stop") {
				s.patience = max(v.Int("T")/10, s.period)
			}
			return fl.Plan{Server: s, Models: v.Int("K"), Evidence: fl.GradientFeatures, Blocks: v.Int("K"), Compression: s.compression}
		},
	})
}

// cflgp is Algorithms 1 to 3 of the paper: model update, gradient features of
// a common model taken in turn, clustering.
type cflgp struct {
	period      int  // P
	newest      bool // β_t = 1
	patience    int  // rounds without a move until clustering stops; 0 for never
	compression int  // one in so many parameters is compared

	env       *fl.Env
	gradients *memory
	features  clusterer.Matrix // Rᵀ: clients × K
	heard     clusterer.Matrix // the rows of clients that have been heard, while some have not
	kmeans    clusterer.KMeans
	assigner  clusterer.Assigner
	stream    rng.Stream
	previous  []int
	known     []bool // clients that have been heard
	taken     []int  // K × C: gradients in each block
	found     []int  // labels of the clients that have been heard, new and old
	before    []int
	part      []float32 // of an update: its coordinates

	common    int // k̄: the model whose gradients are taken next
	clustered int // number of clusterings so far
	unchanged int // rounds since a client was last moved
	frozen    bool
}

func (s *cflgp) Start(env *fl.Env, label []int) {
	s.env = env
	if s.compression > 1 {
		env.Exchange.Coordinates = coordinates(env, max(1, env.Size/s.compression))
	}
	s.gradients = newMemory(env.Clients, env.Models, env.Exchange.Width())
	s.part = make([]float32, env.Exchange.Width())
	s.features.Reshape(env.Clients, env.Models)
	s.previous, s.found, s.before = make([]int, env.Clients), make([]int, env.Clients), make([]int, env.Clients)
	s.known, s.taken = make([]bool, env.Clients), make([]int, env.Clients*env.Models)
	// The paper takes the first clusters as given; a random start shows
	// that they do not matter.
	for i := range label {
		s.stream.Reset(env.Seed, rng.Labels, i, 0)
		label[i] = s.stream.IntN(env.Models)
	}
}

func (s *cflgp) Round(r *fl.Round) {
	clustering := !s.frozen && r.T%s.period == 1
	for _, i := range r.Here {
		r.AskUpdate(i, r.Label[i])
		// Algorithm 2 broadcasts the common model as it stands before
		// this round's update, and clients use the same minibatch: a
		// client that trains it anyway answers once for both.
		if clustering && r.Label[i] != s.common {
			r.AskFeature(i, s.common)
		}
	}
	r.Ask()
	r.Descend(nil)
	if clustering {
		s.accumulate(r)
		s.cluster(r)
	}
	s.watch(r, clustering)
}

// accumulate is Algorithm 2: g_{c,k̄} ← (1−β) g_{c,k̄} + β ∇f_c(θ_k̄).
//
// With β_t = 1/(⌊t/KP⌋ + 1) and the models in turn, each block is the plain
// mean of the gradients taken on its model. Counting them for each client and
// model says the same, and also holds where clients miss rounds, which the paper
// does not speak of.
func (s *cflgp) accumulate(r *fl.Round) {
	for _, i := range r.Answered {
		taken := &s.taken[s.common*s.env.Clients+i]
		*taken++
		beta := 1.0
		if !s.newest {
			beta = 1 / float64(*taken)
		}
		part := s.part
		if r.Label[i] == s.common {
			r.Exchange.Pick(part, r.Update(i, 0))
		} else {
			part = r.Feature(i)
		}
		s.gradients.mix(i, s.common, beta, part)
		s.known[i] = true
	}
	s.gradients.mixed(s.common)
	s.common = (s.common + 1) % s.env.Models
}

// cluster is Algorithm 3: k-means on the K leading left singular features of the
// clients that have been heard, then the naming of clusters that moves the fewest
// of them.
func (s *cflgp) cluster(r *fl.Round) {
	s.gradients.features(&s.features, s.env.Models)
	points := &s.features
	if slices.Contains(s.known, false) {
		points = &s.heard
		points.Reshape(s.env.Clients, s.env.Models)
		n := 0
		for i, known := range s.known {
			if known {
				copy(points.Row(n), s.features.Row(i))
				n++
			}
		}
		if n == 0 {
			return
		}
		points.Reshape(n, s.env.Models)
	}
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, 0)
	s.kmeans.Fit(points, min(s.env.Models, points.Rows), &s.stream)
	copy(s.previous, r.Label)
	n := 0
	for i, known := range s.known {
		if known {
			s.found[n], s.before[n] = s.kmeans.Labels[n], s.previous[i]
			n++
		}
	}
	s.assigner.Relabel(s.found[:n], s.before[:n], s.env.Models)
	n = 0
	for i, known := range s.known {
		if known {
			r.Label[i] = s.found[n]
			n++
		}
	}
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
