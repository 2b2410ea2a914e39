package algorithm

import (
	"flockscope/sim/algorithm/internal/cause"
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
			Cause:  cause.Once("the directions of their first updates"),
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
			Phases:     flexcflPhases,
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

var flexcflPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, If: "!clusters !before", Says: "New clients get the initial model."},
	{Phase: registry.Broadcast, If: "clusters", Sends: "initial model",
		Says: "New clients get the initial model. Then each gets the model of its cluster."},
	method.SendsOfCluster,
	{Phase: registry.Probe, If: "!clusters !before", Client: goesBy, Says: firstSteps},
	{Phase: registry.Probe, If: "clusters", Client: goesBy, Says: firstSteps},
	method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, If: "clusters", Says: "New clients send their update, once: its direction is their place."},
	method.ClusteredOnce,
	{Phase: registry.Embed, Says: "New clients send their update, once. The server waits until there are enough for all models."},
	{Phase: registry.Cluster, If: "clusters before", Says: "Newcomers join the cluster with the nearest direction."},
	{Phase: registry.Cluster, If: "clusters", Says: "Clients with similar directions are joined, once."},
	method.ClustersStay, method.NotYet, method.ModelsStay, method.NewGetModels, method.NotYetMatched,
	{Phase: registry.Match, Says: "Each cluster gets a model: the mean of its clients’ after these steps."},
	{Phase: registry.Update, If: "!clusters !before", Skips: true, Says: "Not yet: too few clients have replied."},
	{Phase: registry.Update, When: "between=0", Says: "Each model moves along the mean [gradient] of its cluster."},
	{Phase: registry.Update, Says: "Each model moves along the mean [gradient] of its cluster, and takes on a little of the others."},
}

const (
	goesBy     = "moves the model by [answer.answer:pull]"
	firstSteps = "New clients train the initial model for a few steps: the direction shows how they differ."
)
