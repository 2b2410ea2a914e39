package cflgp

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

var steps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast, Lines: "3, 7", Code: "send each client its model; in a clustering round also k̄, the next in turn, to all",
		Says:    "The server sends client [client:client] its model, and in a clustering round also the common one: [k:model].",
		Formula: "θ_k, k = k_c; θ_{bar k}"},
	{Name: fl.StepFeature, Phase: registry.Probe, Lines: "7", Code: "all clients send their gradient of the common model k̄",
		Says:    "Client [client:client] computes a gradient of the common model, [k:model], on its own samples and sends it to the server, which compares clients by it.",
		Formula: "∇f(X_c,θ_{bar k})", Numbers: "∇f(X_{[client:client]},θ_{[k:model]}) = [gradient]"},
	{Name: fl.StepTrain, Phase: registry.Update, Lines: "3", Code: "clients send their gradient of their own model",
		Says:    "Client [client:client] trains its own model, [k:model], on its own samples and sends the server the update.",
		Formula: "∇f(X_c,θ_k)", Numbers: "∇f(X_{[client:client]},θ_{[k:model]}) = [gradient]"},
	{Name: fl.StepDescend, Phase: registry.Update, Lines: "4", Code: "each model follows the mean gradient of its cluster (the paper prints the sum)",
		Says:    "The server moves model [k:model] along the mean gradient of its cluster, or along the sum, as set.",
		Formula: "θ_k ← θ_k − γ · mean_{c∈S_k} ∇f(X_c,θ_k)", Numbers: "[new] ← [old] − [step] · [mean]"},
	{Name: "mix", Phase: registry.Embed, Lines: "8–9", Code: "mix the new gradient into the client's memory of model k̄; leave the others",
		Says:    "The server keeps the mean of the gradients of client [client:client] on model [k:model], now of [taken] gradients.",
		Formula: "g_{c,bar k} ← (1−β) g_{c,bar k} + β ∇f(X_c,θ_{bar k})", Numbers: "[new] ← [keep] [old] + [beta] [gradient]"},
	{Name: "project", Phase: registry.Embed, Lines: "10 · 1", Code: "project all memories onto their K leading singular directions",
		Says:    "The server projects the mean gradients of client [client:client] onto [size] directions: its place on the map.",
		Formula: "r_c = U^⊤ g_c", Numbers: "r_{[client:client]} = [point]"},
	{Name: "cluster", Phase: registry.Cluster, Lines: "10 · 2", Code: "k-means on these points",
		Says:    "The server clusters these places by k-means: client [client:client] belongs to the nearest mean.",
		Formula: "z_c = argmin_z |r_c − h_z|", Numbers: "|[point] − [mean]| = [distance]"},
	{Name: "match", Phase: registry.Match, Lines: "10 · 3–4", Code: "name the clusters so that as many clients as possible keep their model",
		Says:    "The server gives each group a model so that most clients keep theirs. Client [client:client] gets model [k:model]; before it had [before:model].",
		Formula: "k_c ← ψ(z_c)", Numbers: "[before:model] → [k:model]"},
}

var phases = []*registry.PhaseText{
	{Phase: registry.Broadcast, When: "as=paper", If: "mixes",
		Says: "[each] gets its model, and all get [common:model] as well, the common model of this round."},
	{Phase: registry.Broadcast, When: "as=paper", If: "mixes", Says: "[each] gets its model, and the common one as well."},
	method.SendsOfCluster,
	{Phase: registry.Probe, When: "avg=model", If: "mixes", Says: "[each] trains [common:model] on its own samples. The change is its update."},
	{Phase: registry.Probe, When: "as=paper", If: "mixes",
		Says: "[each] computes which way [samples] pull [common:model]: the gradient."},
	method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, When: "beta=1", If: "mixes", Client: remembers, Says: "Only the newest [gradient] counts: it is a client’s place."},
	{Phase: registry.Embed, When: "as=released", If: "mixes", Carries: "train", Client: remembers,
		Says: "The server mixes the [gradient] of a client’s own model into what it remembers of it."},
	{Phase: registry.Embed, If: "mixes", Client: remembers,
		Says: "The server averages it with [earlier] from before at the same model: the mean of [taken] is steadier than one."},
	{Phase: registry.Embed, If: "mixes alone", Client: remembers, Says: "The server remembers each [gradient]. A single one is noisy."},
	{Phase: registry.Embed, If: "mixes", Client: remembers,
		Says: "The server averages it with those of this model from before, if there are any."},
	{Phase: registry.Embed, If: "clusters", Says: "Newcomers send gradients of all models: these give them a place."},
	{Phase: registry.Cluster, When: "by=kmedians", If: "clusters mixes",
		Says: "k-medians joins what lies near. A few false replies do not move a median far."},
	{Phase: registry.Cluster, When: "by=trimmed", If: "clusters mixes",
		Says: "k-means joins what lies near, and leaves those out that lie farthest away."},
	{Phase: registry.Cluster, If: "clusters mixes", Says: "k-means joins what lies near. It sees places, not shapes.",
		Client: "is in a cluster of [cluster.size], [cluster.distance] from its mean"},
	{Phase: registry.Cluster, If: "clusters", Says: "Newcomers join the cluster whose mean is nearest."},
	{Phase: registry.Cluster, If: "mixes", Skips: true, Says: "Not yet: at first all clients train one model."},
	{Phase: registry.Match, If: "clusters mixes", Says: "Each cluster gets a model, so that as few clients as possible change theirs.",
		Client: "[match.votes] of its cluster’s [match.size] had [match.k:model]: it [match.k:keeps]"},
	{Phase: registry.Match, If: "clusters", Says: "Newcomers get the model of the cluster that they join."},
	{Phase: registry.Match, If: "mixes", Skips: true, Says: "Not yet: at first all clients train one model."},
	{Phase: registry.Embed, Skips: true, Says: notNow},
	{Phase: registry.Cluster, Skips: true, Says: notNow},
	{Phase: registry.Match, Skips: true, Says: notNow},
	{Phase: registry.Update, When: "as=released", Says: "Each model moves along the mean [gradient] of its cluster."},
	{Phase: registry.Update, When: "fold=sum", Says: "Each model moves along the sum of the [gradients] of the clients that trained it."},
	{Phase: registry.Update, Says: "Each model moves along the mean [gradient] of the clients that trained it."},
}

const (
	notNow    = "Not in this round: the server clusters every [P:setting] rounds."
	remembers = "alone [mix.gradient:pull] → mean of [mix.taken] [mix.new:pull]"
)
