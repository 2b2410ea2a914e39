package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// centreReporter is the client's side, Algorithm 1: it clusters its own samples.
type centreReporter struct{ centres int }

func (d centreReporter) Do(dst []float32, _ int, _ []float32, at fl.ClientContext) []float32 {
	samples, _ := samplesOf(at)
	if samples.Rows == 0 {
		return new(sketch).append(dst, at)
	}
	var local clusterer.AwasthiSheffet
	local.Fit(&samples, d.centres, at.Stream(rng.ClientDraws))
	s := sketch{rows: local.KMeans.Centroids, counts: make([]int, local.KMeans.Centroids.Rows)}
	for _, k := range local.KMeans.Labels {
		s.counts[k]++
	}
	return s.append(dst, at)
}

// kfed is Algorithm 2, then FedAvg in each cluster, from one start model for all: k-FED itself only clusters.
//
// A sample belongs to the cluster of its centre, and a client to the cluster of most of its samples. Once K centres were
// clustered, the server's centres are fixed, and newcomers take the nearest.
type kfed struct {
	sketchMeter
	project  bool // start k-means as Awasthi and Sheffet do
	counting method.Counting
	weights  []float64 // weight of each client in a mean

	env      *fl.Env
	known    []bool
	assigned []bool // clients that have a cluster
	sketches []sketch
	fixed    bool             // the server's centres are fixed
	centres  clusterer.Matrix // centres of the server
	points   clusterer.Matrix // the clients' centres, client after client
	farthest clusterer.Farthest
	kmeans   clusterer.KMeans
	awasthi  clusterer.AwasthiSheffet
	labels   []int
	votes    []int
	means    clusterer.Matrix // mean of each client's centres
	spectral clusterer.Spectral
	features clusterer.Matrix
}

func (s *kfed) Start(env *fl.Env, label []int) {
	s.env, s.weights = env, s.counting.Of(env.Samples)
	clear(label)
	method.StartAlike(env.Exchange.Bank)
	s.known, s.assigned, s.sketches = make([]bool, env.Clients), make([]bool, env.Clients), make([]sketch, env.Clients)
	s.votes = make([]int, env.Models)
	s.features.Reshape(env.Clients, mapDimensions)
	clear(s.features.Data)
}

func (s *kfed) Round(r *fl.Round) {
	if askSketches(r, s.sketches, s.known) {
		if !s.fixed {
			clear(s.assigned)
		}
		if s.collectCentres(); s.points.Rows > 0 {
			s.cluster(r.T)
			s.assign(r)
		}
	}
	askModels(r, s.known)
	r.ApplyMean(s.weights)
}

// collectCentres lists the centres of all clients that have no cluster.
func (s *kfed) collectCentres() {
	s.points.Rows, s.points.Data = 0, s.points.Data[:0]
	for i := range s.sketches {
		if rows := &s.sketches[i].rows; s.known[i] && !s.assigned[i] && rows.Rows > 0 {
			s.points.Rows, s.points.Cols = s.points.Rows+rows.Rows, rows.Cols
			s.points.Data = append(s.points.Data, rows.Data...)
		}
	}
}

// cluster labels the clients' centres by the server's, which it computes unless they are fixed (Algorithm 2, steps 2 to 7).
func (s *kfed) cluster(t int) {
	n := s.points.Rows
	if s.fixed {
		s.labels = append(s.labels[:0], make([]int, n)...)
		clusterer.Nearest(s.labels, &s.points, &s.centres)
		return
	}
	k, won := min(s.env.Models, n), &s.kmeans
	if s.project {
		won = &s.awasthi.KMeans
		s.awasthi.Fit(&s.points, k, s.env.Stream(rng.Clustering, t, 0))
	} else {
		s.farthest.Fit(&s.points, min(s.first(), k), k)
		s.kmeans.FitFrom(&s.points, &s.farthest.Centres)
	}
	s.labels = append(s.labels[:0], won.Labels...)
	s.centres.Reshape(k, s.points.Cols)
	copy(s.centres.Data, won.Centroids.Data)
	s.fixed = n >= s.env.Models
}

// first returns the number of centres that the first client sent.
func (s *kfed) first() int {
	for i := range s.sketches {
		if n := s.sketches[i].rows.Rows; n > 0 {
			return n
		}
	}
	return 0
}

// assign gives clients the cluster of most of their samples, the first on ties.
func (s *kfed) assign(r *fl.Round) {
	at := 0
	for i := range s.sketches {
		held := s.sketches[i].counts
		if s.assigned[i] || len(held) == 0 {
			continue
		}
		clear(s.votes)
		for _, n := range held {
			s.votes[s.labels[at]] += n
			at++
		}
		r.Label[i] = 0
		for k, n := range s.votes {
			if n > s.votes[r.Label[i]] {
				r.Label[i] = k
			}
		}
		s.assigned[i] = true
	}
	s.updateMap()
	r.Reclustered = true
}

// updateMap computes each client's place on the map, from the mean of its centres.
func (s *kfed) updateMap() {
	s.means.Reshape(len(s.sketches), s.points.Cols)
	clear(s.means.Data)
	for i := range s.sketches {
		rows := &s.sketches[i].rows
		for j, v := range rows.Data {
			s.means.Row(i)[j%rows.Cols] += v / float64(rows.Rows)
		}
	}
	s.spectral.Fit(&s.features, &s.means, mapDimensions)
}

// Embedding returns the leading features of the clients' centres.
func (s *kfed) Embedding() *clusterer.Matrix { return &s.features }
