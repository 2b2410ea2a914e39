package algorithm

import (
	"slices"
	"sync"

	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "stocfl",
			Title:  "StoCFL",
			Family: registry.HardClusters,
			Cause:  cause.Once("their updates of the first model"),
			Doc:    "Every client begins as a cluster; clusters whose clients update the first model in similar directions merge. Their models are held near a common model.",
			By:     "directions at the first model; finds K", Sends: "at first a gradient; updates of two models", Counts: "clients",
			Paper: registry.Citation{Authors: "Zeng, Hu, Liu, Yu, Wang, Xu",
				Given: "Dun, Xiangjing, Shiyu, Yue, Qifan, Zenglin",
				Title: "Stochastic Clustered Federated Learning",
				Venue: "arXiv", Year: 2023, URL: "https://arxiv.org/abs/2303.00897"}.At("Algorithms 1 and 2, and the released code"),
			Fields: method.Without(method.Training(
				grouping.FieldLike,
				param.Field{Name: "tie", Label: "Regularisation λ", Section: param.Models, Kind: param.Float,
					Min: 0, Max: 100, Low: 0, High: 1, Step: 0.01, Default: "0.05",
					Tune:    &param.Space{Low: 0.005, High: 0.5, Log: true, Source: "a decade on either side of the default"},
					PerLane: true, Advanced: true,
					Doc: "How strongly cluster models are pulled towards the common model."},
				grouping.FieldLook,
				method.FieldMost,
			), "keep"),
			Steps:  stocflSteps,
			Phases: stocflPhases,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			clusters := min(v.Int("most"), clients)
			server := &stocfl{counting: method.Counts(v, method.ByClients, method.OneClient),
				Agglomerative: grouping.Agglomerative{Tau: v.Float("like"), Find: grouping.FindsLike(v),
					Clusters: clusters}}
			return fl.Plan{Algorithm: server, Models: clusters + 1, Evidence: fl.GradientFeatures, UpdatesKept: 1,
				Device: &directionClient{AnchorUpdate: grouping.NewAnchorUpdate(v), lambda: float32(v.Float("tie")),
					common: clusters}, AnswerModels: 2}
		},
	})
}

// stocfl is bottom-up clustering by updates of the first model, which every client sends once, with the cluster models'
// objective
//
//	f(θ_c) + (λ/2)·‖θ_c − w‖²
//
// Models 0 to most − 1 are those of clusters. The last one is w, which all clients train in addition, and which clients
// without a cluster use.
//
// The released code trains w on one client after the other; here, as in the paper, it is moved by the mean update of
// all. Clusters are compared by the mean over all of their clients that have replied, while the code takes only the
// clients of the round. When clusters outnumber models, the nearest clusters are merged whatever τ is. Both means count
// every client once, as the code does.
type stocfl struct {
	grouping.Agglomerative
	counting method.Counting
	weights  []float64 // weight of each client in a mean
}

func (s *stocfl) Start(env *fl.Env, label []int) {
	s.Agglomerative.Start(env, s.Clusters)
	s.weights = s.counting.Of(env.Samples)
	for i := range label {
		label[i] = s.Clusters
	}
}

