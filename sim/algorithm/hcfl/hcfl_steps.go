package hcfl

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
)

// The steps of HCFL depend on the lane's choices: steps of choices that are not made are not listed. Line numbers are
// of Algorithm 1.
var (
	stepsForm = map[string]registry.Step{
		"label": {Says: "A cluster explains a sample as well as its model predicts the label.",
			Formula: "L_k = exp(−ℓ_k)"},
		"ratio": {Says: "A cluster explains a sample as well as its model predicts the label, divided by how " +
			"common that label is in the cluster: [shares] in cluster [k:model].",
			Formula: "L_k = frac{exp(−ℓ_k)}{C_{y,k}}", Numbers: "C_{[k:model]} = [shares]"},
		"joint": {Says: "A cluster explains a sample as well as its model predicts the label, times the " +
			"probability of the input in the cluster: by Gaussians, the first around [mean].",
			Formula: "L_k = exp(−ℓ_k) Σ_a π_{k,a} N(x; μ_a, v_a)", Numbers: "μ_1 = [mean]"},
	}
	stepsWeigh = map[string]registry.Step{
		"loss":   {Says: "Client [client:client] belongs to cluster [k:model] alone, which explains all of its samples best.", Formula: "k_c ← argmax_k Σ_j L_k"},
		"count":  {Says: "Each sample of client [client:client] goes to the cluster that explains it best; a cluster weighs as much as it got.", Formula: "ω_{c,k} ← mean_j (k = argmax L_k)"},
		"em":     {Says: "Clusters share each sample of client [client:client] by their weights and by how well they explain it; the weights become the mean shares.", Formula: "q_j(k) ∝ ω_{c,k} L_k, ω_{c,k} ← mean_j q_j(k)"},
		"sample": {Says: "As by expectation maximisation, but each sample of client [client:client] also has weights of its own, near the client's.", Formula: "q_j(k) ∝ ω_{j,k} L_k, ω_{j,k} ← μ q_j(k) + (1−μ) ω_{c,k}"},
		"near": {Says: "The model of cluster [k:model] is nearest to the model that client [client:client] trained: squared distances [distances].",
			Formula: "k_c ← argmin_k |θ_k − θ_c|", Numbers: "[k:model] ← argmin [distances]"},
		"labels": {Says: "By the shares of its labels, [shares], client [client:client] belongs to cluster [k:model].",
			Formula: "k_c ← argmin_k |s_c − h_k|", Numbers: "s_{[client:client]} = [shares]"},
		"member": {Says: "Client [client:client] is in cluster [k:model].", Formula: "S_k ∋ c"},
	}
	stepsApart = map[string]registry.Step{
		"any": {Says: " Here y is each class that both have, and all samples together.",
			Formula: "D_{c,i} = ω_{c,k} ω_{i,k} max_y (1 − cos(z_{c,y}, z_{i,y}))"},
		"concept": {Says: " Here y is each class that both have.", Formula: "D_{c,i} = ω_{c,k} ω_{i,k} max_y (1 − cos(z_{c,y}, z_{i,y}))"},
		"mean": {Says: " It is the mean over each class y that both have.",
			Formula: "D_{c,i} = ω_{c,k} ω_{i,k} mean_y (1 − cos(z_{c,y}, z_{i,y}))"},
		"update": {Formula: "D_{c,i} = ω_{c,k} ω_{i,k} (1 − cos(u_c, u_i))"},
		"anchor": {Formula: "D_{c,i} = ω_{c,k} ω_{i,k} (1 − cos(ψ_c, ψ_i))"},
	}
)

// named returns a step of a tier with its name, the line of pseudo-code, and the choice that it belongs to.
func named(s registry.Step, name string, phase registry.Phase, lines, code, when string) registry.Step {
	s.Name, s.Phase, s.Lines, s.Code, s.When = name, phase, lines, code, when
	return s
}

