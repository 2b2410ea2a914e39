package hcfl

import (
	"flockscope/sim/algorithm/internal/method"
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

var fedemPhases = []*registry.PhaseText{method.SendsSingle, method.SendsAllModels, method.Explains,
	method.NotCompared, method.Weighs, method.WeightsMatch, method.MeanOfExplained}

var fedrcPhases = []*registry.PhaseText{method.SendsSingle,
	{Phase: registry.Broadcast, Says: "[each] gets all [K:word] models: [K:word] times the traffic of one.", Sends: "shares of classes"},
	{Phase: registry.Probe, If: "classes", Client: method.WeightsBefore,
		Says: "[each] computes how well each model explains its samples, measured against how common a class is there."},
	method.Explains, method.NotCompared, method.Weighs, method.WeightsMatch, method.MeanOfExplained}

var fedgmmPhases = []*registry.PhaseText{method.SendsSingle,
	{Phase: registry.Broadcast, Says: "[each] gets all [K:word] models, and the Gaussians of all inputs.", Sends: "Gaussians"},
	{Phase: registry.Probe, Client: method.WeightsBefore,
		Says: "[each] computes how well Gaussians explain its inputs, and models their labels."},
	sendsMoments, method.NotCompared, method.Weighs, method.WeightsMatch,
	{Phase: registry.Update, Carries: "answer", Sends: "updates, Gaussians, weights",
		Says: "Models and Gaussians move along the mean of what clients made of them."},
}

var sendsMoments = &registry.PhaseText{Phase: registry.Embed, If: "first", Client: "sends [moments.moments]", Sends: "mean and variances",
	Says: momentsOnce}

const momentsOnce = "Clients send mean and variances of their inputs, once: there the Gaussians begin."
