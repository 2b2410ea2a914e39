package method

import "flockscope/sim/registry"

// Texts of phases that several methods share (see [registry.PhaseText]).
var (
	SendsOneModel = &registry.PhaseText{Phase: registry.Broadcast, Says: "[each] gets the one model."}
	// SendsAllModels follows SendsSingle.
	SendsSingle    = &registry.PhaseText{Phase: registry.Broadcast, If: "single", Says: "[each] gets the one model."}
	SendsAllModels = &registry.PhaseText{Phase: registry.Broadcast,
		Says: "[each] gets all [K:word] models: [K:word] times the traffic of one."}
	SendsOfCluster = &registry.PhaseText{Phase: registry.Broadcast, Says: "[each] gets the model of its cluster."}

	// TrainsIts and Gradient belong together, in this order.
	TrainsIts = &registry.PhaseText{Phase: registry.Probe, When: "avg=model",
		Says: "[each] trains its model on its own samples. The change is its update."}
	Gradient = &registry.PhaseText{Phase: registry.Probe,
		Says: "[each] computes which way [samples] pull its model: the gradient."}
	TrainsOne = &registry.PhaseText{Phase: registry.Probe, When: "avg=model",
		Says: "[each] trains the model on its own samples. The change is its update."}
	GradientOfOne = &registry.PhaseText{Phase: registry.Probe,
		Says: "[each] computes which way [samples] pull the model: the gradient."}
	Explains = &registry.PhaseText{Phase: registry.Probe,
		Says: "[each] computes how well each model explains each of its samples.", Client: WeightsBefore}

	NotCompared = &registry.PhaseText{Phase: registry.Embed, Skips: true, Says: "Skipped: clients are not compared."}
	OneForAll   = &registry.PhaseText{Phase: registry.Cluster, Skips: true, Says: "Skipped: all clients share one model."}
	OneToMatch  = &registry.PhaseText{Phase: registry.Match, Skips: true, Says: "Skipped: there is one model."}
	AllAlone    = &registry.PhaseText{Phase: registry.Cluster, Skips: true, Says: "Skipped: there are no clusters."}
	OwnToMatch  = &registry.PhaseText{Phase: registry.Match, Skips: true, Says: "Skipped: every client has a model of its own."}

	Weighs = &registry.PhaseText{Phase: registry.Cluster,
		Says:   "[each] weighs the models by how well they explain its samples. No model is its own.",
		Client: "weights [weights.new:models]|weights [em.new:models]|weights [sample.new:models]|weights [count.new:models]"}
	WeightsMatch = &registry.PhaseText{Phase: registry.Match, Skips: true,
		Says: "Nothing to match: a client’s weights name the models."}

	// Methods that cluster clients once, when they have sent something.
	ClusteredOnce = &registry.PhaseText{Phase: registry.Embed, If: "before !clusters", Skips: true,
		Says: "Not in this round: clients were compared once, in round [found]."}
	ClustersStay = &registry.PhaseText{Phase: registry.Cluster, If: "before !clusters", Skips: true,
		Says: "Not in this round: clusters stay as they are."}
	ModelsStay = &registry.PhaseText{Phase: registry.Match, If: "before !clusters", Skips: true,
		Says: "Not in this round: every client keeps its model."}
	NewGetModels = &registry.PhaseText{Phase: registry.Match, If: "before",
		Says: "Newcomers get the model of the cluster that they join."}
	CopyEach = &registry.PhaseText{Phase: registry.Match, Says: "Each cluster gets a model: at first, all models are equal."}
	NotYet   = &registry.PhaseText{Phase: registry.Cluster, If: "!clusters", Skips: true,
		Says: "Not yet: too few clients have replied."}
	NotYetMatched = &registry.PhaseText{Phase: registry.Match, If: "!clusters", Skips: true,
		Says: "Not yet: too few clients have replied."}

	MeanOfCluster = &registry.PhaseText{Phase: registry.Update,
		Says: "Each model moves along the mean [gradient] of its cluster."}
	MeanOfAll = &registry.PhaseText{Phase: registry.Update,
		Says: "The model moves along the mean of all [clients] [gradients]."}
	// MeanOfOneReply is for rounds in which one client replied.
	MeanOfOneReply = &registry.PhaseText{Phase: registry.Update, Carries: "answer train", Sends: "[gradient]",
		Says: "The model moves along the [gradient] of the one client that replied."}
	// MeanOfExplained is for methods whose clients send an update of each model in one answer.
	MeanOfExplained = &registry.PhaseText{Phase: registry.Update, Carries: "answer train", Sends: "updates of all models",
		Says: "Each model moves along the mean of its updates, each made on the samples that it explains."}
)

// WeightsBefore are the numbers of a client before it weighs models.
const WeightsBefore = "weights so far: [weights.old:models]|weights so far: [em.old:models]" +
	"|weights so far: [sample.old:models]|weights so far: [count.old:models]"
