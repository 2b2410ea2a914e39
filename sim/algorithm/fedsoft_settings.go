package algorithm

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperFedSoft = registry.Citation{Authors: "Ruan, Joe-Wong", Given: "Yichen, Carlee",
	Title: "FedSoft: Soft Clustered Federated Learning with Proximal Local Updating",
	Venue: "AAAI", Year: 2022, URL: "https://arxiv.org/abs/2112.06053"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedsoft",
			Title:  "FedSoft",
			Family: registry.SoftClusters,
			Cause:  cause.Soft,
			Doc:    "Every client trains one model of its own, pulled towards each of K centres by how well that centre explains its samples; a centre is a mean of these models.",
			By:     "how many samples each of K models explains best; soft", Sends: "K shares in some rounds; its own model", Counts: "samples × weight of the model",
			Paper: paperFedSoft.At("Algorithms 1 and 2"),
			Fields: method.Without(method.Training(method.FieldK, method.FieldProbe,
				param.Field{Name: "pull", Label: "Proximal weight λ", Section: param.Models, Kind: param.Float,
					Min: 0, Max: 100,
					Low: 0.001, High: 10, Log: true, Default: "0.1",
					Tune:    &param.Space{Low: 0.01, High: 1, Log: true, Source: "a decade on either side of the default"},
					PerLane: true,
					Doc:     "How strongly a client's model is pulled towards the centres. With 0 every client trains alone."},
				param.Field{Name: "est", Label: "Estimate every", Section: param.Models, Kind: param.Int, Min: 1,
					Max: 1000, High: 20, Low: 1, Default: "2", PerLane: true, Advanced: true,
					Doc: "Rounds between two comparisons of all centres. In between, a client receives one model: the mean of the centres, by its weights."},
				param.Field{Name: "draws", Label: "Clients per centre", Section: param.Models, Kind: param.Int, Min: 0,
					Max: 2000, High: 30, Default: "0", PerLane: true, Advanced: true,
					Doc: "The number of clients that each centre draws per round, by their weights for it; 0 means all, each counting by its weight."},
			), "keep"),
			Steps:  fedsoftSteps,
			Phases: fedsoftPhases,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			k := v.Int("K")
			s := &fedsoft{counting: method.Counts(v, method.ByWeight, method.ManySamples), period: v.Int("est"),
				chosen: v.Int("draws")}
			p := fl.Plan{Algorithm: s, Models: k, Device: newProximal(k, v.Float("pull")), ClientModels: 1}
			if s.period > 1 {
				p.ModelsKept = 1 // the last answer of each client
			}
			return p
		},
	})
}

var fedsoftSteps = []registry.Step{
	{Name: "shares", Phase: registry.Probe, Code: "in some rounds: clients send the share of their samples that each model explains best",
		Says: "Client [client:client] sends the server the share of its samples that each model explains best: [shares:models].", Sends: "shares of samples"},
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "clients train a model of their own, pulled towards the models by these shares, and send it",
		Says: "Client [client:client] trains a model of its own, pulled towards the server’s models, and sends it to the server.", Sends: "trained model"},
	{Name: fl.StepExtra, Phase: registry.Broadcast, Code: "send each client a mean of the models, by its shares",
		Says: "The server sends client [client:client] one model: the mean of all, weighted by the shares of its samples.", Sends: "mean of the models"},
}

var fedsoftPhases = []*registry.PhaseText{method.SendsSingle,
	{Phase: registry.Broadcast, If: "clusters !due", Says: "Newcomers get all models, the others one: the mean of all, by their shares."},
	{Phase: registry.Broadcast, When: "draws=0", If: "!clusters", Says: "[each] gets one model: the mean of all, by its shares."},
	{Phase: registry.Broadcast, If: "!clusters", Says: "Clients that a model has drawn get the mean of all, by their shares."},
	method.SendsAllModels,
	{Phase: registry.Probe, If: "clusters !due", Client: ownShares,
		Says: "Newcomers count for how many of their samples each model is best. Then clients train models of their own."},
	{Phase: registry.Probe, When: "draws=0", If: "clusters", Client: ownShares,
		Says: "[each] counts for how many of its samples each model is best, and trains a model of its own."},
	{Phase: registry.Probe, If: "clusters", Client: ownShares,
		Says: "[each] counts for how many of its samples each model is best. Those that are drawn train a model."},
	{Phase: registry.Probe, When: "draws=0", Client: "its own model: [answer.answer]",
		Says: "[each] trains a model of its own, pulled towards the mean that it got."},
	{Phase: registry.Probe, Client: "its own model: [answer.answer]",
		Says: "Clients that a model has drawn train one of their own, pulled towards the mean that they got."},
	{Phase: registry.Embed, If: "clusters !due", Carries: "shares",
		Says: "Newcomers send the share of their samples for which each model is best."},
	{Phase: registry.Embed, If: "clusters", Carries: "shares", Says: "Each client sends the share of its samples for which each model is best."},
	{Phase: registry.Embed, Skips: true, Says: "Not in this round: shares are counted every [est:setting] rounds."},
	{Phase: registry.Cluster, If: "clusters !due", Client: "shares [shares.shares:models]",
		Says: "These shares are the newcomers’ weights for the models. Other weights stay as they are."},
	{Phase: registry.Cluster, If: "clusters", Client: "shares [shares.shares:models]",
		Says: "These shares are the client’s weights for the models. No model is its own."},
	{Phase: registry.Cluster, Skips: true, Says: "Not in this round: the weights stay as they are."},
	method.WeightsMatch,
	{Phase: registry.Update, When: "draws=0", Carries: "answer", Says: "Each model becomes the mean of the clients’ own models, by their weights for it."},
	{Phase: registry.Update, Carries: "answer", Says: "Each model becomes the mean of the own models of clients that it drew by their weights."},
}

const ownShares = "shares of its samples: [shares.shares:models]"