var (
	stepClusters = registry.Step{Name: fl.StepSend, Phase: registry.Broadcast, Lines: "2",
		Code: "sample clients, and send them the models",
		Says: "The server sends client [client:client] the models of its clusters: [k:model].", Formula: "θ_k", Sends: "models [k:model]"}
	stepPull = registry.Step{Name: "pull", Phase: registry.Probe, Lines: "7",
		Code:    "new clients send their update of the first model (tier 4)",
		Says:    "Client [client:client] is new. It trains the model that all began with and sends the server its update.",
		Formula: "ψ_c ← θ_0 − θ_c", Numbers: "ψ_{[client:client]} = [pull]"}
	stepAnswers = registry.Step{Name: fl.StepAnswer, Phase: registry.Probe, Lines: "4–5",
		Code:    "each client trains the models by its weights, and uploads updates",
		Says:    "Client [client:client] trains each model on its own samples, weighted by the share that the cluster has of them, and sends the server the updates.",
		Formula: "u_{c,k} = mean_j q_j(k) ∇ℓ_k", Numbers: "u_{[client:client]} = [answer]"}
	stepMean = registry.Step{Name: fl.StepDescend, Phase: registry.Update, Lines: "6",
		Code:    "each model follows the mean of its updates",
		Says:    "The server moves every model along the mean of its updates; this is model [k:model].",
		Formula: "θ_k ← θ_k − γ · mean_c u_{c,k}", Numbers: "[new] ← [old] − [step] · [mean]"}
	stepDivide = registry.Step{Name: "divide", Phase: registry.Cluster, Lines: "8–12",
		Code:    "split the cluster whose largest distance exceeds the mean by more than ρ (tier 3)",
		Says:    "The server splits a cluster whose largest distance is more than [rho] above the mean. In cluster [k:model] it is [largest], [by] more than the mean.",
		Formula: "max D − mean D > ρ", Numbers: "[by] > [rho] ?"}
	stepStands = registry.Step{Name: "stands", Phase: registry.Cluster, Lines: "8–12",
		Code:    "split a cluster that stands still although a client moves it (tier 3)",
		Says:    "The server splits a cluster if the mean update of its clients is shorter than [tol1], and one of them longer than [tol2]. In cluster [k:model] these are [mean] and [longest].",
		Formula: "|mean_c u_c| < tol_1, max_c |u_c| > tol_2", Numbers: "[mean] < [tol1] ?, [longest] > [tol2] ?"}
	stepGone = registry.Step{Name: "gone", Phase: registry.Cluster, Lines: "13–15",
		Code: "remove clusters that no client prefers (tier 3)",
		Says: "The server removes cluster [k:model]: no client prefers it.", Formula: "S_k = ∅"}
	stepMoments = registry.Step{Name: "moments", Phase: registry.Probe,
		Code: "at first: clients send mean and variances of their inputs",
		Says: "Client [client:client] sends the server mean and variances of its inputs, where the Gaussians begin.", Formula: "μ, v", Numbers: "[moments]"}
	stepUnite = registry.Step{Name: "unite", Phase: registry.Cluster, Lines: "13–15",
		Code:    "similar clusters merge (tier 3)",
		Says:    "The server merges clusters with a cosine of at least [tau]. The most similar to that of client [client:client] has a cosine of [cosine].",
		Formula: "cos(mean_S, mean_{S′}) ≥ τ", Numbers: "[cosine] ≥ [tau] ?"}
)

// hcflSteps returns the steps of all choices.
func hcflSteps() []registry.Step {
	pull := func(when string) registry.Step { s := stepPull; s.When = when; return s }
	unite, divide, stands, gone := stepUnite, stepDivide, stepStands, stepGone
	unite.When, divide.When, gone.When = "adapt=merge", "adapt=split|both", "adapt=remove|both"
	stands.When = "adapt=norms"
	moments := stepMoments
	moments.When = "form=joint"
	out := []registry.Step{stepClusters, moments, pull("alike=anchor"), pull("dist=anchor")}
	for _, c := range forms {
		out = append(out, formStep(c.Name, "form="+c.Name))
	}
	out = append(out, stepAnswers)
	for _, c := range weighings {
		out = append(out, weighStep(c.Name, "weigh="+c.Name))
	}
	for _, c := range distances {
		out = append(out, apartStep(c.Name, "dist="+c.Name))
	}
	return append(out, divide, stands, stepMean, gone, unite)
}

