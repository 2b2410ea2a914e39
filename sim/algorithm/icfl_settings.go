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
			Name:   "icfl",
			Title:  "ICFL",
			Family: registry.HardClusters,
			Doc:    "All clients train one model at first. A cluster splits when its clients' updates point in different directions; the threshold relaxes over time. Newcomers join the cluster with the most similar updates.",
			By:     "cosines of updates; finds K", Sends: "an update", Counts: "samples",
			Paper: registry.Citation{Authors: "Yan, Tong, Wang",
				Title: "Clustered Federated Learning in Heterogeneous Environment",
				Venue: "IEEE Transactions on Neural Networks and Learning Systems", Year: 2023, URL: "https://doi.org/10.1109/TNNLS.2023.3264740"}.At("as implemented, and here corrected, in the public code of FedRC"),
			Fields: method.Training(
				param.Field{Name: "eps0", Label: "Threshold's ε₁", Section: param.Models, Kind: param.Float, Min: 2.72,
					Max: 100, Low: 3, High: 10, Step: 0.1, Default: "4", PerLane: true, Advanced: true,
					Doc: "Together with α₀ it says how the threshold on connectivity grows, 1 − (e/ε₁)^(t/ε₂): the larger, the later."},
				param.Field{Name: "alpha0", Label: "Threshold's α₀", Section: param.Models, Kind: param.Float,
					Min: 0.01, Max: 0.999, Low: 0.5, High: 0.99, Step: 0.01, Default: "0.85", PerLane: true, Advanced: true,
					Doc: "The larger, the later clusters are split, and the fewer there are; HCFL's paper compares 0.85 and 0.98."},
				param.Field{Name: "amax", Label: "Threshold at most", Section: param.Models, Kind: param.Float, Min: 0,
					Max: 1, Step: 0.01, Default: "0.5", PerLane: true, Advanced: true,
					Doc: "A bound on the threshold, which would grow until every cluster has fallen apart; 1 for none. Two groups that pull at right angles have a connectivity of one half."},
				method.FieldMost,
			),
		},
		Make: func(v param.Values, clients int) fl.Plan {
			clusters := min(v.Int("most"), clients)
			s := &icfl{counting: method.Counts(v, method.BySamples, method.ManySamples), epsilon: v.Float("eps0"),
				alpha: v.Float("alpha0"), maxThreshold: v.Float("amax")}
			return fl.Plan{Algorithm: s, Models: clusters + 1, Evidence: fl.GradientFeatures, UpdatesKept: 1}
		},
	})
}
