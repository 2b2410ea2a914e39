package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperFedClust = registry.Citation{Authors: "Islam, Javaherian, Xu, Yuan, Chen, Tzeng",
	Given: "Md Sirajul, Simin, Fei, Xu, Li, Nian-Feng",
	Title: "FedClust: Tackling Data Heterogeneity in Federated Learning through Weight-Driven Client Clustering",
	Venue: "ICPP", Year: 2024, URL: "https://arxiv.org/abs/2407.07124"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedclust",
			Title:  "FedClust",
			Family: registry.HardClusters,
			Cause:  cause.Once("the last layers that they trained first"),
			Doc:    "Before training, clients take some steps from a common start and send their last layer; the server merges clients whose last layers are close, once, and trains one model per cluster.",
			By:     "distances of last layers, once; finds K", Sends: "one last layer, trained from a common initial model, then one update per round", Counts: "samples",
			Near:  "models",
			Paper: paperFedClust,
			Fields: method.Training(
				param.Field{Name: "far", Label: "Threshold λ", Section: param.Models, Kind: param.Float, Min: -1,
					Max: 1e6, Low: -1, High: 5, Step: 0.01, Default: "-1", PerLane: true,
					Doc: "Clusters are merged while the Euclidean distance of their last layers is at most this. −1 finds the threshold from the clients' distances (Otsu's rule). With 0, clients with different last layers are merged only until there are no more clusters than models."},
				fieldPreSteps,
				fieldMerge,
				method.FieldMost,
			),
			Steps:  fedclustSteps,
			Phases: fedclustPhases,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &fedclust{counting: method.Counts(v, method.BySamples, method.ManySamples), threshold: v.Float("far")}
			s.tree.Linkage = linkageOf(v)
			return fl.Plan{Algorithm: s, Models: min(v.Int("most"), clients), Evidence: fl.GradientFeatures,
				Device: headReporter{v.Int("pre")}, AnswerModels: 1}
		},
	})
}

// fedclust is FedClust: it clusters once, by the distances of last layers, and then runs FedAvg in each cluster. All
// clusters begin with one start model.
//
// The paper clusters all clients before the first round. Here the clients of the first round with replies are
// clustered; all others are newcomers. Steps of plain descent as the short training, the linkage, the way to find λ and
// the mean that newcomers are compared with are choices made here, not values from the paper.
type fedclust struct {
	threshold float64 // λ; negative if it is to be found
	counting  method.Counting
	weights   []float64 // weight of each client in a mean

	env       *fl.Env
	origin    []float32        // the start model, the same for all
	heads     clusterer.Matrix // last layers that were received, clients × their size
	known     []bool           // clients that have replied
	assigned  []bool           // clients that have a cluster
	arrived   []int            // clients whose last layer was received in this round, ascending
	means     grouping.Means   // mean last layer of each cluster
	distances clusterer.Matrix // distances of clients' last layers from these means, clients × models
	clustered bool             // clients have been clustered
	between   clusterer.Matrix // distances among the clients that are clustered
	tree      clusterer.Agglomerative
}

func (s *fedclust) Start(env *fl.Env, label []int) {
	s.env, s.weights = env, s.counting.Of(env.Samples)
	clear(label)
	method.StartAlike(env.Exchange.Bank)
	s.origin = slices.Clone(env.Exchange.Bank.Model(0))
	s.known, s.assigned = make([]bool, env.Clients), make([]bool, env.Clients)
	s.heads.Reshape(env.Clients, env.Head.Len())
	clear(s.heads.Data)
	s.distances.Reshape(env.Clients, env.Models)
	clear(s.distances.Data)
}

func (s *fedclust) Round(r *fl.Round) {
	if s.askHeads(r); len(s.arrived) > 0 {
		if s.clustered {
			s.join(r)
		} else {
			s.cluster(r)
		}
		s.updateDistances()
		r.Reclustered = true
	}
	askModels(r, s.known)
	r.ApplyMean(s.weights)
}

