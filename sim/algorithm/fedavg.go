package algorithm

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedavg",
			Title:  "FedAvg",
			Family: registry.OneModel,
			Cause: func(e *registry.Evidence) (why, short string) {
				if e.Used > 1 { // it was told the groups
					return "", ""
				}
				return cause.OneModel(e)
			},
			Doc: "One model for all clients, moved along the mean of their gradients, weighted by their samples. Clients are not compared.",
			By:  "nothing: one model for all", Sends: "an update", Counts: "samples",
			Paper:  registry.FedAvg.At("section 2, FedSGD and Algorithm 1"),
			Fields: method.Training(fieldTold),
			Steps:  fedavgSteps,
			Phases: fedavgPhases,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := fedavg{counting: method.Counts(v, method.BySamples, method.OneClient)}
			if v.Text(fieldTold.Name) == "groups" {
				return fl.Plan{Algorithm: &oracle{s}, Models: clients, Streams: true} // at most one model for each
			}
			return fl.Plan{Algorithm: &s, Models: 1, Streams: true}
		},
	})
}

// fedavg is FedAvg: with gradient averaging its FedSGD, with model averaging its Algorithm 1. Both weight client k by
// n_k/n. The "Global" baseline of CFL-GP counts every client once.
type fedavg struct {
	counting method.Counting
	weights  []float64 // weight of each client in a mean
}

func (s *fedavg) Start(env *fl.Env, label []int) {
	clear(label)
	s.weights = s.counting.Of(env.Samples)
}

func (s *fedavg) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
	}
	for i := range r.Replies() {
		r.Accumulate(i, s.weights[i])
	}
	r.ApplyMean(nil)
}
