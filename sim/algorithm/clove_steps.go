package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

var cloveSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast, Lines: "4", Code: "broadcast all K models to the clients of this round",
		Says:    "The server sends client [client:client] all models: [k:model].",
		Formula: "θ_1, …, θ_K", Sends: "models [k:model]"},
	{Name: fl.StepLosses, Phase: registry.Probe, Lines: "5–7", Code: "each client i runs its data through all models and sends the vector of losses",
		Says:    "Client [client:client] tries all models on its own samples and sends the server its losses: [losses:models].",
		Formula: "L^i = ( L^i(θ_1), …, L^i(θ_K) )", Numbers: "L^{[client:client]} = [losses:models]"},
	{Name: "cluster", Phase: registry.Cluster, Lines: "8–9", Code: "cluster the loss vectors",
		Says:    "The server groups clients with similar losses. Of [clients] clients, client [client:client] falls into a group of [size], whose mean losses come second below.",
		Formula: "mean_{i∈Q} L^i", Numbers: "[vector:models] near [mean:models]"},
	{Name: "match", Phase: registry.Match, Lines: "10", Code: "match clusters with models at the least total loss, no model twice",
		Says:    "The server gives each group a model of its own, so that all lose least. The group of client [client:client] loses [total:models] on the models in total and gets model [k:model]; before it had [before:model].",
		Formula: "c_i ← argmin_{matchings} Σ_i L^i(θ_{c_i})", Numbers: "[before:model] → [k:model]"},
	{Name: fl.StepTrain, Phase: registry.Update, Lines: "11–12", Code: "each client i sends its gradient of its model, or the model after training",
		Says:    "Client [client:client] trains model [k:model] on its own samples and sends the server the update.",
		Formula: "g_i = ∇L^i(θ_{c_i})", Numbers: "g_{[client:client]} = [gradient]"},
	{Name: fl.StepDescend, Phase: registry.Update, Lines: "13–15", Code: "each model follows the mean update of its clients, weighted by their samples",
		Says:    "The server moves model [k:model] along the mean update of its clients.",
		Formula: "θ_j ← θ_j − γ · frac{Σ_i n_i g_i}{Σ_i n_i}", Numbers: "[new] ← [old] − [step] · [mean]"},
}

var clovePhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, If: "!clusters", Says: "[each] gets the model of its cluster."},
	{Phase: registry.Broadcast, If: "stopped", Says: "[each] gets the model of its cluster. Newcomers get all models."},
	method.SendsSingle, method.SendsAllModels,
	{Phase: registry.Probe, If: "clusters !stopped single", Says: "[each] computes the loss of the one model on [probe], and sends it."},
	{Phase: registry.Probe, If: "clusters !stopped", Says: "[each] computes the loss of every model on [probe], and sends these [K:word] numbers."},
	method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, When: "first=random", If: "first", Skips: true, Says: "Skipped: in the first round nobody is compared."},
	{Phase: registry.Embed, If: "clusters !stopped single", Says: "This loss is a client’s place. Only this round counts."},
	{Phase: registry.Embed, When: "sqrt=1", If: "clusters !stopped", Client: "loss vector [losses.losses:models]",
		Says: "The square roots of its [K:word] losses are a client’s place. Only this round counts."},
	{Phase: registry.Embed, If: "clusters !stopped", Client: "loss vector [losses.losses:models]",
		Says: "The [K:word] losses are a client’s place: its loss vector. Only this round counts."},
	{Phase: registry.Cluster, When: "first=random", If: "first", Says: "Clusters are drawn at random in the first round."},
	{Phase: registry.Cluster, When: "by=ward", If: "clusters !stopped", Client: cloveCluster,
		Says: "Clients with similar losses are merged, even where no model fits them yet."},
	{Phase: registry.Cluster, When: "by=kmedians", If: "clusters !stopped", Client: cloveCluster,
		Says: "k-medians joins clients with similar losses. A few false ones do not move a median far."},
	{Phase: registry.Cluster, When: "by=trimmed", If: "clusters !stopped", Client: cloveCluster,
		Says: "k-means joins clients with similar losses, and leaves those out that lie farthest away."},
	{Phase: registry.Cluster, If: "clusters !stopped", Client: cloveCluster,
		Says: "k-means joins clients with similar losses, even where no model fits them yet."},
	{Phase: registry.Match, When: "first=random", If: "first", Sends: "the model’s letter",
		Says: "The cluster of the first client gets the first model, and so on."},
	{Phase: registry.Match, When: "match=0", If: "clusters !stopped", Sends: "the model’s letter",
		Says: "The cluster of the first client gets the first model, and so on."},
	{Phase: registry.Match, If: "clusters !stopped", Sends: "the model’s letter",
		Client: "its cluster’s total: [match.total:models] → [match.k:model]",
		Says:   "Each cluster gets a model of its own, so that the total loss is least."},
	method.MeanOfCluster,
}

const cloveCluster = "is in a cluster of [cluster.size], mean losses [cluster.mean:models]"
