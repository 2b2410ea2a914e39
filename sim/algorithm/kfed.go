package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
)

// centreReporter is the client of k-FED (Algorithm 1): it clusters its own samples.
type centreReporter struct{ centres int }

func (d centreReporter) Do(dst []float32, _ int, _ []float32, at fl.ClientContext) []float32 {
	samples, _ := samplesOf(at)
	if samples.Rows == 0 {
		return new(sketch).append(dst, at)
	}
	var local clusterer.AwasthiSheffet
	local.Fit(&samples, d.centres, at.Stream(rng.OnDevice))
	s := sketch{rows: local.KMeans.Centroids, counts: make([]int, local.KMeans.Centroids.Rows)}
	for _, k := range local.KMeans.Labels {
		s.counts[k]++
	}
	return s.append(dst, at)
}

// kfed is Algorithm 2, and then FedAvg in each cluster, from one start model for
// all: k-FED itself only tells who belongs together.
//
// A client's samples belong to the cluster of their centre, and the client to that
// of most of its samples. One that comes after there were K centres to cluster
// takes the nearest of the server's, and nobody is clustered again.
type kfed struct {
	sketchMeter
	project  bool // start as Awasthi and Sheffet
	counting method.Counting
	weights  []float64 // what each client counts

	env      *fl.Env
	known    []bool
	assigned []bool // clients that have a cluster
	sketches []sketch
	fixed    bool             // the server's centres stand
	centres  clusterer.Matrix // the server's
	points   clusterer.Matrix // the clients' centres, client after client
	farthest clusterer.Farthest
	kmeans   clusterer.KMeans
	awasthi  clusterer.AwasthiSheffet
	labels   []int
	votes    []int
	means    clusterer.Matrix // of the clients' centres
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

// cluster labels the centres: by the server's if they stand, and else by making
// these (Algorithm 2, steps 2 to 7).
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

// first returns how many centres the first client sent.
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

// updateMap puts each client on the map, by the mean of its centres.
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
