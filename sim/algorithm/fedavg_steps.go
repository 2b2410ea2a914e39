package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

var fedavgSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast, Code: "send the model θ to every client",
		Says:    "The server sends client [client:client] the model that it is to train.",
		Formula: "θ", Numbers: "θ = [theta]", Sends: "the model"},
	{Name: fl.StepTrain, Phase: registry.Update, Code: "each client c replies with its gradient, or with θ " +
		"minus its trained model",
		Says:    "Client [client:client] trains the model on its own samples and sends the server the update.",
		Formula: "u_c = ∇f_c(θ)", Numbers: "u_{[client:client]} = [gradient]"},
	{Name: fl.StepDescend, Phase: registry.Update, Code: "θ follows the mean of all replies",
		Says:    "The server moves the model along the mean update of the clients that train it, weighted by their samples.",
		Formula: "θ ← θ − γ · frac{Σ_c n_c u_c}{Σ_c n_c}", Numbers: "[new] ← [old] − [step] · [mean]"},
}

// toldGroups is the choice with which FedAvg has a model for each group.
const toldGroups = "told=groups"

var fedavgPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, When: toldGroups, Says: method.SendsOfCluster.Says},
	{Phase: registry.Cluster, When: toldGroups, Skips: true, Says: method.ClustersStay.Says},
	{Phase: registry.Match, When: toldGroups, Skips: true, Says: method.ModelsStay.Says},
	{Phase: registry.Update, When: toldGroups, Says: method.MeanOfCluster.Says},
	method.SendsOneModel, method.TrainsOne, method.GradientOfOne,
	method.NotCompared, method.OneForAll, method.OneToMatch, method.MeanOfAll, method.MeanOfOneReply}