func formStep(choice, when string) registry.Step {
	return named(stepsForm[choice], choice, registry.Probe, "4", "clusters explain samples (tier 1)", when)
}

func weighStep(choice, when string) registry.Step {
	s := stepsWeigh[choice]
	if s.Numbers == "" {
		s.Numbers = "[old] → [new]"
	}
	return named(s, choice, registry.Match, "4", "and clients weigh clusters (tier 2)", when)
}

func apartStep(choice, when string) registry.Step {
	s := stepsApart[choice]
	s.Says = "The server measures how different clients of one cluster are. In cluster [k:model], the client farthest from [client:client] is [other:client], [distance] away." + s.Says
	s.Numbers = "D_{[client:client],[other:client]} = [distance]"
	return named(s, choice, registry.Cluster, "7", "distances between clients of a cluster (tier 4)", when)
}

// fixedSteps returns the steps of a method with fixed tiers, without line numbers.
func fixedSteps(more ...registry.Step) []registry.Step {
	out := append(append([]registry.Step{stepClusters}, more...), stepMean)
	for i := range out {
		out[i].Lines = ""
	}
	return out
}

// sampleSymbols are the symbols of FedEM and of all methods with tiers.
var sampleSymbols = []registry.Symbol{
	{Sign: "ℓ", Name: "loss of a model on one sample", Shape: "a number, [unit]"},
	{Sign: "j", Name: "sample of a client", Shape: "its number"},
}

// tierSymbols are the symbols of the tiers.
var tierSymbols = append([]registry.Symbol{
	{Sign: "L", Name: "how well a cluster explains a sample", Shape: "a number"},
	{Sign: "a", Name: "Gaussian of inputs", Shape: "its number"},
	{Sign: "π", Name: "share of a Gaussian in a cluster", Shape: "a number, 0 to 1"},
	{Sign: "z", Name: "mean features of a label", Shape: "a row as wide as the last layer"},
	{Sign: "tol", Name: "threshold of the norm of an update", Shape: "a number"},
	{Sign: "ψ", Name: "update of the first model by a client", Shape: "[P]", Seen: "map"},
}, sampleSymbols...)

