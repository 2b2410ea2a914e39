package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperFlexCFL = registry.Citation{Authors: "Duan, Liu, Ji, Wu, Liang, Chen, Tan, Ren",
	Given: "Moming, Duo, Xinyuan, Yu, Liang, Xianzhang, Yujuan, Ao",
	Title: "Flexible Clustered Federated Learning for Client-Level Data Distribution Shift",
	Venue: "IEEE Transactions on Parallel and Distributed Systems", Year: 2022, URL: "https://arxiv.org/abs/2108.09749"}

// fieldPreSteps is for methods that compare models that clients have trained from one start model.
var fieldPreSteps = param.Field{Name: "pre", Label: "Steps before clustering", Unit: "minibatches",
	Section: param.Models,
	Kind:    param.Int, Min: 1, Max: 1000, Low: 1, High: 100, Default: "50", PerLane: true, Advanced: true,
	Doc: "Steps of plain gradient descent that a client takes from the start model, before the server compares clients."}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "flexcfl",
			Title:  "FlexCFL",
			Family: registry.HardClusters,
			Doc:    "Before training, clients take some steps from a common start; the directions of these steps decide, once, which clients belong together. Then every cluster trains its model. Also known as FedGroup.",
			By:     "first directions of training, once; K given", Sends: "one update from a common initial model, then one update per round", Counts: "samples",
			Paper: paperFlexCFL.At("Algorithms 1 and 2"),
			Fields: method.Training(method.FieldK,
				fieldPreSteps,
				param.Field{Name: "directions", Label: "Similarity measure", Section: param.Models, Kind: param.Choice,
					Default: "edc", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "edc", Title: "cosines with K main directions (EDC)"},
						{Name: "madc", Title: "cosines with all others (MADC)"}},
					Doc: "How directions are compared: by their cosines with the leading singular vectors of all, clustered by k-means; or by how much their cosines with all other clients differ, merged by complete linkage."},
				param.Field{Name: "between", Label: "Between clusters η", Section: param.Models, Kind: param.Float,
					Min: 0, Max: 10, High: 1, Step: 0.05, Default: "0", PerLane: true, Advanced: true,
					Doc: "How much of the other clusters' models, at unit length, each model takes on after every round; 0 for none."},
			),
			Stochastic: true,
			Steps:      flexcflSteps,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			return fl.Plan{Algorithm: &flexcfl{counting: method.Counts(v, method.BySamples, method.ManySamples),
				pairwise: v.Text("directions") == "madc", between: v.Float("between")}, Models: v.Int("K"),
				Evidence: fl.GradientFeatures, Device: directionReporter{v.Int("pre")}, AnswerModels: 2}
		},
	})
}

var flexcflSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "once: each client trains the initial model for a few steps, and sends the update",
		Says: "Client [client:client] trains the initial model for a few steps and sends the server the update, once, to be compared by its direction.", Sends: "update"},
	{Name: fl.StepExtra, Phase: registry.Broadcast, Code: "send each client the initial model",
		Says: "The server sends client [client:client] the initial model, which is the same for all.", Sends: "initial model"},
}
