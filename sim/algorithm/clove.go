package algorithm

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "clove",
			Title: "CLoVE",
			Doc:   "Every client reports its losses on all K models; the server clusters these vectors and gives each cluster a model of its own.",
			By:    "losses on K models; K given or found", Sends: "K losses; an update", Counts: "samples",
			Paper: registry.CLoVE.At("Algorithm 1"),
			Fields: allSamples(training(fieldK, FieldProbe,
				param.Field{Name: "sqrt", Label: "Square roots", Section: param.Models, Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
					Doc: "Cluster the square roots of the losses (SLV), as the paper's theory does."},
				param.Field{Name: "bestk", Label: "Number of clusters", Section: param.Models, Kind: param.Choice, Default: "given", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "given", Title: "K, as given"},
						{Name: "silhouette", Title: "chosen in every round", Doc: "Algorithm 2 of the later version: the number whose clusters stand apart best, by silhouette.", Fields: []param.Field{fieldMost,
							{Name: "margin", Label: "More only if better by", Section: param.Models, Kind: param.Float, Min: 0, Max: 1, High: 0.3, Step: 0.05, Default: "0", PerLane: true, Advanced: true,
								Doc: "By how much, relative to the best silhouette so far, a larger number must beat it. The paper asks for any gain, its code for 0.1."}}}},
					Doc: "Whether the server knows how many kinds of clients there are."},
				param.Field{Name: "by", Label: "Clusters by", Section: param.Models, Kind: param.Choice, Default: "kmeans", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "kmeans", Title: "k-means"}, {Name: "ward", Title: "merging, Ward's linkage"}},
					Doc:     "How loss vectors are clustered. Merging is the paper's ablation."},
				param.Field{Name: "match", Label: "Matching", Section: param.Models, Kind: param.Switch, Default: "1", PerLane: true, Advanced: true,
					Doc: "Give each cluster the model on which it loses least. Without it the cluster of the first client gets the first model, and so on (ablation)."},
				param.Field{Name: "first", Label: "First round", Section: param.Models, Kind: param.Choice, Default: "losses", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "losses", Title: "by losses, as every round"}, {Name: "random", Title: "clusters at random"}},
					Doc:     "The paper's supervised experiments begin with random clusters, so that models differ in kind before they are compared."},
				param.Field{Name: "grad", Label: "Gradients of", Section: param.Models, Kind: param.Choice, Default: "batch", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "batch", Title: "the minibatch"}, {Name: "all", Title: "all training samples"}},
					Doc:     "With gradient averaging (Option II) Algorithm 1 has clients send a stochastic gradient; the released code takes that of all local data at once."},
				fieldStart,
				fieldSettle,
			)),
			Steps: []registry.Step{
				{Name: fl.StepSend, Phase: registry.Broadcast, Lines: "4", Code: "broadcast all K models to the clients of this round",
					Says:    "Client [client:client] receives model [k:model].",
					Formula: "θ_1, …, θ_K"},
				{Name: fl.StepLosses, Phase: registry.Probe, Lines: "5–7", Code: "each client i runs its data through all models and sends the vector of losses",
					Says:    "Client [client:client] reports its losses on all models: [losses:models].",
					Formula: "L^i = ( L^i(θ_1), …, L^i(θ_K) )", Numbers: "L^{[client:client]} = [losses:models]"},
				{Name: "cluster", Phase: registry.Cluster, Lines: "8–9", Code: "cluster the loss vectors",
					Says:    "Of [clients] loss vectors that of client [client:client] falls into a group of [size], with these losses in the mean.",
					Formula: "mean_{i∈Q} L^i", Numbers: "[vector:models] near [mean:models]"},
				{Name: "match", Phase: registry.Match, Lines: "10", Code: "match clusters with models at the least total loss, no model twice",
					Says:    "Its group loses [total:models] on the models in total. The matching gives it model [k:model]; the client had [before:model].",
					Formula: "c_i ← argmin_{matchings} Σ_i L^i(θ_{c_i})", Numbers: "[before:model] → [k:model]"},
				{Name: fl.StepTrain, Phase: registry.Update, Lines: "11–12", Code: "each client i sends its gradient of its model, or the model after training",
					Says:    "Client [client:client] answers with its update of model [k:model].",
					Formula: "g_i = ∇L^i(θ_{c_i})", Numbers: "g_{[client:client]} = [gradient]"},
				{Name: fl.StepDescend, Phase: registry.Update, Lines: "13–15", Code: "each model follows the mean update of its clients, weighted by their samples",
					Says:    "Model [k:model] moves along the mean update of its clients.",
					Formula: "θ_j ← θ_j − γ · frac{Σ_i n_i g_i}{Σ_i n_i}", Numbers: "[new] ← [old] − [step] · [mean]"},
			},
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &clove{counting: counts(v, bySamples, manySamples), sqrt: v.Switch("sqrt"), merge: v.Text("by") == "ward",
				match: v.Switch("match"), random: v.Text("first") == "random", alike: v.Text("start") == "same"}
			p := fl.Plan{Server: s, Models: v.Int("K"), Evidence: fl.LossVectors, Streams: true,
				Protocol: fl.Protocol{Whole: v.Text("grad") == "all"}}
			if s.search = v.Text("bestk") == "silhouette"; s.search {
				s.choice.Margin = v.Float("margin")
				p.Models = min(v.Int("most"), clients)
			}
			if v.Text("settle") == "stable" {
				s.settling = &settling{calm: v.Int("calm"), share: v.Float("agree")}
				p.Device = taster{}
			}
			return p
		},
	})
}

