package algorithm

import (
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
			Doc:    "One model for all clients, moved along the mean of their gradients, weighted by their samples. Clients are not compared.",
			By:     "nothing: one model for all", Sends: "an update", Counts: "samples",
			Paper:  registry.FedAvg.At("section 2, FedSGD and Algorithm 1"),
			Fields: method.Training(),
			Steps:  fedavgSteps,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			return fl.Plan{Server: &fedavg{counting: method.Counts(v, method.BySamples, method.OneClient)}, Models: 1,
				Streams: true}
		},
	})
}