// askHeads asks clients without a cluster for their last layer. A client that sends numbers that are not finite keeps
// its model and is asked again.
func (s *fedclust) askHeads(r *fl.Round) {
	s.arrived = s.arrived[:0]
	asked := false
	for _, i := range r.Participants {
		if !s.assigned[i] {
			r.AskCall(i, opHead, s.origin)
			asked = true
		}
	}
	if !asked {
		return
	}
	r.Ask()
	for _, i := range r.Replied {
		if s.known[i] = true; !numeric.IsFinite(r.Answer(i)) {
			continue
		}
		s.arrived = append(s.arrived, i)
		for j, v := range r.Answer(i) {
			s.heads.Row(i)[j] = float64(v)
		}
	}
}

// cluster merges clients up to the distance λ, and further while there are more clusters than models.
func (s *fedclust) cluster(r *fl.Round) {
	n := len(s.arrived)
	s.between.Reshape(n, n)
	clear(s.between.Data)
	for a, i := range s.arrived {
		for b, j := range s.arrived[:a] {
			d := euclidean(s.heads.Row(i), s.heads.Row(j))
			s.between.Row(a)[b], s.between.Row(b)[a] = d, d
		}
	}
	s.tree.FitDistances(&s.between)
	labels, k := cutTree(&s.tree.Tree, s.threshold)
	if k > s.env.Models {
		labels = s.tree.Tree.Cut(s.env.Models)
	}
	for a, i := range s.arrived {
		r.Label[i], s.assigned[i] = labels[a], true
	}
	s.means.Fit(&s.heads, r.Label, s.env.Models, func(i int) bool { return s.assigned[i] })
	s.clustered = true
}

// join gives newcomers the cluster whose mean last layer is nearest to theirs.
func (s *fedclust) join(r *fl.Round) {
	for _, i := range s.arrived {
		r.Label[i], s.assigned[i] = s.means.Nearest(s.heads.Row(i)), true
	}
}

// updateDistances computes the distances of participants to clusters, for the map.
func (s *fedclust) updateDistances() {
	for _, i := range s.arrived {
		for k := range s.env.Models {
			s.distances.Row(i)[k] = euclidean(s.heads.Row(i), s.means.At.Row(k))
		}
	}
}

// euclidean returns the Euclidean distance of two last layers.
func euclidean(a, b []float64) float64 {
	total := 0.0
	for j, v := range a {
		e := v - b[j]
		total += float64(e * e)
	}
	return math.Sqrt(total)
}

// Embedding returns the distances of clients' last layers from the clusters' means.
func (s *fedclust) Embedding() *clusterer.Matrix { return &s.distances }

// headReporter is the client's side: it trains the start model for some steps and answers with the last layer, or with
// the whole model if it has no layers.
type headReporter struct{ steps int }

func (d headReporter) Do(dst []float32, _ int, start []float32, at fl.ClientContext) []float32 {
	head := model.Segment{Hi: len(start)}
	if n := at.Network(); n != nil {
		head = n.Head()
	}
	from := len(dst)
	dst = append(dst, head.Of(trainedFrom(start, d.steps, at))...)
	at.Quantize(dst[from:])
	return dst
}

// opHead asks a device for its last layer after some steps from the start model.
const opHead = 1

var fedclustSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "once: each client trains the initial model for a few steps, and sends its last layer",
		Says: "Client [client:client] trains the initial model for a few steps and sends the server its last layer, once, to compare clients by.", Sends: "last layer"},
	{Name: fl.StepExtra, Phase: registry.Broadcast, Code: "send each client the initial model",
		Says: "The server sends client [client:client] the initial model, which is the same for all.", Sends: "initial model"},
}

var fedclustPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, If: "clusters", Sends: "initial model",
		Says: "New clients get the initial model. Then each gets the model of its cluster."},
	method.SendsOfCluster,
	{Phase: registry.Probe, If: "clusters", Client: "last layer after these steps: [answer.answer]",
		Says: "New clients train the initial model for a few steps: their last layers show how they differ."},
	method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, If: "clusters", Says: "New clients send this last layer, once: it is their place."},
	method.ClusteredOnce,
	{Phase: registry.Cluster, If: "clusters before", Says: "Newcomers join the cluster whose mean last layer is nearest to theirs."},
	{Phase: registry.Cluster, If: "clusters", Says: "Clients whose last layers are close are merged, once."},
	method.ClustersStay, method.ModelsStay, method.NewGetModels, method.CopyEach,
	method.MeanOfCluster,
}
