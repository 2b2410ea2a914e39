package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

var paperFeSEM = registry.Citation{Authors: "Long, Xie, Shen, Zhou, Wang, Jiang",
	Given: "Guodong, Ming, Tao, Tianyi, Xianzhi, Jing",
	Title: "Multi-Center Federated Learning: Clients Clustering for Better Personalization",
	Venue: "World Wide Web", Year: 2023, URL: "https://arxiv.org/abs/2108.08647"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fesem",
			Title:  "FeSEM",
			Family: registry.HardClusters,
			Cause:  cause.Every("the models that they trained"),
			Doc:    "k-means among trained models: a client belongs to the server's model nearest to its own trained model, and each model becomes the mean of its clients' models.",
			By:     "distances of trained models; K given", Sends: "an update", Counts: "clients",
			Near:  "models",
			Paper: paperFeSEM.At("Algorithm 1"),
			Fields: method.Training(method.FieldK,
				param.Field{Name: "centers", Label: "Initial centres", Section: param.Models, Kind: param.Choice,
					Default: "trained", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "trained", Title: "from the first trained models"},
						{Name: "released", Title: "as in FlexCFL's code", Doc: "Centres are drawn while all clients have the first one, and a model takes over that of its first client only. All clients stay in one cluster."}},
					Doc: "Where the centres begin: k-means++ among models that all clients trained from one start, or the way of a public implementation, whose results are poor."},
			),
			Stochastic: true,
			Steps:      fesemSteps,
			Phases:     fesemPhases,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			p := fl.Plan{Algorithm: &fesem{counting: method.Counts(v, method.ByClients, method.OneClient),
				released: v.Text("centers") == "released"}, Models: v.Int("K"), Evidence: fl.GradientFeatures}
			if method.Keeps(v) {
				p.ModelsKept = 1 // the trained models, which are averaged
			}
			return p
		},
	})
}

// fesem is stochastic expectation maximisation over models: in the E-step every client is assigned to the nearest
// centre; in the M-step every centre becomes the mean of its clients' models. A client's model is the model that it
// received minus its update.
type fesem struct {
	released bool // reproduce the two errors of FlexCFL's code
	counting method.Counting
	weights  []float64 // weight of each client in a mean

	env         *fl.Env
	clustered   bool             // the clients have been clustered once
	trained     [][]float32      // before the first clustering: updates of the start model, nil for clients without one
	present     []int            // clients whose models count in this round, ascending
	received    []int            // the model that each of these clients received
	clientModel []float32        // one client's trained model
	difference  []float32        // difference of that model from a centre
	sum         []float64        // sum of the models of a centre's clients
	next        fl.Bank          // the centres after this round
	distances   clusterer.Matrix // of clients' models from the centres, clients × K

	updates [][]float32
	start   grouping.ModelKMeans
}

func (s *fesem) Start(env *fl.Env, label []int) {
	s.env, s.clustered, s.weights = env, s.released, s.counting.Of(env.Samples)
	clear(label)
	c, d := env.Clients, env.Size
	s.trained, s.present, s.received = make([][]float32, c), make([]int, 0, c), make([]int, c)
	s.clientModel, s.difference, s.sum = make([]float32, d), make([]float32, d), make([]float64, d)
	s.next = fl.NewBank(env.Models, d)
	s.distances.Reshape(c, env.Models)
	clear(s.distances.Data)
}

func (s *fesem) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
	}
	r.Ask()
	copy(s.received, r.Label)
	if !s.clustered {
		if s.collect(r); len(s.present) < s.env.Models {
			s.copyUpdates(r)
			return
		}
		s.cluster(r)
		s.maximise(r)
		s.measure(r, &s.next)
		clear(s.trained)
	} else {
		s.present = append(s.present[:0], r.Replied...)
		s.measure(r, r.Bank)
		s.expect(r)
		s.maximise(r)
	}
	copy(r.Bank.Params, s.next.Params)
	if rec := r.Recorder(); rec != nil && slices.Contains(s.present, rec.Client) {
		rec.Note("distances", fl.Floats("distances", s.distances.Row(rec.Client)))
	}
	r.Reclustered = len(s.present) > 0
}

// collect lists the clients that have trained the start model so far. As it does not move before the first clustering,
// their last updates of it are comparable.
func (s *fesem) collect(r *fl.Round) {
	for _, i := range r.Replied {
		s.trained[i] = r.Update(i, 0)
	}
	s.present = s.present[:0]
	for i, update := range s.trained {
		if update != nil {
			s.present = append(s.present, i)
		}
	}
}

