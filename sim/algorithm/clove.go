package algorithm

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "clove",
			Title: "CLoVE",
			Doc:   "Every client reports its losses on all K models; the server clusters these vectors and gives each cluster a model of its own.",
			Paper: registry.CLoVE.At("Algorithm 1"),
			Fields: training(fieldK, FieldProbe,
				param.Field{Name: "sqrt", Label: "Square roots", Section: param.Models, Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
					Doc: "Cluster the square roots of the losses (SLV), as the paper's theory does."},
			),
		},
		Make: func(v param.Values, _ int) fl.Plan {
			return fl.Plan{Server: &clove{sqrt: v.Switch("sqrt")}, Models: v.Int("K"), Evidence: fl.LossVectors}
		},
	})
}

// clove is Algorithm 1 with known K, over whoever takes part, and averaging
// weighted by the clients' numbers of samples: of models (Option I) or of
// gradients (Option II).
type clove struct {
	sqrt bool

	env      *fl.Env
	losses   clusterer.Matrix // clients × K, square roots if wanted
	heard    clusterer.Matrix // the rows of those who answered, where some did not
	kmeans   clusterer.KMeans
	assigner clusterer.Assigner
	cost     clusterer.Matrix // found clusters × K: summed losses of the cluster on the model
	modelOf  []int            // of each found cluster
	stream   rng.Stream
}

func (s *clove) Start(env *fl.Env, label []int) {
	s.env = env
	clear(label)
	s.losses.Reshape(env.Clients, env.Models)
	s.cost.Reshape(env.Models, env.Models)
	s.modelOf = make([]int, env.Models)
}

func (s *clove) Round(r *fl.Round) {
	for _, i := range r.Here {
		r.AskLosses(i)
	}
	r.Ask()
	for _, i := range r.Answered {
		row := s.losses.Row(i)
		copy(row, r.Losses(i))
		if s.sqrt {
			for k, l := range row {
				row[k] = math.Sqrt(l)
			}
		}
	}
	if len(r.Answered) > 0 {
		s.cluster(r)
	}
	for _, i := range r.Answered {
		r.AskUpdate(i, r.Label[i])
	}
	r.Ask()
	r.Descend(s.env.Samples)
}

// cluster groups the clients that answered, into no more clusters than there are
// clients, and gives each found cluster the model that costs its members least in
// total, and no model twice: a min-cost matching.
func (s *clove) cluster(r *fl.Round) {
	points := &s.losses
	if len(r.Answered) < s.env.Clients {
		points = &s.heard
		points.Reshape(len(r.Answered), s.env.Models)
		for n, i := range r.Answered {
			copy(points.Row(n), s.losses.Row(i))
		}
	}
	clusters := min(s.env.Models, points.Rows)
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, 0)
	s.kmeans.Fit(points, clusters, &s.stream)
	r.News = true

	s.cost.Reshape(clusters, s.env.Models)
	clear(s.cost.Data)
	for n, g := range s.kmeans.Labels {
		row := s.cost.Row(g)
		for k, l := range points.Row(n) {
			row[k] += l
		}
	}
	s.assigner.Assign(s.modelOf[:clusters], &s.cost)
	for n, i := range r.Answered {
		r.Label[i] = s.modelOf[s.kmeans.Labels[n]]
	}
}

// Embedding returns the loss vectors, as they were clustered.
func (s *clove) Embedding() *clusterer.Matrix {
	return &s.losses
}
