package cflgp

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// paper is CFL-GP as published. Line numbers are of Algorithm 1, which Algorithm 2 repeats with the index k̄ written out.
type paper struct {
	period int // P: clients are clustered in every P-th round
	k      int // K: models in use
	common int // k̄: the model whose gradients are averaged next

	clustering
	models    models
	search    *kSearch // nil: K is given, or has been found
	newcomers newcomers
	stop      stopRule
}

func (s *paper) Start(env *fl.Env, label []int) {
	s.clustering.start(env)
	s.models.start(env)
	s.newcomers.start(env)
	if s.k = env.Models; s.search != nil {
		s.k = 1
	}
	// The paper takes the first clusters as given; random ones show that they do not matter.
	for i := range label {
		s.stream.Reset(env.Seed, rng.Labels, i, 0)
		label[i] = s.stream.IntN(s.k)
	}
}

// Round is Algorithm 1.
func (s *paper) Round(r *fl.Round) {
	s.stop.begin(r)
	if s.newcomers.atOnce || s.stop.over {
		s.newcomers.place(r, &s.clustering, s.k, s.k)
	}
	clusters := s.clusters(r.T)
	s.First(r, r.T)
	for i := range r.Replies() {
		r.Accumulate(i, s.models.weights[i])
		if clusters {
			s.mix(r, i) // lines 8 and 9
		}
	}
	s.models.move(r) // line 4
	if clusters {
		if s.search == nil { // with search, a model may be duplicated
			r.ModelsFinal()
		}
		s.memory.update(s.common)
		s.common = (s.common + 1) % s.k // line 6, for the next clustering
		if s.search == nil || s.findK(r) {
			s.cluster(r, s.k) // line 10
		}
	}
	s.stop.check(r, &s.clustering, clusters)
}

// Profile implements [fl.Profiler].
func (s *paper) Profile() (averages *clusterer.Matrix, model int) {
	if s.newest || s.search != nil || !s.memory.short() {
		return nil, 0
	}
	return &s.memory.flat, (s.common + s.k - 1) % s.k
}

// clusters is line 5: it reports whether clients are clustered in round t.
func (s *paper) clusters(t int) bool { return !s.stop.over && t%s.period == 1 }

// First is lines 3 and 7: all clients send updates of their models and, in a round with clustering, gradients of the
// common model. The common model is sent in its state before the round's update, and clients use the same minibatch: a
// client that trains the common model sends one reply for both.
func (s *paper) First(r *fl.Round, t int) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
		if s.clusters(t) && r.Label[i] != s.common {
			r.AskFeature(i, s.common)
		}
	}
}

// mix is lines 8 and 9 for client i.
func (s *paper) mix(r *fl.Round, i int) {
	gradient := s.compared.of(r, i, s.common)
	s.noteMix(r.Recorder(), i, s.common, gradient)
	if s.average(i, s.common, gradient) {
		s.memory.known[i] = true
	}
}

// average is g_{c,k} ← (1−β) g_{c,k} + β ∇f_c(θ_k) for client c. It reports false, and does nothing, if the gradient is
// not finite.
//
// With β_t = 1/(⌊t/KP⌋ + 1) and the models in turn, each block is the plain mean of the gradients of its model.
// Counting gradients per client and model is equivalent, and also works where clients miss rounds, which the paper does
// not discuss.
func (s *clustering) average(c, k int, gradient []float32) (ok bool) {
	if !numeric.IsFinite(gradient) {
		return false
	}
	s.memory.mix(c, k, s.beta(s.memory.count(c, k)), gradient)
	return true
}

// cluster is Algorithm 3 for the known clients: k-means on the K leading left singular features (lines 1 and 2), then the
// naming of clusters that changes the model of as few clients as possible (lines 3 and 4).
func (s *clustering) cluster(r *fl.Round, models int) {
	s.memory.features(&s.features, models)
	r.Spectrum, r.Directions = s.memory.spectral.Values, models
	points, clients := s.memory.knownRows(&s.features)
	if len(clients) == 0 {
		return
	}
	s.stream.Reset(s.seed, rng.Clustering, r.T, 0)
	s.parts.Fit(points, min(models, len(clients)), &s.stream)
	copy(s.previous, r.Label)
	s.old, s.new = s.old[:0], append(s.new[:0], s.parts.Labels...)
	for _, i := range clients {
		s.old = append(s.old, s.previous[i])
	}
	s.assigner.Relabel(s.new, s.old, models)
	for n, i := range clients {
		r.Label[i] = s.new[n]
	}
	s.noteCluster(r.Recorder(), points, clients)
	s.times++
	r.Reclustered = true
}
