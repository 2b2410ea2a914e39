package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "ifca",
			Title:  "IFCA",
			Family: registry.HardClusters,
			Cause:  cause.LeastLoss,
			Doc:    "Every client evaluates all K models on its probe sample and trains the one with the least loss.",
			By:     "the least loss among K models", Sends: "an update of the model it picked", Counts: "clients",
			Paper: registry.IFCA.At("Algorithm 1"),
			Fields: method.AllSamples(method.Training(method.FieldK, method.FieldProbe,
				param.Field{Name: "divide", Label: "Mean over", Section: param.Models, Kind: param.Choice,
					Default: "cluster", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "cluster", Title: "the clients of the model"},
						{Name: "all", Title: "all clients (the paper's Option I)"}},
					Doc: "The paper divides a model's gradient sum by the number of all clients; others divide by those that picked it, so that small clusters learn as fast."},
				param.Field{Name: "choose", Label: "Clients pick by", Section: param.Models, Kind: param.Choice,
					Default: "loss", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "loss", Title: "the least loss on the probe sample"},
						{Name: "accuracy", Title: "the highest accuracy on the minibatch"}},
					Doc: "How a client picks its model. The paper compares losses. CFL-GP's authors ran IFCA by accuracy on one minibatch, the first model on ties (their released code): at first no model knows anything, ties are common, and groups share a model for long (CFL-GP, Table 3). Where nothing is classified it is the least loss on the minibatch."},
			)),
			Steps:  ifcaSteps,
			Phases: ifcaPhases,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			s := &ifca{byAll: v.Text("divide") == "all", counting: method.Counts(v, method.ByClients, method.OneClient)}
			return fl.Plan{Algorithm: s, Models: v.Int("K"), Evidence: fl.LeastLoss, Streams: true,
				Protocol: fl.Protocol{Right: v.Text("choose") == "accuracy"}}
		},
	})
}

// ifca is Algorithm 1: Option I with gradient averaging, Option II with model
// averaging. Clients keep their losses to themselves and send only the choice and
// the update. Both options of the paper count every client once; its code for FEMNIST
// counts samples.
type ifca struct {
	byAll    bool
	counting method.Counting
	weights  []float64 // weight of each client in a mean
	// losses are the losses by which the clients chose. The server never sees them; they are kept for the map.
	losses clusterer.Matrix
}

func (s *ifca) Start(env *fl.Env, label []int) {
	clear(label)
	s.weights = s.counting.Of(env.Samples)
	s.losses.Reshape(env.Clients, env.Models)
}

func (s *ifca) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskBestUpdate(i)
	}
	all := 0.0 // total weight of the clients that reply
	for i := range r.Replies() {
		r.Label[i] = r.Picked(i)
		r.Accumulate(i, s.weights[i])
		copy(s.losses.Row(i), r.Losses(i))
		all += s.weights[i]
	}
	r.Reclustered = true
	if s.byAll {
		r.ApplySum(all)
	} else {
		r.ApplyMean(nil)
	}
}

// Embedding returns the clients' losses.
func (s *ifca) Embedding() *clusterer.Matrix {
	return &s.losses
}