// hcflPhases are the texts of HCFL, by its choices.
var hcflPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, When: "alike=anchor", If: "first", Says: sendsFirst, Sends: "first model"},
	{Phase: registry.Broadcast, When: "dist=anchor", If: "first", Says: sendsFirst, Sends: "first model"},
	{Phase: registry.Broadcast, When: assigned, Says: "[each] gets the model of its cluster."},
	{Phase: registry.Broadcast, When: "form=joint", Says: sendsClusters, Sends: "Gaussians"},
	{Phase: registry.Broadcast, Says: sendsClusters, Sends: "shares of classes"},
	{Phase: registry.Probe, When: assigned, Says: "[each] trains the model of its cluster on its own samples."},
	{Phase: registry.Probe, When: "form=ratio", If: "classes", Client: explained,
		Says: "[each] computes how well each model explains its samples, measured against how common a class is there."},
	{Phase: registry.Probe, When: "form=joint", Client: explained,
		Says: "[each] computes how well each cluster explains its samples: their inputs and their labels."},
	{Phase: registry.Probe, Client: explained, Says: "[each] computes how well each model explains each of its samples."},
	{Phase: registry.Embed, When: "form=joint", If: "first", Sends: "mean and variances", Client: "sends [moments.moments]", Says: momentsOnce},
	{Phase: registry.Embed, When: "weigh=near", Carries: "answer", Sends: "update",
		Says: "The model that a client has trained is its place."},
	{Phase: registry.Embed, When: "weigh=labels", If: "first", Sends: "shares of labels",
		Says: "Clients send the shares of their labels, once: they are their place."},
	{Phase: registry.Embed, When: "alike=anchor", If: "first", Sends: "update of the first model", Client: "moves the first model by [pull.pull:pull]",
		Says: "Clients send their update of the first model, once: its direction is their place."},
	{Phase: registry.Embed, When: "dist=anchor", If: "first", Sends: "update of the first model", Client: "moves the first model by [pull.pull:pull]",
		Says: "Clients send their update of the first model, once: its direction is their place."},
	{Phase: registry.Embed, When: "adapt=split|norms|both", Carries: "answer", Sends: "updates, and what is compared", Client: apart,
		Says: "The server measures how different the clients of one cluster are."},
	method.NotCompared,
	{Phase: registry.Cluster, When: "weigh=loss", Client: "takes [loss.k:model]",
		Says: "Each client takes the cluster that explains all of its samples best."},
	{Phase: registry.Cluster, When: "weigh=count", Client: "weights [count.new:models]",
		Says: "Each sample goes to the cluster that explains it best. What a cluster gets is its weight."},
	{Phase: registry.Cluster, When: "weigh=near", If: "first", Says: "k-means joins clients with similar trained models."},
	{Phase: registry.Cluster, When: "weigh=near", Client: "squared distances [near.distances:models]",
		Says: "Each client goes to the cluster with the model nearest to its trained one."},
	{Phase: registry.Cluster, When: "weigh=labels", If: "first", Says: "k-means joins clients with similar shares of labels, once."},
	{Phase: registry.Cluster, When: "weigh=labels", Skips: true, Says: "Not in this round: clients keep their clusters."},
	{Phase: registry.Cluster, When: "weigh=member", If: "moved", Client: united, Says: "The server decides which clients belong together."},
	{Phase: registry.Cluster, When: "weigh=member", Skips: true, Client: united, Says: "Skipped: clients stay in their clusters."},
	method.Weighs,
	{Phase: registry.Match, When: "adapt=split|both", Client: divides, Says: "A cluster splits when its largest distance is more than [hrho:setting] above the mean."},
	{Phase: registry.Match, When: "adapt=norms", Client: "mean update of [stands.k:model]: [stands.mean], longest: [stands.longest]",
		Says: "A cluster splits when its mean update is short while that of a client is long."},
	{Phase: registry.Match, When: "adapt=remove", Says: "After round [spare:setting], clusters that no client prefers are removed."},
	{Phase: registry.Match, When: "adapt=merge", Client: united, Says: "Clusters merge when the cosine of their means is large enough."},
	{Phase: registry.Match, When: assigned, Skips: true, Says: "Nothing to match: every cluster has its model."},
	method.WeightsMatch,
	{Phase: registry.Update, When: assigned, Carries: "answer", Sends: "update", Says: "Each model moves along the mean update of its clients."},
	method.MeanOfExplained,
}

// hcflplusPhases are the texts of HCFL+.
var hcflplusPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, Says: sendsClusters, Sends: "shares of classes"},
	{Phase: registry.Probe, When: "base=fedrc", If: "classes", Client: explained,
		Says: "[each] computes how well each model explains its samples, measured against how common a class is there."},
	{Phase: registry.Probe, Client: explained, Says: "[each] computes how well each model explains each of its samples."},
	{Phase: registry.Embed, Carries: "answer", Sends: "updates and mean features", Client: apart,
		Says: "Clients send mean features as well: the server measures how different those of one cluster are."},
	method.Weighs,
	{Phase: registry.Match, Client: divides, Says: "A cluster splits when its largest distance is more than [hrho:setting] above the mean."},
	method.MeanOfExplained,
}

const (
	assigned      = "weigh=near|labels|member" // choices with which the server gives each client one cluster
	sendsFirst    = "[each] gets the first model, to be compared by, and the models that it is to train."
	sendsClusters = "[each] gets the models of all clusters."
	united        = "most similar cluster: cosine [unite.cosine], threshold [unite.tau]"
	divides       = "largest distance in [divide.k:model]: [divide.largest], [divide.by] above the mean"
	explained     = method.WeightsBefore
	apart         = "farthest in [any.k:model]: client [any.other:client], distance [any.distance]" +
		"|farthest in [concept.k:model]: client [concept.other:client], distance [concept.distance]" +
		"|farthest in [mean.k:model]: client [mean.other:client], distance [mean.distance]" +
		"|farthest in [update.k:model]: client [update.other:client], distance [update.distance]" +
		"|farthest in [anchor.k:model]: client [anchor.other:client], distance [anchor.distance]"
)
