package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

var ifcaSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast, Code: "broadcast all K models",
		Says:    "The server sends client [client:client] all models: [k:model].",
		Formula: "θ_1, …, θ_K", Sends: "models [k:model]"},
	{Name: fl.StepLosses, Phase: registry.Probe, Code: "each client i tries every model on its probe sample",
		Says:    "Client [client:client] tries all models on its own samples: losses [losses:models]. The server never sees them.",
		Formula: "F_i(θ_1), …, F_i(θ_K)", Numbers: "[losses:models]"},
	{Name: fl.StepPick, Phase: registry.Match, Code: "client i estimates its cluster: ĵ, the model with the least loss",
		Says:    "Client [client:client] picks model [k:model], with the least loss or the highest accuracy, as set.",
		Formula: "hat j = argmin_j F_i(θ_j)", Numbers: "[k:model] = argmin [losses:models]"},
	{Name: fl.StepTrain, Phase: registry.Update, Code: "client i sends its choice and its update of that model",
		Says:    "Client [client:client] trains model [k:model] on its own samples and sends the server its choice and the update.",
		Formula: "g_i = ∇F_i(θ_{hat j})", Numbers: "g_{[client:client]} = [gradient]"},
	{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the mean update of those that picked it",
		Says:    "The server moves model [k:model] along the mean update of the clients that picked it. A model that no client picked stays as it is.",
		Formula: "θ_j ← θ_j − γ · mean_{i: hat j_i=j} g_i", Numbers: "[new] ← [old] − [step] · [mean]"},
}

var ifcaPhases = []*registry.PhaseText{method.SendsSingle, method.SendsAllModels,
	{Phase: registry.Probe, When: "choose=accuracy", If: "classes", Says: "[each] computes the accuracy of every model on [samples]."},
	{Phase: registry.Probe, When: "choose=accuracy", Says: "[each] computes the loss of every model on [samples]."},
	{Phase: registry.Probe, Says: "[each] computes the loss of every model on [probe]."},
	{Phase: registry.Embed, Skips: true, Says: "Skipped: the losses stay with the client, and the server remembers nothing."},
	{Phase: registry.Cluster, When: "choose=accuracy", If: "classes", Sends: "the choice",
		Says: "Each client decides alone: it takes the model with the highest accuracy.", Client: "takes [best.k:model]"},
	{Phase: registry.Cluster, When: "choose=accuracy", Sends: "the choice",
		Says: "Each client decides alone: it takes the model with the least loss.", Client: "takes [best.k:model]"},
	{Phase: registry.Cluster, Sends: "the choice", Client: ifcaTakes,
		Says: "Each client decides alone: it takes the least loss. [tossups] of [clients] leads are smaller than their noise."},
	{Phase: registry.Cluster, Sends: "the choice", Client: ifcaTakes,
		Says: "Each client decides alone: it takes the model with the least loss."},
	{Phase: registry.Match, Skips: true, Says: "Nothing to match: the choice names the model."},
	{Phase: registry.Update, When: "divide=all",
		Says: "Each model moves along the sum of the [gradients] of those who took it, divided by all [clients] clients."},
	{Phase: registry.Update, If: "strangers",
		Says: "Each model moves along the mean [gradient] of all clients that took it."},
	{Phase: registry.Update, Says: "Each model moves along the mean [gradient] of the clients that took it."},
}

// ifcaTakes are numbers of a client that picked the model of least loss.
const ifcaTakes = "takes [best.k:model]: its lead is [tossup] times its noise, a toss-up" +
	"|takes [best.k:model]: its lead is [lead] times its noise|takes [best.k:model]"
