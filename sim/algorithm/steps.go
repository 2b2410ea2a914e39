package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

// CommonSteps tell what every round does by itself, for algorithms that have no
// words of their own for it.
var CommonSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast,
		Code:    "send each client the models it needs",
		Says:    "Client [client:client] receives model [k:model].",
		Formula: "θ_k", Numbers: "θ_{[k:model]} = [theta]"},
	{Name: fl.StepLosses, Phase: registry.Probe,
		Code:    "clients try all models on their probe sample",
		Says:    "Client [client:client] tries all models on its probe sample: losses [losses:models].",
		Formula: "ℓ_c = ( f(X_c,θ_1), …, f(X_c,θ_K) )", Numbers: "ℓ_{[client:client]} = [losses:models]"},
	{Name: fl.StepFeature, Phase: registry.Probe,
		Code:    "clients answer with a gradient to be compared by",
		Says:    "Client [client:client] sends its gradient of model [k:model], to be compared by.",
		Formula: "∇f_c(θ_k)", Numbers: "∇f_{[client:client]}(θ_{[k:model]}) = [gradient]"},
	{Name: fl.StepAnswer, Phase: registry.Probe,
		Code:    "clients do their own part",
		Says:    "Client [client:client] does its part and answers.",
		Formula: "a_c", Numbers: "a_{[client:client]} = [answer]"},
	{Name: fl.StepBest, Phase: registry.Match,
		Code:    "each client picks the model with the least loss",
		Says:    "Client [client:client] picks model [k:model], on which it loses least.",
		Formula: "k_c ← argmin_k f(X_c,θ_k)", Numbers: "[k:model] ← argmin [losses:models]"},
	{Name: fl.StepTrain, Phase: registry.Update,
		Code:    "clients answer with an update of their model",
		Says:    "Client [client:client] answers with its update of model [k:model].",
		Formula: "u_c = ∇f_c(θ_k)", Numbers: "u_{[client:client]} = [gradient]"},
	{Name: fl.StepPlace, Phase: registry.Match,
		Code:    "clients are given models",
		Says:    "Client [client:client] is given model [k:model]; it had [before:model].",
		Formula: "k_c", Numbers: "[before:model] → [k:model]"},
	{Name: fl.StepDescend, Phase: registry.Update,
		Code:    "move each model along the mean update of its clients",
		Says:    "Model [k:model] moves along the mean update of its clients.",
		Formula: "θ_k ← θ_k − γ · mean_c u_c", Numbers: "[new] ← [old] − [step] · [mean]"},
	{Name: fl.StepMove, Phase: registry.Update,
		Code:    "move the models",
		Says:    "Model [k:model] moves.",
		Formula: "θ_k ← θ_k′", Numbers: "[old] → [new]"},
}