// fieldMost bounds the number of models where a method finds it.
var fieldMost = param.Field{Name: "most", Label: "Models at most", Section: param.Models, Kind: param.Int, Min: 1, Max: 64, High: 24, Low: 1, Default: "15", PerLane: true, Advanced: true,
	Doc: "The server keeps as many models, but no more than there are clients, and uses some of them."}

// clove is Algorithm 1, with known K or with that of the later version's Algorithm
// 2, over whoever takes part, and averaging weighted by the clients' numbers of
// samples: of models (Option I) or of gradients (Option II), of a minibatch as printed or of all samples. Steps have the lines of
// the version that is cited, as its text counts them.
type clove struct {
	counting counting
	weights  []float64 // what each client counts
	sqrt     bool
	search   bool      // for the number of clusters
	merge    bool      // by Ward's linkage and not by k-means
	match    bool      // clusters with models
	random   bool      // clusters in round 0
	alike    bool      // models at the start
	settling *settling // nil: clusters are looked for in every round

	env      *fl.Env
	losses   clusterer.Matrix // clients × K, square roots if wanted
	heard    clusterer.Matrix // the rows of those who told their losses, where some did not
	told     []int            // clients whose losses of this round are finite, ascending
	choice   clusterer.SelectK
	kmeans   clusterer.KMeans
	tree     clusterer.Agglomerative
	assigner clusterer.Assigner
	cost     clusterer.Matrix // found clusters × K: summed losses of the cluster on the model
	modelOf  []int            // of each found cluster
	found    []int            // cluster of each client at random
	stream   rng.Stream
}

func (s *clove) Start(env *fl.Env, label []int) {
	s.env = env
	clear(label)
	s.weights = s.counting.of(env.Samples)
	s.losses.Reshape(env.Clients, env.Models)
	s.cost.Reshape(env.Models, env.Models)
	s.modelOf, s.found, s.told = make([]int, env.Models), make([]int, env.Clients), make([]int, 0, env.Clients)
	if s.alike {
		startAlike(env.Exchange.Bank)
	}
	if s.search {
		s.rehearse()
	}
	if s.settling != nil {
		s.settling.start(env)
	}
}

// rehearse clusters something, so that no round has to make room.
func (s *clove) rehearse() {
	for at := range s.losses.Data {
		s.losses.Data[at] = float64(at / s.env.Models)
	}
	s.choice.Merge(&s.losses, s.env.Models)
	s.stream.Reset(s.env.Seed, rng.Clustering, 0, 0)
	s.pair(&s.losses, s.groups(&s.losses, s.env.Models), s.env.Models)
	clear(s.losses.Data)
}

func (s *clove) Round(r *fl.Round) {
	blind := s.random && r.T == 0
	switch {
	case blind:
		s.scatter(r)
	case s.settling != nil && s.settling.settled(s, r):
		s.settling.place(s, r)
	default:
		s.look(r)
	}
	for i := range r.Replies() {
		r.Accumulate(i, s.weights[i])
	}
	r.ApplyMean(nil)
	if s.settling != nil && !blind {
		s.settling.note(r)
	}
}

// look has the clients report their losses, clusters them, and asks for updates.
func (s *clove) look(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskLosses(i)
	}
	r.Ask()
	s.told = s.told[:0]
	for _, i := range r.Replied {
		if areFinite(r.Losses(i)) {
			row := s.losses.Row(i)
			copy(row, r.Losses(i))
			s.transform(row)
			s.told = append(s.told, i)
		}
	}
	if len(s.told) > 0 {
		s.cluster(r)
	}
	for _, i := range r.Replied {
		r.AskUpdate(i, r.Label[i])
	}
}

