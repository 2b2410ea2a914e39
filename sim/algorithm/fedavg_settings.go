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
			Name:   "fedavg",
			Title:  "FedAvg",
			Family: registry.OneModel,
			Doc:    "One model for all clients, moved along the mean of their gradients, weighted by their samples. Clients are not compared.",
			By:     "nothing: one model for all", Sends: "an update", Counts: "samples",
			Paper:  registry.FedAvg.At("section 2, FedSGD and Algorithm 1"),
			Fields: method.Training(),
			Steps: []registry.Step{
				{Name: fl.StepSend, Phase: registry.Broadcast, Code: "send the model θ to every client",
					Says:    "The server sends client [client:client] the one model that all share.",
					Formula: "θ", Numbers: "θ = [theta]", Sends: "the model"},
				{Name: fl.StepTrain, Phase: registry.Update, Code: "each client c answers with its gradient, or with what training took away from θ",
					Says:    "Client [client:client] trains the model on its own samples and sends the server the update.",
					Formula: "u_c = ∇f_c(θ)", Numbers: "u_{[client:client]} = [gradient]"},
				{Name: fl.StepDescend, Phase: registry.Update, Code: "θ follows the mean of all answers",
					Says:    "The server moves the model along the mean update of all clients, weighted by their samples.",
					Formula: "θ ← θ − γ · frac{Σ_c n_c u_c}{Σ_c n_c}", Numbers: "[new] ← [old] − [step] · [mean]"},
			},
		},
		Make: func(v param.Values, _ int) fl.Plan {
			return fl.Plan{Server: &fedavg{counting: method.Counts(v, method.BySamples, method.OneClient)}, Models: 1,
				Streams: true}
		},
	})
}
