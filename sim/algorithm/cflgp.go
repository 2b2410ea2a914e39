package algorithm

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// cflgp is CFL-GP as the paper has it: Round is Algorithm 1, average is Algorithm 2, and
// cluster is Algorithm 3. What the released code does differently is [cflgpReleased]. Its
// options are parts of their own, in files that begin with cflgp_.
type cflgp struct {
	period   int  // P: clients are clustered in every P-th round
	newest   bool // β_t = 1: only the newest gradient counts
	sum      bool // a cluster's gradients are added up, not averaged
	alike    bool // models start as copies of one
	counting method.Counting

	compared  compared // coordinates of gradients
	trunk     *trunk   // nil: no part of the models is common
	search    *kSearch // nil: K is given, or has been found
	newcomers newcomers
	stop      stopRule

	env      *fl.Env
	weights  []float64 // of each client in a mean
	typical  float64   // the mean of these
	models   int       // K: those in use
	common   int       // k̄: the model whose gradients are averaged next
	memory   *memory   // g_{c,k}
	averaged []int     // K × C: gradients in each block of the memory
	known    []bool    // clients that the memory has something of

	features    clusterer.Matrix // Rᵀ: clients × K
	present     clusterer.Matrix // the rows of known clients, while there are others
	kmeans      clusterer.KMeans
	assigner    clusterer.Assigner
	stream      rng.Stream
	previous    []int // labels before the last clustering
	old, new    []int // labels of the known clients
	clusterings int
}

func (s *cflgp) Start(env *fl.Env, label []int) {
	s.env, s.models, s.weights = env, env.Models, s.counting.Of(env.Samples)
	s.typical = 0
	for _, w := range s.weights {
		s.typical += w / float64(env.Clients)
	}
	s.compared.start(env)
	s.memory = newMemory(env.Clients, env.Models, env.Exchange.Width())
	s.averaged, s.known = make([]int, env.Clients*env.Models), make([]bool, env.Clients)
	s.features.Reshape(env.Clients, env.Models)
	s.previous, s.old, s.new = make([]int, env.Clients), make([]int, env.Clients), make([]int, env.Clients)
	s.newcomers.start(env)
	if s.alike {
		method.StartAlike(env.Exchange.Bank)
	}
	if s.trunk != nil {
		s.trunk.start(env)
		s.trunk.join(env.Exchange.Bank, nil, nil)
	}
	if s.search != nil {
		s.models = 1
	}
	// The paper takes the first clusters as given; random ones show that they do not matter.
	for i := range label {
		s.stream.Reset(env.Seed, rng.Labels, i, 0)
		label[i] = s.stream.IntN(s.models)
	}
}

// Round is Algorithm 1.
func (s *cflgp) Round(r *fl.Round) {
	s.stop.begin(r)
	s.admit(r)
	clustering := s.clusters(r.T)
	s.First(r, r.T)
	for i := range r.Replies() {
		r.Accumulate(i, s.weights[i])
		if clustering {
			s.average(r, i)
		}
	}
	s.move(r)
	if clustering {
		s.advance(r)
		if s.search == nil || s.findK(r) {
			s.cluster(r)
		}
	}
	s.stop.check(s, r, clustering)
}

// clusters reports whether clients are clustered in round t.
func (s *cflgp) clusters(t int) bool { return !s.stop.over && t%s.period == 1 }

// First asks all clients for updates of their models and, if they are to be clustered, for
// gradients of the common model.
func (s *cflgp) First(r *fl.Round, t int) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
		// Algorithm 2 sends the common model as it is before this round's update, and
		// clients use the same minibatch: a client that trains it replies once for both.
		if s.clusters(t) && r.Label[i] != s.common {
			r.AskFeature(i, s.common)
		}
	}
}

// move is Algorithm 1, line 4: each model follows the mean update of its cluster.
func (s *cflgp) move(r *fl.Round) {
	if s.sum { // of as many clients, whatever these count by
		r.ApplySum(s.typical)
	} else {
		r.ApplyMean(s.weights)
	}
	if s.trunk != nil {
		s.trunk.join(r.Bank, r.Label, s.weights)
	}
}

// average is Algorithm 2 for one client: g_{c,k̄} ← (1−β) g_{c,k̄} + β ∇f_c(θ_k̄).
//
// With β_t = 1/(⌊t/KP⌋ + 1) and the models in turn, each block is the plain mean of the
// gradients of its model. Counting these for each client and model says the same, and also
// holds where clients miss rounds, which the paper does not discuss.
func (s *cflgp) average(r *fl.Round, i int) {
	gradient := s.compared.of(r, i, s.common)
	if rec := r.Recorder(); rec.Follows(i) && numeric.IsFinite(gradient) {
		s.noteMix(rec, gradient)
	}
	if s.take(i, s.common, gradient) {
		s.known[i] = true
	}
}

// take mixes a gradient into a client's block. It reports false, and does nothing, if the
// gradient is not finite.
func (s *cflgp) take(client, model int, gradient []float32) (ok bool) {
	if !numeric.IsFinite(gradient) {
		return false
	}
	n := &s.averaged[model*s.env.Clients+client]
	*n++
	s.memory.mix(client, model, s.beta(*n), gradient)
	return true
}

// beta is the weight of the newest of n gradients.
func (s *cflgp) beta(n int) float64 {
	if s.newest {
		return 1
	}
	return 1 / float64(n)
}

// advance ends Algorithm 2 for this round: the next model becomes the common one.
func (s *cflgp) advance(r *fl.Round) {
	if s.search == nil { // else copies of one model may become several
		r.ModelsFinal()
	}
	s.memory.mixed(s.common)
	s.common = (s.common + 1) % s.models
}

// cluster is Algorithm 3: k-means on the K leading left singular features of the known
// clients, then the naming of clusters that changes the model of as few of them as possible.
func (s *cflgp) cluster(r *fl.Round) {
	s.memory.features(&s.features, s.models)
	r.Spectrum, r.Directions = s.memory.spectral.Values, s.models
	points := s.rows(&s.features)
	if points.Rows == 0 {
		return
	}
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, 0)
	s.kmeans.Fit(points, min(s.models, points.Rows), &s.stream)
	copy(s.previous, r.Label)
	n := 0
	for i, known := range s.known {
		if known {
			s.new[n], s.old[n] = s.kmeans.Labels[n], s.previous[i]
			n++
		}
	}
	s.assigner.Relabel(s.new[:n], s.old[:n], s.models)
	n = 0
	for i, known := range s.known {
		if known {
			if rec := r.Recorder(); rec.Follows(i) {
				s.noteCluster(rec, points.Row(n), s.kmeans.Centroids.Row(s.kmeans.Labels[n]), s.new[n])
			}
			r.Label[i] = s.new[n]
			n++
		}
	}
	s.clusterings++
	r.Reclustered = true
}

// rows returns the rows of the known clients.
func (s *cflgp) rows(all *clusterer.Matrix) *clusterer.Matrix {
	if !slices.Contains(s.known, false) {
		return all
	}
	n := 0
	s.present.Reshape(s.env.Clients, all.Cols)
	for i, known := range s.known {
		if known {
			copy(s.present.Row(n), all.Row(i))
			n++
		}
	}
	s.present.Reshape(n, all.Cols)
	return &s.present
}

// Embedding returns the gradient features of the last clustering.
func (s *cflgp) Embedding() *clusterer.Matrix { return &s.features }
