package hcfl

import (
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

var fedemSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast, Code: "broadcast all K models",
		Says:    "The server sends client [client:client] all models: [k:model].",
		Formula: "θ_1, …, θ_K", Sends: "models [k:model]"},
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "E-step: client c finds how well each model explains each of its samples",
		Says:    "Client [client:client] divides each of its samples among the models, by its weights and by the losses, trains each model on its share and sends the server the updates.",
		Formula: "q_{c,j}(k) ∝ π_{c,k} exp(−ℓ(θ_k; x_j,y_j))"},
	stepWeights,
	{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the mean of all its updates, each made under the client's shares",
		Says:    "The server moves every model along the mean of the updates that all clients made under their shares; this is model [k:model].",
		Formula: "θ_k ← θ_k − γ · mean_c u_{c,k}", Numbers: "[new] ← [old] − [step] · [mean]"},
}

// stepWeights is the step of soft methods in which a client gets its weights.
var stepWeights = registry.Step{Name: "weights", Phase: registry.Match,
	Code:    "M-step: its weights become the mean shares of its samples",
	Says:    "The weights of client [client:client] for the models become [new:models]. The largest is that of model [k:model].",
	Formula: "π_{c,k} ← mean_j q_{c,j}(k)", Numbers: "[old:models] → [new:models]"}
