package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "ocfl",
			Title:  "OCFL",
			Family: registry.HardClusters,
			Cause:  cause.Splitting,
			Doc:    "All clients train one model while their updates become more alike. In the first round in which they become less alike, the server clusters clients by the directions of their updates, once, and finds the number of clusters.",
			By:     "cosines of updates, once; finds K", Sends: "an update", Counts: "clients",
			Paper: registry.Citation{Authors: "Zuziak, Pellungrini, Rinzivillo",
				Given: "Maciej Krzysztof, Roberto, Salvatore", Title: "One-Shot Clustering for Federated Learning",
				Venue: "IEEE BigData", Year: 2024, URL: "https://arxiv.org/abs/2503.04231"}.At("with HDBSCAN, as in the released code"),
			Fields: method.Training(
				param.Field{Name: "dense", Label: "Smallest cluster", Unit: "clients", Section: param.Models, Kind: param.Int,
					Min: 0, Max: 1000, High: 10, Default: "0", PerLane: true, Advanced: true,
					Doc: "HDBSCAN finds clusters of at least this many clients, 2 or more. 0 means a fifth of " +
						"the clients, as in the released experiments (3 of 15, 6 of 30)."},
				method.FieldMost,
			),
			Steps:  ocflSteps,
			Phases: ocflPhases,
			Symbols: []registry.Symbol{
				{Sign: "D", Name: "distance between the directions of two updates", Shape: "a number, 0 to 2", Seen: "map"},
				{Sign: "T", Name: "temperature", Shape: "a number, 0 to 1"},
			},
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &ocfl{counting: method.Counts(v, method.ByClients, method.OneClient), minSize: v.Int("dense")}
			return fl.Plan{Algorithm: s, Models: min(v.Int("most"), clients), Evidence: fl.GradientFeatures,
				Device: splitClient{}, AnswerModels: 2}
		},
	})
}

// ocfl is OCFL with HDBSCAN. The temperature of a round measures how much the directions of its updates differ:
//
//	T = ‖Γ‖ / √(n(n−1)·2²)   with Γ_ij = 1 − cos(u_i, u_j) of n clients
//
// 0 where all point the same way, 1 where all point opposite ways. It falls while the model learns what all clients
// share. When it rises for the first time, HDBSCAN clusters the clients by Γ, each cluster continues with a copy of the
// model, and clients are never clustered again. Clients that HDBSCAN leaves out form a cluster of their own, as in the
// released code.
//
// In the paper all clients take part in every round. Here the clients of the round are compared. A client that joins
// later sends its update of the model at the time of the clustering, and joins the cluster whose mean update is nearest
// in direction, the first on ties.
type ocfl struct {
	counting method.Counting
	weights  []float64 // weight of each client in a mean
	minSize  int       // minimum clients of a cluster; 0 for a fifth of all

	last      float64 // temperature of the previous round
	done      bool    // clients have been clustered
	known     []bool  // clients that have a cluster
	compared  []int   // clients compared in this round, ascending
	updates   [][]float32
	distances clusterer.Matrix // Γ
	density   clusterer.HDBSCAN
	found     []int // clusters of the judged clients

	model      []float32   // model at the time of the clustering, for newcomers; nil if there can be none
	directions [][]float64 // mean updates of the clusters at that time

	spectral clusterer.Spectral
	leading  clusterer.Matrix
	features clusterer.Matrix // clients × mapDimensions
}

func (s *ocfl) Start(env *fl.Env, label []int) {
	clear(label)
	c := env.Clients
	s.weights, s.last = s.counting.Of(env.Samples), math.Inf(1)
	s.known, s.compared, s.updates = make([]bool, c), make([]int, 0, c), make([][]float32, 0, c)
	if s.minSize == 0 {
		s.minSize = c / 5
	}
	s.minSize = max(s.minSize, 2)
	s.features.Reshape(c, mapDimensions)
	clear(s.features.Data)
	// Clients may be clustered late: allocate now.
	s.distances.Reshape(c, c)
	clear(s.distances.Data)
	s.density.MinSize = s.minSize
	s.density.FitDistances(&s.distances)
	s.found = make([]int, 0, c)
}

// Round is the training protocol: train, compare and cluster, and average in each cluster.
func (s *ocfl) Round(r *fl.Round) {
	if s.done {
		s.admit(r)
	}
	for _, i := range r.Participants {
		if !s.done || s.known[i] {
			r.AskUpdate(i, r.Label[i])
		}
	}
	r.Ask()
	if !s.done && s.compare(r) {
		t := s.temperature()
		s.note(r, t)
		if t > s.last {
			s.cluster(r)
		}
		s.last = t
	}
	r.ApplyMean(s.weights)
}

