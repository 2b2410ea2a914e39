package cflgp

import (
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
