package algorithm

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperKFED = registry.Citation{Authors: "Dennis, Li, Smith", Given: "Don Kurian, Tian, Virginia",
	Title: "Heterogeneity for the Win: One-Shot Federated Clustering",
	Venue: "ICML", Year: 2021, URL: "https://arxiv.org/abs/2103.00697"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "kfed",
			Title:  "k-FED",
			Family: registry.HardClusters,
			Cause:  cause.Once("the centres of their samples"),
			Doc:    "Before training every client clusters its own samples and sends the centres; the server clusters these, once, and trains one model per cluster.",
			By:     "centres of samples, once; K given", Sends: "at first K′ centres of its samples; an update", Counts: "samples",
			Near:  "samples",
			Paper: paperKFED.At("Algorithms 1 and 2"),
			Fields: method.Training(method.FieldK,
				param.Field{Name: "kp", Label: "Centres per client k′", Section: param.Models, Kind: param.Int, Min: 1,
					Max: 16, Low: 1, High: 8, Default: "1", PerLane: true, Advanced: true,
					Doc: "The number of clusters into which a client splits its own samples; the paper's theory needs at most √K. With 1 it sends their mean."},
				param.Field{Name: "centres", Label: "Server initialisation", Section: param.Models, Kind: param.Choice,
					Default: "farthest", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "farthest", Title: "from centres far apart"},
						{Name: "awasthi", Title: "as Awasthi and Sheffet"}},
					Doc: "Where the server's k-means starts: from the first client's centres and those farthest from them (Algorithm 2), or from a projection, as in CLoVE's second comparison."},
				param.Field{Name: "lloyd", Label: "Server's Lloyd iterations", Section: param.Models, Kind: param.Choice,
					Default: "all", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "all", Title: "until nothing changes (the code)"},
						{Name: "one", Title: "one (the paper)"}},
					Doc: "The number of iterations of k-means on the server."},
			),
			Steps:  kfedSteps,
			Phases: kfedPhases,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			s := &kfed{counting: method.Counts(v, method.BySamples, method.ManySamples),
				project: v.Text("centres") == "awasthi"}
			if v.Text("lloyd") == "one" {
				s.kmeans.Iterations, s.awasthi.KMeans.Iterations = 1, 1
			}
			return fl.Plan{Algorithm: s, Models: v.Int("K"), Evidence: fl.GradientFeatures,
				Device: centreReporter{v.Int("kp")}}
		},
	})
}

var kfedSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "once: each client clusters its samples, and sends the centres",
		Says: "Client [client:client] divides its own samples into clusters and sends the server their centres, once.", Sends: "centres of its samples"},
}

var kfedPhases = []*registry.PhaseText{method.SendsOfCluster,
	{Phase: registry.Probe, If: "clusters", Says: "New clients divide their own samples into clusters, and compute the centres."},
	method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, If: "clusters", Says: "New clients send the centres of their samples, once."},
	method.ClusteredOnce,
	{Phase: registry.Cluster, If: "clusters before", Says: "Newcomers join the cluster with the nearest centre."},
	{Phase: registry.Cluster, If: "clusters", Says: "k-means joins similar centres. A client goes where most of its samples are."},
	method.ClustersStay, method.ModelsStay, method.NewGetModels, method.CopyEach,
	method.MeanOfCluster,
}