// transform takes the roots of losses, if these are what is compared.
func (s *clove) transform(losses []float64) {
	if s.sqrt {
		for k, l := range losses {
			losses[k] = math.Sqrt(l)
		}
	}
}

// scatter puts clients into random clusters, none of them empty, and asks for
// their updates of the models that these get: losses would not count.
func (s *clove) scatter(r *fl.Round) {
	n := len(r.Participants)
	clusters := min(s.env.Models, n)
	found, size := s.found[:n], s.modelOf[:clusters]
	clear(size)
	for m, i := range r.Participants {
		s.stream.Reset(s.env.Seed, rng.Labels, i, 0)
		found[m] = s.stream.IntN(clusters)
		size[found[m]]++
	}
	s.stream.Reset(s.env.Seed, rng.Labels, 0, 1)
	for g := range size {
		for size[g] == 0 {
			if m := s.stream.IntN(n); size[found[m]] > 1 {
				size[found[m]]--
				found[m] = g
				size[g]++
			}
		}
	}
	s.number(found, clusters)
	for m, i := range r.Participants {
		r.Label[i] = s.modelOf[found[m]]
		r.AskUpdate(i, r.Label[i])
	}
}

// cluster groups the clients that told their losses, into no more clusters than there are
// clients, and gives each found cluster the model that costs its members least in
// total, and no model twice: a min-cost matching.
func (s *clove) cluster(r *fl.Round) {
	points := &s.losses
	if len(s.told) < s.env.Clients {
		points = &s.heard
		points.Reshape(len(s.told), s.env.Models)
		for n, i := range s.told {
			copy(points.Row(n), s.losses.Row(i))
		}
	}
	clusters := min(s.env.Models, points.Rows)
	if s.search {
		clusters = s.choice.Merge(points, clusters)
	}
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, 0)
	found := s.groups(points, clusters)
	r.Reclustered = true
	if s.match {
		s.pair(points, found, clusters)
	} else {
		s.number(found, clusters)
	}
	for n, i := range s.told {
		if rec := r.Recorder(); rec.Follows(i) {
			s.explain(rec, points, found, n, r.Label[i])
		}
		r.Label[i] = s.modelOf[found[n]]
	}
}

// explain notes how the n-th of the clients came to its model.
func (s *clove) explain(rec *fl.Recorder, points *clusterer.Matrix, found []int, n, before int) {
	size, total := 0, make([]float64, s.env.Models)
	for m, g := range found {
		if g == found[n] {
			size++
			for k, l := range points.Row(m) {
				total[k] += l
			}
		}
	}
	mean := make([]float64, len(total))
	for k, l := range total {
		mean[k] = l / float64(size)
	}
	rec.Note("cluster", fl.Whole("clients", len(found)), fl.Whole("size", size), fl.Floats("vector", points.Row(n)), fl.Floats("mean", mean))
	rec.Note("match", fl.Floats("total", total), fl.Whole("before", before), fl.Whole("k", s.modelOf[found[n]]))
}

// groups splits points into so many clusters.
func (s *clove) groups(points *clusterer.Matrix, clusters int) (found []int) {
	if s.merge {
		s.tree.Fit(points)
		return s.tree.Tree.Cut(clusters)
	}
	s.kmeans.Fit(points, clusters, &s.stream)
	return s.kmeans.Labels
}

// pair finds the model of each cluster by the matching of least total loss.
func (s *clove) pair(points *clusterer.Matrix, found []int, clusters int) {
	s.cost.Reshape(clusters, s.env.Models)
	clear(s.cost.Data)
	for n, g := range found {
		row := s.cost.Row(g)
		for k, l := range points.Row(n) {
			row[k] += l
		}
	}
	s.assigner.Assign(s.modelOf[:clusters], &s.cost)
}

// number gives the cluster of the first client the first model, the next new
// cluster the second, and so on.
func (s *clove) number(found []int, clusters int) {
	of := s.modelOf[:clusters]
	for g := range of {
		of[g] = -1
	}
	next := 0
	for _, g := range found {
		if of[g] < 0 {
			of[g] = next
			next++
		}
	}
}

// Embedding returns the loss vectors, as they were clustered.
func (s *clove) Embedding() *clusterer.Matrix {
	return &s.losses
}
