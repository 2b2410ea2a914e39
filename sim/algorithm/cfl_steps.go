package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

var cflSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast, Code: "send each client the model of its cluster",
		Says:    "The server sends client [client:client] the model of its cluster, [k:model].",
		Formula: "θ_k", Numbers: "θ_{[k:model]} = [theta]"},
	{Name: fl.StepTrain, Phase: registry.Probe, Code: "each client replies with its update",
		Says: "Client [client:client] trains model [k:model] on its own samples and sends the server the " +
			"update, which serves training and the comparison of clients.",
		Formula: "Δθ_i", Numbers: "Δθ_{[client:client]} = [gradient]"},
	{Name: fl.StepExtra, Phase: registry.Broadcast, Code: "send a newcomer the model of a split, from the first split on",
		Says: "Client [client:client] joins after clusters were split. The server sends it the model of the " +
			"next split on its way, as it was then.", Sends: "model of a split"},
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "a newcomer replies with its update, and goes to the " +
		"side of the client whose update is most similar",
		Says: "Client [client:client] trains the model of the split and sends the server the update. It goes to the side with the client whose update has the largest cosine with its own.", Sends: "update"},
	{Name: "cosines", Phase: registry.Embed, Code: "compare the directions of all updates: cosines α",
		Says:    "The server compares the directions of updates. Cosines of client [client:client] with the others, one after the other: 1 is the same direction, −1 the opposite.",
		Formula: "α_{i,j} = frac{⟨Δθ_i,Δθ_j⟩}{|Δθ_i| |Δθ_j|}", Numbers: "α_{[client:client]} = [cosines]"},
	{Name: "test", Phase: registry.Cluster, Code: "a cluster whose mean update is small while a client still has a large one is to be split",
		Says:    "The server asks whether the cluster of client [client:client] is to be split: its mean update is short, below [eps1], while a client still has a long one, above [eps2]. Of its [size] clients the mean has length [mean], the longest [longest].",
		Formula: "|mean_i Δθ_i| < ε_1 ∧ max_i |Δθ_i| > ε_2", Numbers: "[mean] < [eps1] ∧ [longest] > [eps2] ?"},
	{Name: "split", Phase: registry.Match, Code: "split it in two so that the largest cosine across is least; the second half gets a copy of the model",
		Says: "The server splits the cluster in two. Updates of different halves have a cosine of at most " +
			"[cross]; [moved] clients continue with model [k:model], a copy.",
		Formula: "min_{c_1,c_2} max_{i∈c_1,j∈c_2} α_{i,j}", Numbers: "[cross]"},
	{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the mean update of its cluster",
		Says:    "The server moves model [k:model] along the mean update of its cluster.",
		Formula: "θ_k ← θ_k − γ · mean_{i∈c_k} Δθ_i", Numbers: "[new] ← [old] − [step] · [mean]"},
}

var cflPhases = []*registry.PhaseText{method.SendsOfCluster, method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, Carries: "train answer", Client: "cosines with clients, in their order: [cosines.cosines]",
		Says: "The server compares the directions of [gradients], pair by pair."},
	{Phase: registry.Cluster, If: "note.split",
		Says:   "A cluster splits: its mean [gradient] is short, while one of its clients still has a long one.",
		Client: "its cluster: mean length [test.mean], longest [test.longest]"},
	{Phase: registry.Cluster, If: "grew",
		Says:   "A cluster splits: its mean [gradient] is short, while one of its clients still has a long one.",
		Client: "its cluster: mean length [test.mean], longest [test.longest]"},
	{Phase: registry.Cluster, Skips: true,
		Says:   "No cluster splits. It takes a short mean [gradient], and a client with a long one.",
		Client: "its cluster: mean length [test.mean], longest [test.longest]"},
	{Phase: registry.Match, If: "grew", Says: "One half keeps the model, the other goes on with a copy."},
	{Phase: registry.Match, If: "moved", Says: "Newcomers get the model of the cluster that they join."},
	{Phase: registry.Match, Skips: true, Says: "Nothing to match: every client keeps its model."},
	method.MeanOfCluster,
}