func (s *stocfl) Round(r *fl.Round) {
	s.askDirections(r)
	s.Merge(r, 0, r.Bank.Model(s.Clusters))
	for _, i := range r.Participants {
		if s.Known[i] {
			r.AskUpdate(i, s.Clusters)
			r.AskCall(i, opTrain+r.Label[i], nil, r.Label[i], s.Clusters)
		}
	}
	r.Ask()
	for k := range s.Clusters {
		r.ApplyWeighted(k, func(i int) ([]float32, float64) {
			return r.Answer(i), s.weights[i] * indicator(r.Cluster(i) == k)
		})
	}
	r.ApplyWeighted(s.Clusters, func(i int) ([]float32, float64) { return r.Update(i, 0), s.weights[i] })
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// askDirections asks newcomers for their update of the first model.
func (s *stocfl) askDirections(r *fl.Round) {
	come := false
	for _, i := range r.Participants {
		if !s.Known[i] {
			r.AskCall(i, opDirection, s.Reference)
			come = true
		}
	}
	if !come {
		return
	}
	r.Ask()
	for _, i := range r.Replied {
		s.Add(i, r.Answer(i))
		if rec := r.Recorder(); rec.Follows(i) {
			rec.ReplaceAnswer("direction", fl.Weights("direction", r.Answer(i)))
		}
		r.Reclustered = true
	}
	s.Compare()
}

// Operations of the device: send the update of the first model, which is part of the request; opTrain + k trains model
// k.
const (
	opDirection = 1
	opTrain     = 2
)

// directionClient is the client's side.
type directionClient struct {
	grouping.AnchorUpdate
	lambda float32
	common int
	idle   sync.Pool // pool of *proximalGradient
}

// Do answers with the update of the first model, or with the update of a cluster's model with a pull towards the common one.
func (d *directionClient) Do(dst []float32, op int, with []float32, at fl.ClientContext) []float32 {
	if op == opDirection {
		return d.Append(dst, with, at)
	}
	m := at.Model()
	from, size := len(dst), m.Size()
	dst = slices.Grow(dst, size)[:from+size]
	p, _ := d.idle.Get().(*proximalGradient)
	if p == nil {
		p = new(proximalGradient)
		p.gradient = p.compute
	}
	defer d.idle.Put(p)
	p.model, p.centre, p.strength = m, at.Scratch(2, size), d.lambda
	copy(p.centre, at.Params(d.common))
	at.Update(dst[from:], at.Params(op-opTrain), p.gradient)
	at.Protect(dst[from:])
	return dst
}

var stocflSteps = []registry.Step{
	{Name: "direction", Phase: registry.Probe, Code: "once: each client trains the initial model, and sends the update",
		Says: "Client [client:client] trains the initial model and sends the server the update, once, to be compared by its direction.", Sends: "update"},
	{Name: fl.StepAnswer, Phase: registry.Update, Code: "clients send an update of their cluster’s model, held near the common one",
		Says: "Client [client:client] trains the model of its cluster, held near the common one, and sends the server the update.", Sends: "update"},
	{Name: fl.StepExtra, Phase: registry.Broadcast, Code: "send each client the initial model",
		Says: "The server sends client [client:client] the initial model, which is the same for all.", Sends: "initial model"},
}

var stocflPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, If: "clusters", Sends: "initial model",
		Says: "New clients get the initial model. Then each gets its cluster’s model and the common one."},
	{Phase: registry.Broadcast, Says: "[each] gets its cluster’s model and the common one: twice the traffic of one."},
	{Phase: registry.Probe, If: "clusters", Client: "moves the model by [direction.direction:pull]",
		Says: "New clients train the initial model: the direction shows how they differ."},
	{Phase: registry.Probe, When: "avg=model", Says: "[each] trains both models on its own samples. The changes are its updates."},
	{Phase: registry.Probe, Says: "[each] computes which way [samples] pull both models: two gradients."},
	{Phase: registry.Embed, If: "clusters", Carries: "direction", Says: "New clients send their update, once: its direction is their place."},
	method.ClusteredOnce,
	{Phase: registry.Cluster, If: "clusters", Says: "Each new client begins alone. Clusters with similar directions merge."},
	{Phase: registry.Cluster, If: "moved", Says: "Clusters with similar directions merge."},
	method.ClustersStay,
	{Phase: registry.Match, If: "clusters", Says: "A new cluster gets the initial model. One that merged keeps that of its larger part."},
	{Phase: registry.Match, If: "moved", Says: "A merged cluster keeps the model of its larger part."},
	method.ModelsStay,
	{Phase: registry.Update, When: "tie=0", Carries: "answer train", Says: "Each model moves along the mean [gradient] of its cluster."},
	{Phase: registry.Update, Carries: "answer train",
		Says: "Each model moves along the mean [gradient] of its cluster, and is held near the common one."},
}
