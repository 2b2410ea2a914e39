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
			Name:   "fedala",
			Title:  "FedALA",
			Family: registry.PersonalModels,
			Cause:  cause.Personal("All clients train one model, and each mixes it with its own."),
			Doc:    "All clients train one model, but each client learns, for every parameter of the last layer, how much of the common model to use before it trains.",
			By:     "nothing: one model for all, mixed by each", Sends: "its trained model", Counts: "samples",
			Unclustered: true,
			Paper: registry.Citation{Authors: "Zhang, Hua, Wang, Song, Xue, Ma, Guan",
				Given: "Jianqing, Yang, Hao, Tao, Zhengui, Ruhui, Haibing",
				Title: "FedALA: Adaptive Local Aggregation for Personalized Federated Learning",
				Venue: "AAAI", Year: 2023, URL: "https://arxiv.org/abs/2212.01197"}.At("Algorithm 1, and the released code"),
			Fields: method.Without(method.Training(
				param.Field{Name: "alarate", Label: "Learning rate of weights η", Section: param.Models,
					Kind: param.Float, Min: 0,
					Max: 100, High: 5, Step: 0.1, Default: "1",
					Tune:    &param.Space{Low: 0.1, High: 10, Log: true, Source: "a decade on either side of the default"},
					PerLane: true, Advanced: true,
					Doc: "Learning rate of the mixing weights; with 0 a client takes the common model as it is."},
				param.Field{Name: "alashare", Label: "Samples for weights", Section: param.Models,
					Kind: param.Float, Min: 0.01,
					Max: 1, High: 1, Low: 0.1, Step: 0.1, Default: "0.8", PerLane: true, Advanced: true,
					FiniteOnly: true,
					Doc:        "The share of a client's samples on which it learns the mixing weights, drawn anew in every round. No effect where clients draw fresh samples in every round."},
				param.Field{Name: "alapart", Label: "Part to mix", Section: param.Models, Kind: param.Choice,
					Default: "head", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "head", Title: "the last layer"},
						{Name: "all", Title: "everything"}},
					Doc: "The part that a client mixes with its own. The rest is taken from the common model."},
				param.Field{Name: "alacalm", Label: "Stop below", Section: param.Models, Kind: param.Float, Min: 0,
					Max: 10, Low: 0.001, High: 1, Log: true, Default: "0.01", PerLane: true, Advanced: true,
					Doc: "The first time, a client continues until the last ten losses have a standard deviation below this, for at most 50 passes. Later it takes one pass per round."},
			), "keep"),
			Steps:  fedalaSteps,
			Phases: fedalaPhases,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			m := &mixing{rate: float32(v.Float("alarate")), share: v.Float("alashare"),
				all: v.Text("alapart") == "all", tolerance: v.Float("alacalm")}
			kept := 1 // a client's model, and one weight per parameter of the mixed part
			if m.all {
				kept = 2
			}
			server := &fedala{counting: method.Counts(v, method.BySamples, method.ManySamples)}
			return fl.Plan{Algorithm: server, Models: 1, Device: m, ClientModels: kept}
		},
	})
}

var fedalaSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Update, Code: "each client mixes the model into its own, trains the mixture, and sends it",
		Says: "Client [client:client] mixes the server’s model into its own, trains the mixture on its own samples and sends it to the server."},
}

var fedalaPhases = []*registry.PhaseText{method.SendsOneModel,
	{Phase: registry.Probe, If: "first", Says: "[each] takes the model for its own, and trains it."},
	{Phase: registry.Probe, Says: "[each] mixes the model into its own by weights that it learns, and trains the mixture.",
		Client: "its trained mixture: [answer.answer]"},
	method.NotCompared, method.OneForAll, method.OneToMatch,
	{Phase: registry.Update, Carries: "answer", Sends: "trained model", Says: "The model becomes the mean of all [clients] trained models."},
	{Phase: registry.Update, Carries: "answer", Sends: "trained model", Says: "The model becomes the one trained model that has arrived."},
}
