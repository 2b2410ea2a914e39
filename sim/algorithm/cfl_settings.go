package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperCFL = registry.Citation{Authors: "Sattler, Müller, Samek", Given: "Felix, Klaus-Robert, Wojciech",
	Title: "Clustered Federated Learning: Model-Agnostic Distributed Multitask Optimization Under Privacy Constraints",
	Venue: "IEEE Transactions on Neural Networks and Learning Systems", Year: 2021, URL: "https://arxiv.org/abs/1910.01991"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "cfl",
			Title:  "CFL",
			Family: registry.HardClusters,
			Cause:  cause.Splitting,
			Doc:    "All clients train one model until its mean update is small. If the updates of single clients are still large, the cluster is split in two by the directions of the updates.",
			By:     "cosines of updates; finds K", Sends: "an update", Counts: "samples",
			Paper: paperCFL.At("Algorithms 1 to 3"),
			Fields: method.Training(
				param.Field{Name: "eps", Label: "Thresholds ε", Section: param.Models, Kind: param.Choice,
					Default: "absolute", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "absolute", Title: "norms of updates", Fields: []param.Field{
							{Name: "eps1", Label: "Mean update below ε₁", Section: param.Models, Kind: param.Float, Min: -1, Max: 1000, Low: -1, High: 2, Step: 0.001, Default: "-1",
								Tune:    &param.Space{Low: 0.02, High: 0.8, Log: true, Source: "CFL-GP's copy has 0.02, Sattler's code 0.4; HCFL, Table 1: 0.2 and 0.4"},
								PerLane: true, Advanced: true,
								Doc: "A cluster can split when the norm of its mean update is below this. −1 means a quarter of ε₂, as in Sattler's code (0.4 and 1.6), or a quarter of the longest update in the cluster where both are −1."},
							{Name: "eps2", Label: "Some update above ε₂", Section: param.Models, Kind: param.Float, Min: -1, Max: 1000, Low: -1, High: 10, Step: 0.001, Default: "-1",
								Tune:    &param.Space{Low: 0.3, High: 3, Log: true, Source: "CFL-GP's copy has 0.6, Sattler's code 1.6; HCFL, Table 1: 0.8 and 1.6"},
								PerLane: true, Advanced: true,
								Doc: "It is split if the largest norm of a client's update is above this. −1 means four times ε₁, or half of the longest update so far where both are −1."}}},
						{Name: "scaled", Title: "shares of the largest mean update so far", Fields: []param.Field{
							{Name: "rel1", Label: "Mean update below ε₁", Section: param.Models, Kind: param.Float, Min: 0, Max: 10, Low: 0.01, High: 1, Step: 0.01, Log: true, Default: "0.1",
								Tune:    &param.Space{Low: 0.03, High: 0.3, Log: true, Source: "the paper's rule of thumb: a tenth"},
								PerLane: true, Advanced: true,
								Doc: "A cluster can split when its mean update is below this share; the paper's rule of thumb is a tenth."},
							{Name: "rel2", Label: "Some update above ε₂", Section: param.Models, Kind: param.Float, Min: 0, Max: 10, Low: 0.01, High: 10, Step: 0.01, Log: true, Default: "1",
								Tune:    &param.Space{Low: 0.1, High: 1, Log: true, Source: "the paper's rule of thumb: one to ten times ε₁"},
								PerLane: true, Advanced: true,
								Doc: "It is split if the largest update of a client is above this share; the paper's rule of thumb is one to ten times ε₁."}}},
					},
					Doc: "The unit of both thresholds. Norms depend on data, model and learning rate; shares do not."},
				param.Field{Name: "warm", Label: "Warm-up", Unit: "rounds", Section: param.Models, Kind: param.Int,
					Min: 0, Max: 1000, High: 50, Default: "5", PerLane: true, Advanced: true,
					Doc: "No cluster is split in the first rounds, up to and including this one, counted from 0. CFL-GP's copy waits for 5, Sattler's code for 20."},
				param.Field{Name: "link", Label: "Linkage", Section: param.Models, Kind: param.Choice,
					Default: "complete", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "complete", Title: "complete (the code)"},
						{Name: "single", Title: "single (the paper)"}},
					Doc: "How a cluster is split. Single linkage makes the two sides as different as possible, and may separate a single outlier; complete linkage keeps the clients of each side similar."},
				param.Field{Name: "gmax", Label: "Approximation γ", Section: param.Models, Kind: param.Float, Min: 0,
					Max: 1, Step: 0.01, Default: "0", PerLane: true, Advanced: true,
					Doc: "Accept a split only if γ < √((1−α)/2), where α is the largest cosine across it; 0 accepts all, as the code does."},
				param.Field{Name: "missed", Label: "Members that miss a round", Section: param.Models,
					Kind: param.Choice, Default: "last", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "last", Title: "count with their last update"},
						{Name: "wait", Title: "keep their cluster whole"}},
					Doc: "Where not all clients take part in every round, a split is decided by the last update of each member, or only in rounds in which all members reply. In the paper and its code all clients reply."},
				method.FieldMost,
			),
			Steps:  cflSteps,
			Phases: cflPhases,
			Symbols: []registry.Symbol{
				{Sign: "c", Name: "clients of a cluster, or of one half of it", Shape: "a set", Seen: "map"},
				{Sign: "j", Name: "another client", Shape: "its number, 1 to [C]", Seen: "map"},
			},
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &cfl{counting: method.Counts(v, method.BySamples, method.OneClient), warm: v.Int("warm"),
				gamma: v.Float("gmax"), linkage: clusterer.Complete}
			if v.Text("link") == "single" {
				s.linkage = clusterer.Single
			}
			if s.scaled = v.Text("eps") == "scaled"; s.scaled {
				s.eps1, s.eps2 = v.Float("rel1"), v.Float("rel2")
			} else {
				s.eps1, s.eps2 = v.Float("eps1"), v.Float("eps2")
			}
			p := fl.Plan{Algorithm: s, Models: min(v.Int("most"), clients), Evidence: fl.GradientFeatures,
				// Newcomers answer at splits too, which keep the updates that decided them.
				Device: splitClient{}, AnswerModels: 2}
			if s.countMissing = v.Text("missed") == "last"; s.countMissing {
				p.UpdatesKept = 1
			}
			return p
		},
	})
}
