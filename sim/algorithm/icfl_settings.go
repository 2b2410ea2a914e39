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
			Name:   "icfl",
			Title:  "ICFL",
			Family: registry.HardClusters,
			Cause:  cause.Splitting,
			Doc:    "All clients train one model at first. A cluster splits when its clients' updates point in different directions; they must agree more and more over time. Newcomers join the cluster with the most similar updates.",
			By:     "cosines of updates; finds K", Sends: "an update", Counts: "samples",
			Paper: registry.Citation{Authors: "Yan, Tong, Wang", Given: "Yihan, Xiaojun, Shen",
				Title: "Clustered Federated Learning in Heterogeneous Environment",
				Venue: "IEEE Transactions on Neural Networks and Learning Systems", Year: 2023, URL: "https://doi.org/10.1109/TNNLS.2023.3264740"}.At("as implemented, and here corrected, in the public code of FedRC"),
			Fields: method.Training(
				param.Field{Name: "eps0", Label: "Threshold parameter ε₁", Section: param.Models, Kind: param.Float,
					Min: 2.72,
					Max: 100, Low: 3, High: 10, Step: 0.1, Default: "4", PerLane: true, Advanced: true,
					Doc: "With α₀ it sets how the threshold on connectivity grows, 1 − (e/ε₁)^(t/ε₂): the larger ε₁, the later clusters split."},
				param.Field{Name: "alpha0", Label: "Threshold parameter α₀", Section: param.Models, Kind: param.Float,
					Min: 0.01, Max: 0.999, Low: 0.5, High: 0.99, Step: 0.01, Default: "0.85",
					Tune:    &param.Space{Low: 0.8, High: 0.99, Source: "HCFL, Table 1: 0.85 and 0.98"},
					PerLane: true, Advanced: true,
					Doc: "The larger α₀, the later clusters split, and the fewer there are; HCFL's paper compares 0.85 and 0.98."},
				param.Field{Name: "amax", Label: "Maximum threshold", Section: param.Models, Kind: param.Float, Min: 0,
					Max: 1, Step: 0.01, Default: "0.5", PerLane: true, Advanced: true,
					Doc: "An upper bound of the threshold, which would otherwise grow until every cluster has split; 1 means none. Two groups with orthogonal updates have a connectivity of one half."},
				method.FieldMost,
			),
			Steps:  icflSteps,
			Phases: icflPhases,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			clusters := min(v.Int("most"), clients)
			s := &icfl{counting: method.Counts(v, method.BySamples, method.ManySamples), epsilon: v.Float("eps0"),
				alpha: v.Float("alpha0"), maxThreshold: v.Float("amax")}
			return fl.Plan{Algorithm: s, Models: clusters + 1, Evidence: fl.GradientFeatures, UpdatesKept: 1}
		},
	})
}

var icflPhases = []*registry.PhaseText{method.SendsOfCluster, method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, Carries: "train", Client: "cosines with clients, in their order: [cosines.cosines]",
		Says: "The server compares the directions of all newest [gradients], pair by pair."},
	{Phase: registry.Cluster, If: "grew", Says: "A cluster whose [gradients] point in too different directions is split in two."},
	{Phase: registry.Cluster, If: "moved", Says: "Newcomers join the cluster whose mean [gradient] is nearest in direction."},
	{Phase: registry.Cluster, Skips: true, Says: "No cluster splits: its [gradients] would have to point in more different directions."},
	{Phase: registry.Match, If: "grew", Says: "Both halves go on with copies of the model."},
	{Phase: registry.Match, If: "moved", Says: "Newcomers get the model of the cluster that they join."},
	{Phase: registry.Match, Skips: true, Says: "Nothing to match: every client keeps its model."},
	method.MeanOfCluster,
}

var icflSteps = []registry.Step{
	{Name: "cosines", Phase: registry.Embed, Code: "compare the directions of all newest updates",
		Says:    "The server compares the directions of updates. Cosines of client [client:client] with the others, one after the other: 1 is the same direction, −1 the opposite.",
		Formula: "cos(u_i, u_j)", Numbers: "cos_{[client:client]} = [cosines]"},
}