// compare computes how much the directions of updates differ, and reports whether at least two clients can be compared.
// Updates that are not finite are ignored.
func (s *ocfl) compare(r *fl.Round) bool {
	s.compared, s.updates = s.compared[:0], s.updates[:0]
	for _, i := range r.Replied {
		if u := r.Update(i, 0); numeric.IsFinite(u) {
			s.compared, s.updates = append(s.compared, i), append(s.updates, u)
		}
	}
	n := len(s.compared)
	if n < 2 {
		return false
	}
	s.distances.Reshape(n, n)
	kernel.Gram(s.distances.Data, s.updates)
	clusterer.CosinesOfGram(&s.distances)
	s.spectral.FitGram(&s.leading, &s.distances, mapDimensions)
	clear(s.features.Data)
	for a, i := range s.compared {
		copy(s.features.Row(i), s.leading.Row(a))
	}
	for a := range n {
		row := s.distances.Row(a)
		for b := range row {
			row[b] = max(0, 1-row[b])
		}
		row[a] = 0
	}
	r.Reclustered = true
	return true
}

// temperature returns T of the clients that are compared.
func (s *ocfl) temperature() float64 {
	sum := 0.0
	for _, d := range s.distances.Data {
		sum += float64(d * d)
	}
	n := float64(s.distances.Rows)
	return math.Sqrt(sum / (4 * n * (n - 1)))
}

// cluster gives clients the models of their clusters, all copies of the common model. If there are more clusters than
// models, HDBSCAN runs with larger minimum sizes.
func (s *ocfl) cluster(r *fl.Round) {
	clusters, strays := 0, false
	for s.density.MinSize = s.minSize; ; s.density.MinSize++ {
		clusters = s.density.FitDistances(&s.distances)
		strays = slices.Contains(s.density.Labels, -1)
		if left := r.Bank.Models() - clusters; left > 0 || left == 0 && !strays {
			break
		}
	}
	s.found = append(s.found[:0], s.density.Labels...)
	for a, i := range s.compared {
		if s.found[a] < 0 {
			s.found[a] = clusters
		}
		r.Label[i], s.known[i] = s.found[a], true
	}
	if strays {
		clusters++
	}
	for k := 1; k < clusters; k++ {
		copy(r.Bank.Model(k), r.Bank.Model(0))
	}
	s.done, r.Stopped = true, true
	if rec := r.Recorder(); rec != nil && s.known[rec.Client] {
		rec.Note("density", fl.Int("clusters", clusters), fl.Int("size", count(s.found, r.Label[rec.Client])),
			fl.Int("k", r.Label[rec.Client]))
	}
	if slices.Contains(s.known, false) {
		s.remember(r, clusters)
	}
}

// remember keeps the data by which newcomers are compared.
func (s *ocfl) remember(r *fl.Round, clusters int) {
	s.model, s.directions = slices.Clone(r.Bank.Model(0)), make([][]float64, clusters)
	for k := range s.directions {
		s.directions[k] = make([]float64, r.Bank.Size)
	}
	for a, k := range s.found {
		kernel.Accumulate(s.directions[k], 1, s.updates[a])
	}
}

// admit assigns clients without a cluster to the nearest one.
func (s *ocfl) admit(r *fl.Round) {
	asked := false
	for _, i := range r.Participants {
		if !s.known[i] {
			r.AskCall(i, opSplitUpdate, s.model)
			asked = true
		}
	}
	if !asked {
		return
	}
	r.Ask()
	for _, i := range r.Replied {
		r.Label[i], s.known[i] = s.nearest(r.Answer(i)), true
	}
	r.Reclustered = len(r.Replied) > 0
}

// nearest returns the cluster whose mean update has the largest cosine with u, the first on ties.
func (s *ocfl) nearest(u []float32) (best int) {
	largest := math.Inf(-1)
	for k, mean := range s.directions {
		var xy, xx, yy float64
		for j, x := range u {
			xy += float64(float64(x) * mean[j])
			xx += float64(float64(x) * float64(x))
			yy += float64(mean[j] * mean[j])
		}
		if c := numeric.Cosine(xy, xx, yy); c > largest {
			best, largest = k, c
		}
	}
	return best
}

// note explains the temperature by the cosines of one client.
func (s *ocfl) note(r *fl.Round, t float64) {
	rec := r.Recorder()
	if rec == nil {
		return
	}
	if a := slices.Index(s.compared, rec.Client); a >= 0 {
		rec.Note("apart", fl.Floats("apart", s.distances.Row(a)))
	}
	if math.IsInf(s.last, 1) {
		rec.Note("first", fl.Number("t", t))
	} else {
		rec.Note("temperature", fl.Number("t", t), fl.Number("last", s.last))
	}
}

