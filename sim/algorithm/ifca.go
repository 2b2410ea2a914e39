package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "ifca",
			Title: "IFCA",
			Doc:   "Every client tries all K models on its probe sample and trains the one with the least loss.",
			By:    "the least loss among K models", Sends: "an update of the model it picked",
			Paper: registry.IFCA.At("Algorithm 1"),
			Fields: training(fieldK, FieldProbe,
				param.Field{Name: "divide", Label: "Mean over", Section: param.Models, Kind: param.Choice, Default: "cluster", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "cluster", Title: "the clients of the model"}, {Name: "all", Title: "all clients (the paper's Option I)"}},
					Doc:     "The paper divides a model's gradient sum by the number of all clients; others divide by those that picked it, so that small clusters learn as fast."},
			),
		},
		Make: func(v param.Values, _ int) fl.Plan {
			return fl.Plan{Server: &ifca{byAll: v.Text("divide") == "all"}, Models: v.Int("K"), Evidence: fl.LeastLoss}
		},
	})
}

// ifca is Algorithm 1: Option I with gradient averaging, Option II with model
// averaging. Clients keep their losses to themselves and send only the choice and
// the update.
type ifca struct {
	byAll bool
	// losses are what the clients decided by. The server never sees them;
	// they are kept for the map.
	losses clusterer.Matrix
}

func (s *ifca) Start(env *fl.Env, label []int) {
	clear(label)
	s.losses.Reshape(env.Clients, env.Models)
}

func (s *ifca) Round(r *fl.Round) {
	for _, i := range r.Here {
		r.AskBest(i)
	}
	r.Ask()
	for _, i := range r.Answered {
		r.Label[i] = r.Best(i)
		copy(s.losses.Row(i), r.Losses(i))
	}
	r.News = true
	if s.byAll {
		r.DescendBy(float64(len(r.Answered)))
	} else {
		r.Descend(nil)
	}
}

// Embedding returns the clients' losses.
func (s *ifca) Embedding() *clusterer.Matrix {
	return &s.losses
}
