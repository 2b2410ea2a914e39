package algorithm

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "clove",
			Title:  "CLoVE",
			Family: registry.HardClusters,
			Cause:  cause.LossVectors,
			Doc:    "Every client reports its losses on all K models; the server clusters these vectors and gives each cluster a model of its own.",
			By:     "losses on K models; K given or found", Sends: "K losses; an update", Counts: "samples",
			Paper: registry.CLoVE.At("Algorithm 1"),
			Fields: method.AllSamples(method.Training(method.FieldK, method.FieldProbe,
				param.Field{Name: "sqrt", Label: "Square roots", Section: param.Models, Kind: param.Switch,
					Default: "0", PerLane: true, Advanced: true,
					Doc: "Cluster the square roots of the losses (SLV), as the paper's theory does."},
				param.Field{Name: "bestk", Label: "Number of clusters", Section: param.Models, Kind: param.Choice,
					Default: "given", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "given", Title: "K, as given"},
						{Name: "silhouette", Title: "found in every round", Doc: "Algorithm 2 of the later version: the number with the best silhouette.", Fields: []param.Field{method.FieldMost,
							{Name: "margin", Label: "Minimum gain for a larger K", Section: param.Models, Kind: param.Float, Min: 0, Max: 1, High: 0.3, Step: 0.05, Default: "0", PerLane: true, Advanced: true,
								Doc: "By how much, relative to the best silhouette so far, a larger number must beat it. The paper asks for any gain, its code for 0.1."},
							{Name: "copies", Label: "Copies of each client", Section: param.Models, Kind: param.Int, Min: 1, Max: 10, Low: 1, High: 5, Default: "1", PerLane: true, Advanced: true,
								Doc: "How often a silhouette counts each client in rounds with at most as many participants as models. With copies a client alone in its cluster scores 1; by definition it scores 0, which speaks against clusters of one. The paper's code has 5."}}}},
					Doc: "Whether K is given or found by the server."},
				grouping.FieldParts,
				param.Field{Name: "match", Label: "Matching", Section: param.Models, Kind: param.Switch, Default: "1",
					PerLane: true, Advanced: true,
					Doc: "Give each cluster the model on which it loses least. Without it the cluster of the first client gets the first model, and so on (ablation)."},
				param.Field{Name: "first", Label: "First round", Section: param.Models, Kind: param.Choice,
					Default: "losses", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "losses", Title: "by losses, as every round"},
						{Name: "random", Title: "clusters at random"}},
					Doc: "The paper's supervised experiments begin with random clusters, so that models differ before they are compared."},
				param.Field{Name: "grad", Label: "Gradients of", Section: param.Models, Kind: param.Choice,
					Default: "batch", PerLane: true, Advanced: true, FiniteOnly: true,
					Options: []param.Option{{Name: "batch", Title: "the minibatch"},
						{Name: "all", Title: "all training samples"}},
					Doc: "With gradient averaging (Option II) Algorithm 1 has clients send a stochastic gradient; the released code takes that of all local data at once. No effect where clients draw fresh samples in every round."},
				method.FieldStart,
				fieldSettle,
			)),
			Steps:  cloveSteps,
			Phases: clovePhases,
			Symbols: []registry.Symbol{
				{Sign: "c", Name: "model of a client", Shape: "its number; on the page its colour and letter", Seen: "map"},
			},
			Stochastic: true,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &clove{counting: method.Counts(v, method.BySamples, method.ManySamples), sqrt: v.Switch("sqrt"),
				parts: grouping.NewParts(v),
				match: v.Switch("match"), random: v.Text("first") == "random", sameStart: v.Text("start") == "same"}
			p := fl.Plan{Algorithm: s, Models: v.Int("K"), Evidence: fl.LossVectors, Streams: true,
				Protocol: fl.Protocol{Whole: v.Text("grad") == "all"}}
			if s.search = v.Text("bestk") == "silhouette"; s.search {
				s.choice.Margin, s.choice.Copies = v.Float("margin"), v.Int("copies")
				p.Models = min(v.Int("most"), clients)
			}
			if v.Text("settle") == "stable" {
				s.earlyStop = &earlyStop{patience: v.Int("calm"), share: v.Float("agree")}
				p.Device = lossReporter{}
			}
			return p
		},
	})
}
