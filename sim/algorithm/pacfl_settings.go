package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperPACFL = registry.Citation{Authors: "Vahidian, Morafah, Wang, Kungurtsev, Chen, Shah, Lin",
	Given: "Saeed, Mahdi, Weijia, Vyacheslav, Chen, Mubarak, Bill",
	Title: "Efficient Distribution Similarity Identification in Clustered Federated Learning via Principal Angles Between Client Data Subspaces",
	Venue: "AAAI", Year: 2023, URL: "https://arxiv.org/abs/2209.10526"}

// fieldMerge is for methods that merge clients by their distances.
var fieldMerge = param.Field{Name: "merge", Label: "Linkage", Section: param.Models, Kind: param.Choice,
	Default: "average", PerLane: true, Advanced: true,
	Options: []param.Option{{Name: "average", Title: "the mean of the halves"},
		{Name: "max", Title: "the farthest members"}, {Name: "min", Title: "the nearest members"}},
	Doc: "The distance of a merged cluster to another one. The mean does not weigh the halves by their clients (WPGMA)."}

// linkageOf reads fieldMerge.
func linkageOf(v param.Values) clusterer.Linkage {
	return map[string]clusterer.Linkage{"average": clusterer.Weighted, "max": clusterer.Complete,
		"min": clusterer.Single}[v.Text("merge")]
}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "pacfl",
			Title:  "PACFL",
			Family: registry.HardClusters,
			Cause:  cause.Once("the directions along which their samples spread"),
			Doc:    "Before training every client sends a few directions along which its samples spread; the server merges clients whose directions are close, once, and trains one model per cluster.",
			By:     "angles between spaces of samples, once; finds K", Sends: "at first some directions of its samples; an update", Counts: "samples",
			Near:  "samples",
			Paper: paperPACFL.At("Algorithm 1"),
			Fields: method.Training(
				param.Field{Name: "cut", Label: "Angle β", Unit: "°", Section: param.Models, Kind: param.Float, Min: -1,
					Max: 90, Low: -1, High: 90, Step: 0.5, Default: "-1",
					Tune:    &param.Space{Low: 3.5, High: 42, Log: true, Source: "the released code: 3.5 to 42 for different data"},
					PerLane: true,
					Doc:     "Clusters closer than this are merged. −1 finds the threshold from the clients' angles (Otsu's rule). A small angle leaves every client alone, a large one merges all; the code has 3.5 to 42 for different data."},
				param.Field{Name: "p", Label: "Directions p", Section: param.Models, Kind: param.Int, Min: 1, Max: 20,
					Low: 1, High: 10, Default: "3", PerLane: true, Advanced: true,
					Doc: "How many singular vectors a client sends, of each class or of all its samples."},
				param.Field{Name: "basis", Label: "Directions of", Section: param.Models, Kind: param.Choice,
					Default: "class", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "class", Title: "each class separately"},
						{Name: "all", Title: "all samples together"}},
					Doc: "The code decomposes the samples of each class; where there are no classes, or for its mixture of four data sets, all at once."},
				param.Field{Name: "angle", Label: "Distance", Section: param.Models, Kind: param.Choice,
					Default: "entry", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "entry", Title: "least angle between two vectors (the code)"},
						{Name: "principal", Title: "least principal angle"}},
					Doc: "What is compared with β: the nearest two of the vectors that were sent, or the nearest two directions in the spaces they span."},
				fieldMerge,
				method.FieldMost,
			),
			Steps:  pacflSteps,
			Phases: pacflPhases,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &pacfl{counting: method.Counts(v, method.BySamples, method.ManySamples), cut: v.Float("cut"),
				principal: v.Text("angle") == "principal"}
			s.tree.Linkage = linkageOf(v)
			return fl.Plan{Algorithm: s, Models: min(v.Int("most"), clients), Evidence: fl.GradientFeatures,
				Device: subspaceReporter{directions: v.Int("p"), pooled: v.Text("basis") == "all"}, AnswerModels: 2}
		},
	})
}

var pacflSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "once: each client sends the directions along which its samples spread",
		Says: "Client [client:client] sends the server the main directions along which its own samples spread, once.", Sends: "directions of its samples"},
}

var pacflPhases = []*registry.PhaseText{method.SendsOfCluster,
	{Phase: registry.Probe, If: "clusters", Says: "New clients compute the main directions along which their own samples spread."},
	method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, If: "clusters",
		Says: "New clients send these directions, once. The server computes the angles between all clients."},
	method.ClusteredOnce,
	{Phase: registry.Cluster, If: "clusters", Says: "Clients are merged while the angle between their directions is small."},
	method.ClustersStay, method.ModelsStay,
	{Phase: registry.Match, If: "clusters before", Says: "Each cluster gets a model, so that as few clients as possible change theirs."},
	method.CopyEach,
	method.MeanOfCluster,
}
