package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
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
			Doc:    "All clients train one model while their updates become more alike. In the first round in which they become less alike, the server clusters clients by the directions of their updates, once, and finds the number of clusters.",
			By:     "cosines of updates, once; finds K", Sends: "an update", Counts: "clients",
			Paper: registry.Citation{Authors: "Zuziak, Pellungrini, Rinzivillo", Title: "One-Shot Clustering for Federated Learning",
				Venue: "IEEE BigData", Year: 2024, URL: "https://arxiv.org/abs/2503.04231"}.At("with HDBSCAN, as in the released code"),
			Fields: method.Training(
				param.Field{Name: "dense", Label: "Smallest cluster", Unit: "clients", Section: param.Models, Kind: param.Int,
					Min: 0, Max: 1000, High: 10, Default: "0", PerLane: true, Advanced: true,
					Doc: "HDBSCAN finds clusters of at least this many clients, 2 or more. 0 means a fifth of " +
						"the clients, as in the released experiments (3 of 15, 6 of 30)."},
				method.FieldMost,
			),
			Steps: ocflSteps,
			Symbols: []registry.Symbol{
				{Sign: "D", Name: "distance between the directions of two updates", Shape: "a number, 0 to 2", Seen: "map"},
				{Sign: "T", Name: "temperature", Shape: "a number, 0 to 1"},
			},
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &ocfl{counting: method.Counts(v, method.ByClients, method.OneClient), least: v.Int("dense")}
			return fl.Plan{Algorithm: s, Models: min(v.Int("most"), clients), Evidence: fl.GradientFeatures,
				Device: splitClient{}, AnswerModels: 2}
		},
	})
}

// ocfl is OCFL with HDBSCAN. The temperature of a round says how far the directions of its updates are apart:
//
//	T = ‖Γ‖ / √(n(n−1)·2²)   with Γ_ij = 1 − cos(u_i, u_j) of n clients
//
// 0 where all point the same way, 1 where all point opposite ways. It falls while the model learns what all clients
// share. When it rises for the first time, HDBSCAN clusters the clients by Γ, each cluster goes on with a copy of the
// model, and clients are never clustered again. Those that HDBSCAN puts into no cluster are one of their own, as in the
// released code.
//
// In the paper all clients take part in every round. Here those of the round are compared; a client that comes later
// sends its update at the model as it was when clients were clustered, and joins the cluster whose mean update is nearest in
// direction, the first on ties.
type ocfl struct {
	counting method.Counting
	weights  []float64 // what each client counts
	least    int       // clients of a cluster; 0 for a fifth of all

	last    float64 // temperature of the round before
	done    bool    // clients were clustered
	known   []bool  // clients that have a cluster
	judged  []int   // clients that are compared, ascending
	updates [][]float32
	apart   clusterer.Matrix // Γ
	density clusterer.HDBSCAN
	found   []int // clusters of the judged

	model      []float32   // when clients were clustered, for newcomers; nil if there can be none
	directions [][]float64 // mean updates of the clusters then

	spectral clusterer.Spectral
	leading  clusterer.Matrix
	features clusterer.Matrix // clients × mapDimensions
}

func (s *ocfl) Start(env *fl.Env, label []int) {
	clear(label)
	c := env.Clients
	s.weights, s.last = s.counting.Of(env.Samples), math.Inf(1)
	s.known, s.judged, s.updates = make([]bool, c), make([]int, 0, c), make([][]float32, 0, c)
	if s.least == 0 {
		s.least = c / 5
	}
	s.least = max(s.least, 2)
	s.features.Reshape(c, mapDimensions)
	clear(s.features.Data)
	// Clients may be clustered late: make room for it.
	s.apart.Reshape(c, c)
	clear(s.apart.Data)
	s.density.MinSize = s.least
	s.density.FitDistances(&s.apart)
	s.found = make([]int, 0, c)
}

// Round is the training protocol: train, compare and cluster, aggregate in each cluster.
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

// compare fills in how far the directions of updates are apart, and reports whether there are two to compare. Updates
// that are not finite are left out.
func (s *ocfl) compare(r *fl.Round) bool {
	s.judged, s.updates = s.judged[:0], s.updates[:0]
	for _, i := range r.Replied {
		if u := r.Update(i, 0); numeric.IsFinite(u) {
			s.judged, s.updates = append(s.judged, i), append(s.updates, u)
		}
	}
	n := len(s.judged)
	if n < 2 {
		return false
	}
	s.apart.Reshape(n, n)
	kernel.Gram(s.apart.Data, s.updates)
	clusterer.CosinesOfGram(&s.apart)
	s.spectral.FitGram(&s.leading, &s.apart, mapDimensions)
	clear(s.features.Data)
	for a, i := range s.judged {
		copy(s.features.Row(i), s.leading.Row(a))
	}
	for a := range n {
		row := s.apart.Row(a)
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
	for _, d := range s.apart.Data {
		sum += float64(d * d)
	}
	n := float64(s.apart.Rows)
	return math.Sqrt(sum / (4 * n * (n - 1)))
}

// cluster gives clients the models of their clusters, all copies of the one model. If there are more clusters than
// models, those of HDBSCAN are larger.
func (s *ocfl) cluster(r *fl.Round) {
	clusters, strays := 0, false
	for s.density.MinSize = s.least; ; s.density.MinSize++ {
		clusters = s.density.FitDistances(&s.apart)
		strays = slices.Contains(s.density.Labels, -1)
		if left := r.Bank.Models() - clusters; left > 0 || left == 0 && !strays {
			break
		}
	}
	s.found = append(s.found[:0], s.density.Labels...)
	for a, i := range s.judged {
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

// remember keeps what newcomers are compared by.
func (s *ocfl) remember(r *fl.Round, clusters int) {
	s.model, s.directions = slices.Clone(r.Bank.Model(0)), make([][]float64, clusters)
	for k := range s.directions {
		s.directions[k] = make([]float64, r.Bank.Size)
	}
	for a, k := range s.found {
		kernel.Accumulate(s.directions[k], 1, s.updates[a])
	}
}

// admit has clients without a cluster join the nearest one.
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
	if a := slices.Index(s.judged, rec.Client); a >= 0 {
		rec.Note("apart", fl.Floats("apart", s.apart.Row(a)))
	}
	if math.IsInf(s.last, 1) {
		rec.Note("first", fl.Number("t", t))
	} else {
		rec.Note("temperature", fl.Number("t", t), fl.Number("last", s.last))
	}
}

// Embedding returns the leading features of the directions of updates, when clients were last compared.
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
