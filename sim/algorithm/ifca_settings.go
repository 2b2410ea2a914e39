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
			Name:   "ifca",
			Title:  "IFCA",
			Family: registry.HardClusters,
			Doc:    "Every client evaluates all K models on its probe sample and trains the one with the least loss.",
			By:     "the least loss among K models", Sends: "an update of the model it picked", Counts: "clients",
			Paper: registry.IFCA.At("Algorithm 1"),
			Fields: method.AllSamples(method.Training(method.FieldK, method.FieldProbe,
				param.Field{Name: "divide", Label: "Mean over", Section: param.Models, Kind: param.Choice,
					Default: "cluster", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "cluster", Title: "the clients of the model"},
						{Name: "all", Title: "all clients (the paper's Option I)"}},
					Doc: "The paper divides a model's gradient sum by the number of all clients; others divide by those that picked it, so that small clusters learn as fast."},
				param.Field{Name: "choose", Label: "Clients pick by", Section: param.Models, Kind: param.Choice,
					Default: "loss", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "loss", Title: "the least loss on the probe sample"},
						{Name: "accuracy", Title: "the most right answers on the minibatch"}},
					Doc: "How a client picks its model. The paper compares losses. CFL-GP's authors ran IFCA by accuracy on one minibatch, the first model on ties (their released code): at first no model knows anything, ties are common, and groups share a model for long (CFL-GP, Table 3). Where nothing is classified it is the least loss on the minibatch."},
			)),
			Steps: []registry.Step{
				{Name: fl.StepSend, Phase: registry.Broadcast, Code: "broadcast all K models",
					Says:    "The server sends client [client:client] all models: [k:model].",
					Formula: "θ_1, …, θ_K", Sends: "models [k:model]"},
				{Name: fl.StepLosses, Phase: registry.Probe, Code: "each client i tries every model on its probe sample",
					Says:    "Client [client:client] tries all models on its own samples: losses [losses:models]. The server never sees them.",
					Formula: "F_i(θ_1), …, F_i(θ_K)", Numbers: "[losses:models]"},
				{Name: fl.StepBest, Phase: registry.Match, Code: "client i estimates its cluster: ĵ, the model with the least loss",
					Says:    "Client [client:client] picks model [k:model], on which it loses least or is right most often, as set.",
					Formula: "hat j = argmin_j F_i(θ_j)", Numbers: "[k:model] = argmin [losses:models]"},
				{Name: fl.StepTrain, Phase: registry.Update, Code: "client i sends its choice and its update of that model",
					Says:    "Client [client:client] trains model [k:model] on its own samples and sends the server its choice and the update.",
					Formula: "g_i = ∇F_i(θ_{hat j})", Numbers: "g_{[client:client]} = [gradient]"},
				{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the mean update of those that picked it",
					Says:    "The server moves model [k:model] along the mean update of the clients that picked it. A model that no client picked stays as it is.",
					Formula: "θ_j ← θ_j − γ · mean_{i: hat j_i=j} g_i", Numbers: "[new] ← [old] − [step] · [mean]"},
			},
		},
		Make: func(v param.Values, _ int) fl.Plan {
			s := &ifca{byAll: v.Text("divide") == "all", counting: method.Counts(v, method.ByClients, method.OneClient)}
			return fl.Plan{Server: s, Models: v.Int("K"), Evidence: fl.LeastLoss, Streams: true,
				Protocol: fl.Protocol{Right: v.Text("choose") == "accuracy"}}
		},
	})
}
