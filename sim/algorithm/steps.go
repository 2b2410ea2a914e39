package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

// CommonSteps are the steps of every round, for methods without such steps of their own.
var CommonSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast,
		Code:    "send each client the models it needs",
		Says:    "The server sends client [client:client] the parameters of model [k:model].",
		Formula: "θ_k", Numbers: "θ_{[k:model]} = [theta]", Sends: "parameters of [k:model]"},
	{Name: fl.StepExtra, Phase: registry.Broadcast,
		Code: "send each client what it needs",
		Says: "The server sends client [client:client] what it needs for its reply.", Sends: "what it needs"},
	{Name: fl.StepLosses, Phase: registry.Probe,
		Code:    "clients try all models on their probe sample",
		Says:    "Client [client:client] tries all models on its own samples and sends the server its losses: [losses:models].",
		Formula: "ℓ_c = ( f(X_c,θ_1), …, f(X_c,θ_K) )", Numbers: "ℓ_{[client:client]} = [losses:models]", Sends: "losses"},
	{Name: fl.StepFeature, Phase: registry.Probe,
		Code:    "clients reply with a gradient, by which they are compared",
		Says:    "Client [client:client] computes a gradient of model [k:model] on its own samples and sends it to the server, which compares clients by it.",
		Formula: "∇f_c(θ_k)", Numbers: "∇f_{[client:client]}(θ_{[k:model]}) = [gradient]", Sends: "gradient"},
	{Name: fl.StepAnswer, Phase: registry.Probe,
		Code:    "clients do what the method asks",
		Says:    "Client [client:client] works on its own samples and sends the server its reply.",
		Formula: "a_c", Numbers: "a_{[client:client]} = [answer]"},
	{Name: fl.StepPick, Phase: registry.Match,
		Code:    "each client picks the model with the least loss",
		Says:    "Client [client:client] picks model [k:model], with the least loss.",
		Formula: "k_c ← argmin_k f(X_c,θ_k)", Numbers: "[k:model] ← argmin [losses:models]"},
	{Name: fl.StepTrain, Phase: registry.Update,
		Code:    "clients reply with an update of their model",
		Says:    "Client [client:client] trains model [k:model] on its own samples and sends the server the update.",
		Formula: "u_c = ∇f_c(θ_k)", Numbers: "u_{[client:client]} = [gradient]", Sends: "update of model [k:model]"},
	{Name: fl.StepPlace, Phase: registry.Match,
		Code:    "clients are given models",
		Says:    "The server gives client [client:client] model [k:model]; before it had [before:model].",
		Formula: "k_c", Numbers: "[before:model] → [k:model]"},
	{Name: fl.StepFill, Phase: registry.Update,
		Code:    "fill clusters of fewer than B updates with updates of random clients of larger ones",
		Says:    "The server draws [moved] updates at random from larger clusters for those with fewer than [least]. That of client [client:client] moves model [k:model]; the client keeps model [before:model].",
		Formula: "|S_k| ≥ B", Numbers: "|S_{[k:model]}| ≥ [least]"},
	{Name: fl.StepDescend, Phase: registry.Update,
		Code:    "move each model along the mean update of its clients",
		Says:    "The server moves model [k:model] along the mean update of its clients.",
		Formula: "θ_k ← θ_k − γ · mean_c u_c", Numbers: "[new] ← [old] − [step] · [mean]"},
	{Name: fl.StepMove, Phase: registry.Update,
		Code:    "move the models",
		Says:    "Model [k:model] changes by what was learned in this round.",
		Formula: "θ_k ← θ_k′", Numbers: "[old] → [new]"},
}