// copyUpdates copies the updates of this round, because their buffers are reused.
func (s *fesem) copyUpdates(r *fl.Round) {
	for _, i := range r.Replied {
		s.trained[i] = slices.Clone(s.trained[i])
	}
}

// update returns the update of client i that counts: that of this round or, before the first clustering, the last one.
func (s *fesem) update(r *fl.Round, i int) []float32 {
	if s.trained[i] != nil {
		return s.trained[i]
	}
	return r.Update(i, 0)
}

// cluster clusters clients by k-means among their models, trained from one start.
func (s *fesem) cluster(r *fl.Round) {
	s.updates = s.updates[:0]
	for _, i := range s.present {
		s.updates = append(s.updates, s.update(r, i))
	}
	labels := s.start.Fit(s.updates, s.env.Models, s.env.Stream(rng.Clustering, r.T, 0))
	for a, i := range s.present {
		r.Label[i] = labels[a]
	}
	s.clustered = true
}

// measure computes the distances of the clients' models to the centres.
func (s *fesem) measure(r *fl.Round, centres *fl.Bank) {
	for _, i := range s.present {
		s.setOwn(r, i)
		for k := range centres.Models() {
			copy(s.difference, s.clientModel)
			kernel.Axpy(s.difference, -1, centres.Model(k))
			s.distances.Row(i)[k] = math.Sqrt(kernel.Dot(s.difference, s.difference))
		}
	}
}

// setOwn sets own to the trained model of client i.
func (s *fesem) setOwn(r *fl.Round, i int) {
	copy(s.clientModel, r.Bank.Model(s.received[i]))
	kernel.Axpy(s.clientModel, float32(-r.Step), s.update(r, i))
}

// expect is the E-step: it assigns every client to the centre nearest to its model, the first on ties.
func (s *fesem) expect(r *fl.Round) {
	for _, i := range s.present {
		nearest := 0
		for k, d := range s.distances.Row(i) {
			if d < s.distances.Row(i)[nearest] {
				nearest = k
			}
		}
		r.Label[i] = nearest
	}
}

// maximise is the M-step: it sets every centre to the mean of its clients' models; one without clients stays.
func (s *fesem) maximise(r *fl.Round) {
	copy(s.next.Params, r.Bank.Params)
	for k := range s.env.Models {
		average, taken := r.Average(s.sum), false
		for _, i := range s.present {
			if r.Cluster(i) != k || s.released && taken {
				continue
			}
			s.setOwn(r, i)
			average.AddCopy(s.weights[i], s.clientModel)
			taken = true
		}
		total := average.End()
		for j := range s.next.Model(k) {
			if total > 0 {
				s.next.Model(k)[j] = float32(s.sum[j] / total)
			}
		}
	}
}

// Embedding returns the distances of clients' models from the centres.
func (s *fesem) Embedding() *clusterer.Matrix { return &s.distances }

var fesemSteps = []registry.Step{
	{Name: "distances", Phase: registry.Cluster, Code: "compute the distances of clients’ trained models from all models",
		Says:    "The server computes how far the model that client [client:client] trained lies from each model: [distances:models].",
		Formula: "|θ_k − θ_c|", Numbers: "|θ_k − θ_{[client:client]}| = [distances:models]"},
	{Name: fl.StepPlace, Phase: registry.Match, Code: "each client goes to the nearest model",
		Says: "The server gives client [client:client] the model nearest to the one that it trained, [k:model]; before it had [before:model]."},
	{Name: fl.StepMove, Phase: registry.Update, Code: "each model becomes the mean of its clients’ models",
		Says: "The server makes each model the mean of its clients’ models; this is model [k:model]."},
}

var fesemPhases = []*registry.PhaseText{method.SendsOfCluster, method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, Carries: "train",
		Says: "The model that a client has after its step is its place."},
	{Phase: registry.Cluster, When: "centers=trained", If: "clusters !before", Says: "k-means joins clients with similar trained models."},
	{Phase: registry.Cluster, If: "clusters", Says: "Each client goes to the model that is nearest to its trained one.",
		Client: "distances [distances.distances:models]"},
	method.NotYet,
	{Phase: registry.Match, When: "centers=trained", If: "clusters !before", Says: "Each cluster starts a model of its own."},
	{Phase: registry.Match, If: "clusters", Skips: true, Says: "Nothing to match: the nearest model names the cluster."},
	method.NotYetMatched,
	{Phase: registry.Update, If: "!clusters", Skips: true, Says: "Not yet: the model waits until clusters are known."},
	{Phase: registry.Update, When: "centers=released", Says: "Each model becomes the trained model of its first client."},
	{Phase: registry.Update, Says: "Each model becomes the mean of its clients’ trained models."},
}