// Embedding returns the leading features of the directions of updates in the last round in which clients were compared.
func (s *ocfl) Embedding() *clusterer.Matrix { return &s.features }

var ocflSteps = []registry.Step{
	{Name: fl.StepSend, Phase: registry.Broadcast, Code: "send each client the model of its cluster, at first one for all",
		Says:    "The server sends client [client:client] the model of its cluster, [k:model].",
		Formula: "θ_k", Numbers: "θ_{[k:model]} = [theta]"},
	{Name: fl.StepTrain, Phase: registry.Probe, Code: "each client replies with its update",
		Says:    "Client [client:client] trains model [k:model] on its own samples and sends the server the update.",
		Formula: "u_i", Numbers: "u_{[client:client]} = [gradient]"},
	{Name: fl.StepExtra, Phase: registry.Broadcast, Code: "send a client that joins later the model as it was " +
		"when clients were clustered",
		Says: "Client [client:client] joins after clients were clustered. The server sends it the model as it " +
			"was then.", Sends: "model as it was"},
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "it replies with its update, and joins the cluster whose " +
		"mean update is nearest in direction",
		Says: "Client [client:client] trains this model and sends the server the update. It joins the cluster whose mean update has the largest cosine with its own.", Sends: "update"},
	{Name: "apart", Phase: registry.Embed, Code: "compare the directions of all updates: D",
		Says:    "The server compares the directions of updates. Distances of client [client:client] from the others, one after the other: 0 is the same direction, 2 the opposite.",
		Formula: "D_{i,j} = 1 − frac{⟨u_i,u_j⟩}{|u_i| |u_j|}", Numbers: "D_{[client:client]} = [apart]"},
	{Name: "first", Phase: registry.Cluster, Code: "T is the temperature, the size of D over that of n opposite directions",
		Says:    "The temperature of the first round is [t]: 0 if all updates had one direction, 1 if all were opposite. The server waits for it to rise.",
		Formula: "T = frac{|D|}{√(4 n (n−1))}", Numbers: "T = [t]"},
	{Name: "temperature", Phase: registry.Cluster, Code: "if T rises for the first time: cluster the clients, once",
		Says:    "The temperature of this round is [t], that of the round before was [last]. When it rises for the first time, the server clusters the clients.",
		Formula: "T > T′ ?", Numbers: "[t] > [last] ?"},
	{Name: "density", Phase: registry.Match, Code: "HDBSCAN finds dense groups by D; each continues with a copy " +
		"of the model, and so do the clients in none",
		Says: "The server clusters the clients by density and finds [clusters] clusters; clients in no dense " +
			"group form one. That of client [client:client] has [size] clients and continues with model " +
			"[k:model], a copy."},
	{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the mean update of its cluster",
		Says:    "The server moves model [k:model] along the mean update of its cluster.",
		Formula: "θ_k ← θ_k − γ · mean_{i∈S_k} u_i", Numbers: "[new] ← [old] − [step] · [mean]"},
}

var ocflPhases = []*registry.PhaseText{method.SendsOfCluster, method.TrainsIts, method.Gradient,
	{Phase: registry.Embed, If: "!clusters", Skips: true, Says: "Skipped: fewer than two clients can be compared."},
	{Phase: registry.Embed, Carries: "train answer", Client: "distances from clients, in their order: [apart.apart]",
		Says: "The server compares the directions of [gradients], pair by pair."},
	{Phase: registry.Cluster, If: "note.density",
		Says:   "Directions differ more than in the last round: the server clusters clients by density, once.",
		Client: "is in a cluster of [density.size] clients"},
	{Phase: registry.Cluster, If: "grew",
		Says: "Directions differ more than in the last round: the server clusters clients by density, once."},
	{Phase: registry.Cluster, If: "clusters first", Skips: true,
		Says:   "Not yet: the server waits until directions differ more than in the round before.",
		Client: "temperature of the directions: [first.t]"},
	{Phase: registry.Cluster, If: "clusters", Skips: true,
		Says:   "Not yet: the server waits until directions differ more than in the round before.",
		Client: "temperature of the directions: [temperature.last] → [temperature.t]"},
	{Phase: registry.Cluster, Skips: true, Says: "Skipped: fewer than two clients can be compared."},
	{Phase: registry.Match, If: "grew", Says: "Each cluster goes on with a copy of the model.",
		Client: "goes on with [density.k:model]"},
	{Phase: registry.Match, Skips: true, Says: "Nothing to match: every client keeps its model."},
	method.MeanOfCluster,
}
