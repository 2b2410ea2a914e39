package algorithm

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// clove is Algorithm 1, with K given or chosen by Algorithm 2 of the later version, over the clients that take part.
// Clients send models (Option I) or gradients (Option II), of a minibatch as printed or of all samples, which are averaged
// by the clients' numbers of samples. Line numbers are those of the cited version.
type clove struct {
	counting  method.Counting
	weights   []float64 // weight of each client in a mean
	sqrt      bool
	search    bool       // choose the number of clusters in every round
	match     bool       // match clusters with models
	random    bool       // use random clusters in round 0
	sameStart bool       // models start as copies of one model
	earlyStop *earlyStop // nil: cluster in every round

	env          *fl.Env
	losses       clusterer.Matrix // clients × K; square roots if they are compared
	reportedRows clusterer.Matrix // rows of the reporting clients, if some clients did not report
	reported     []int            // clients whose losses of this round are finite, ascending
	choice       clusterer.SelectK
	parts        grouping.Parts
	assigner     clusterer.Assigner
	cost         clusterer.Matrix // clusters × K: total loss of each cluster on each model
	modelOf      []int            // model of each cluster
	found        []int            // random cluster of each client
	stream       rng.Stream
}

func (s *clove) Start(env *fl.Env, label []int) {
	s.env = env
	clear(label)
	s.weights = s.counting.Of(env.Samples)
	s.losses.Reshape(env.Clients, env.Models)
	s.cost.Reshape(env.Models, env.Models)
	s.modelOf, s.found, s.reported = make([]int, env.Models), make([]int, env.Clients), make([]int, 0, env.Clients)
	if s.sameStart {
		method.StartAlike(env.Exchange.Bank)
	}
	if s.search {
		s.preallocate()
	}
	if s.earlyStop != nil {
		s.earlyStop.start(env)
	}
}

// preallocate clusters made-up points so that rounds do not allocate.
func (s *clove) preallocate() {
	for at := range s.losses.Data {
		s.losses.Data[at] = float64(at / s.env.Models)
	}
	s.choice.Merge(&s.losses, s.env.Models)
	s.stream.Reset(s.env.Seed, rng.Clustering, 0, 0)
	s.matchModels(&s.losses, s.groups(&s.losses, s.env.Models), s.env.Models)
	clear(s.losses.Data)
}

func (s *clove) Round(r *fl.Round) {
	random := s.random && r.T == 0
	switch {
	case random:
		s.assignRandomly(r)
	case s.earlyStop != nil && s.earlyStop.check(s, r):
		s.earlyStop.place(s, r)
	default:
		s.clusterByLosses(r)
	}
	for i := range r.Replies() {
		r.Accumulate(i, s.weights[i])
	}
	r.ApplyMean(nil)
	if s.earlyStop != nil && !random {
		s.earlyStop.update(r)
	}
}

// clusterByLosses does lines 4 to 12: the clients report their losses, the server clusters them, and asks for updates.
func (s *clove) clusterByLosses(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskLosses(i)
	}
	r.Ask()
	s.reported = s.reported[:0]
	for _, i := range r.Replied {
		if numeric.AreFinite(r.Losses(i)) {
			row := s.losses.Row(i)
			copy(row, r.Losses(i))
			s.transform(row)
			s.reported = append(s.reported, i)
		}
	}
	if len(s.reported) > 0 {
		s.cluster(r)
	}
	for _, i := range r.Replied {
		r.AskUpdate(i, r.Label[i])
	}
}

// transform replaces losses by their square roots, if the method compares square roots.
func (s *clove) transform(losses []float64) {
	if s.sqrt {
		for k, l := range losses {
			losses[k] = math.Sqrt(l)
		}
	}
}

// assignRandomly puts clients into random clusters, none of them empty, and asks for updates of their models.
func (s *clove) assignRandomly(r *fl.Round) {
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
	s.numberClusters(found, clusters)
	for m, i := range r.Participants {
		r.Label[i] = s.modelOf[found[m]]
		r.AskUpdate(i, r.Label[i])
	}
}

// cluster does lines 8 to 10: it clusters the clients that reported losses, into at most as many clusters as there are
// clients, and matches clusters with models so that the total loss is least (a min-cost matching).
func (s *clove) cluster(r *fl.Round) {
	points := &s.losses
	if len(s.reported) < s.env.Clients {
		points = &s.reportedRows
		points.Reshape(len(s.reported), s.env.Models)
		for n, i := range s.reported {
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
		s.matchModels(points, found, clusters)
	} else {
		s.numberClusters(found, clusters)
	}
	for n, i := range s.reported {
		if rec := r.Recorder(); rec.Follows(i) {
			s.note(rec, points, found, n, r.Label[i])
		}
		r.Label[i] = s.modelOf[found[n]]
	}
}

// note explains how the n-th of the reporting clients got its model.
func (s *clove) note(rec *fl.Recorder, points *clusterer.Matrix, found []int, n, before int) {
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
	rec.Note("cluster", fl.Int("clients", len(found)), fl.Int("size", size), fl.Floats("vector", points.Row(n)),
		fl.Floats("mean", mean))
	rec.Note("match", fl.Floats("total", total), fl.Int("before", before), fl.Int("k", s.modelOf[found[n]]))
}

// groups splits points into the given number of clusters.
func (s *clove) groups(points *clusterer.Matrix, clusters int) (found []int) {
	s.parts.Fit(points, clusters, &s.stream)
	return s.parts.Labels
}

// matchModels finds the model of each cluster by the matching with the least total loss.
func (s *clove) matchModels(points *clusterer.Matrix, found []int, clusters int) {
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

// numberClusters gives models in the order of the clients: the cluster of the first client gets the first model.
func (s *clove) numberClusters(found []int, clusters int) {
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

// Embedding returns the loss vectors that were clustered.
func (s *clove) Embedding() *clusterer.Matrix {
	return &s.losses
}
