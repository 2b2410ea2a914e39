package hcfl

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// hardWeights is a second tier in which the server assigns every client to one cluster; only the model of that cluster
// is sent and trained.
type hardWeights struct{ by assignment }

// assignment is the criterion by which the server assigns clients to clusters.
type assignment uint8

const (
	byProcedure assignment = iota // by the third tier only
	byLabels                      // by the label distributions of the clients, once
	byModels                      // by the clients' trained models, in every round
)

func (hardWeights) remembers() bool { return false }

// weigh is used only for test clients, which the server does not assign: they take the cluster with the least loss.
func (hardWeights) weigh(gamma [][]float32, omega, own []float32, score []float64) {
	leastLoss{}.weigh(gamma, omega, own, score)
}

// assigns returns the criterion of the assignment; false if clients weight the clusters themselves.
func (t *tiers) assigns() (assignment, bool) {
	p, ok := t.weigh.(hardWeights)
	return p.by, ok
}

// bottomUp reports whether every client begins as a cluster of its own.
func (t *tiers) bottomUp() bool {
	by, ok := t.assigns()
	return ok && by == byProcedure && t.adapt.merge
}

// comparesFirst reports whether clients are compared by their updates of the first model.
func (t *tiers) comparesFirst() bool { return t.adapt.distance == firstUpdates{} }

// comparesFeatures reports whether clients are compared by their mean features.
func (t *tiers) comparesFeatures() bool {
	return t.adapt.distance != nil && t.adapt.distance.features()
}

// hasFirstRequest reports whether the server makes a request to clients when they first take part.
func (t *tiers) hasFirstRequest() bool {
	by, ok := t.assigns()
	return t.comparesFirst() || ok && by == byLabels
}

// Further operations of HCFL's device: report what the client is compared by; emAssign + k trains for cluster k.
const (
	emFirst = emMoments + 1 + iota
	emAssign
)

// reportFirst appends what clients are compared by: the update of the first model, if it was sent, and the label
// distribution, if it is used.
func (d *hcflClient) reportFirst(dst, anchor []float32, at fl.ClientContext) []float32 {
	if len(anchor) > 0 {
		dst = d.anchor.Append(dst, anchor, at)
	}
	if by, ok := d.assigns(); ok && by == byLabels {
		held := method.SelectionSamples(at)
		shares := at.Scratch(method.MassSlot, method.ClassesOf(at))
		clear(shares)
		for _, y := range held.Y[:held.N] {
			shares[int(y)] += 1 / float32(held.N)
		}
		at.Quantize(shares)
		dst = append(dst, shares...)
	}
	return dst
}

// refuse returns an error if these tiers are not possible with a model.
func (t *tiers) refuse(m model.Model) *param.Error {
	n, ok := m.(*model.Network)
	by, hard := t.assigns()
	switch {
	case hard && by == byLabels && (!ok || n.Task() != model.Classification):
		return &param.Error{Field: "weigh", Got: "labels", Want: "data with classes",
			Hint: "there are no labels here that clients could differ by", Suggestions: []param.Suggestion{{Key: "weigh",
				Value: "near"}}}
	case t.bottomUp() && !t.comparesFirst():
		return &param.Error{Field: "alike", Got: "features", Want: "anchor, where each client begins alone",
			Hint: "before training, clients differ only in their updates of the first model", Suggestions: []param.Suggestion{{Key: "alike", Value: "anchor"}}}
	}
	return nil
}

// hardAssigner is the state of the server for assigning clients to clusters.
type hardAssigner struct {
	reported   []bool           // clients that reported what they are compared by
	placed     []bool           // clients assigned by their labels
	begun      bool             // clusters exist
	trained    []int            // the cluster for which each client last trained
	old        []float32        // the models before the round
	difference []float32        // difference between a client's model and a cluster's
	first      [][]float32      // before the first clustering: the clients' answers, nil for clients without one
	starting   []int            // in the round of the first clustering: clients that have replied so far
	points     clusterer.Matrix // label distributions, or distances from clusters, one row per client
	means      grouping.Means
	start      grouping.ModelKMeans

	kmeans  clusterer.KMeans
	updates [][]float32
}

// askFirst asks newcomers for the data by which they are compared, and reports whether clients can be assigned.
func (s *hcfl) askFirst(r *fl.Round) bool {
	by, hard := s.assigns()
	if !s.hasFirstRequest() {
		return true
	}
	asked := false
	for _, i := range r.Participants {
		if !s.hardAssigner.reported[i] {
			r.AskCall(i, emFirst, s.bottomUpClusters.Reference)
			asked = true
		}
	}
	if asked {
		r.Ask()
		for _, i := range r.Replied {
			s.readFirst(i, r.Answer(i))
			r.Reclustered = true
			if rec := r.Recorder(); rec.Follows(i) && s.comparesFirst() {
				rec.ReplaceAnswer("pull", fl.Weights("pull", s.bottomUpClusters.Directions[i]))
			}
		}
		if s.comparesFirst() {
			s.bottomUpClusters.Compare()
		}
	}
	switch {
	case s.bottomUp():
		s.bottomUpClusters.Merge(r, s.low, s.bottomUpClusters.Reference[s.low:])
		if r.Recorder() != nil {
			pairs := s.bottomUpClusters.RankedPairs(func(int) bool { return true })
			s.noteMerge(r, pairs, s.bottomUpClusters.Union.Of, s.bottomUpClusters.Tau)
		}
		s.active = s.active[:0]
		for k, used := range s.bottomUpClusters.Used {
			if used {
				s.active = append(s.active, k)
			}
		}
		for i, k := range r.Label {
			s.assign(r, i, k)
		}
	case hard && by == byLabels:
		return s.assignByLabels(r)
	}
	return true
}

// readFirst reads the data by which a client is compared.
func (s *hcfl) readFirst(i int, answer []float32) {
	p := &s.hardAssigner
	p.reported[i] = true
	if s.comparesFirst() {
		s.bottomUpClusters.Add(i, answer[:s.env.Size])
		s.profiles[i].anchorUpdate = s.bottomUpClusters.Directions[i]
		answer = answer[s.env.Size:]
	}
	if len(answer) > 0 {
		if p.points.Cols != len(answer) {
			p.points.Reshape(s.env.Clients, len(answer))
			clear(p.points.Data)
		}
		for c, v := range answer {
			p.points.Row(i)[c] = float64(v)
		}
	}
}

// assignByLabels assigns clients by their label distributions: by k-means as soon as there are as many clients as
// clusters, and newcomers to the nearest cluster. It reports whether there are clusters.
func (s *hcfl) assignByLabels(r *fl.Round) bool {
	p := &s.hardAssigner
	if !p.begun {
		var ready []int
		for i, yes := range p.reported {
			if yes {
				ready = append(ready, i)
			}
		}
		if p.begun = len(ready) >= s.start; !p.begun {
			return false
		}
		var known clusterer.Matrix
		known.Reshape(len(ready), p.points.Cols)
		for n, i := range ready {
			copy(known.Row(n), p.points.Row(i))
		}
		p.kmeans.Fit(&known, s.start, s.env.Stream(rng.Clustering, r.T, 0))
		grouping.ByFirst(p.kmeans.Labels, s.start)
		for n, i := range ready {
			s.assign(r, i, p.kmeans.Labels[n])
			p.placed[i] = true
		}
		return true
	}
	newcomers := false
	for _, i := range r.Participants {
		newcomers = newcomers || p.reported[i] && !p.placed[i]
	}
	if newcomers {
		p.means.Fit(&p.points, r.Label, s.env.Models, func(i int) bool { return p.placed[i] })
		for _, i := range r.Participants {
			if p.reported[i] && !p.placed[i] {
				s.assign(r, i, p.means.Nearest(p.points.Row(i)))
				p.placed[i] = true
			}
		}
	}
	return true
}

// assign assigns client i to cluster k, or to the first one if k is not in use.
func (s *hcfl) assign(r *fl.Round, i, k int) {
	if !slices.Contains(s.active, k) {
		k = s.active[0]
	}
	clear(s.weights.Row(i))
	s.weights.Row(i)[k] = 1
	r.Label[i] = k
}

// assignNearest is the E-step of FeSEM: it assigns every client to the cluster whose model is nearest to the client's
// trained model. It begins with k-means among models trained from one start, as soon as there are as many as clusters, and
// reports whether there are clusters.
func (s *hcfl) assignNearest(r *fl.Round) bool {
	p := &s.hardAssigner
	copy(p.old, r.Bank.Params)
	if !p.begun {
		for _, i := range r.Replied {
			p.first[i] = r.Answer(i)[:s.env.Size]
		}
		p.starting, p.updates = p.starting[:0], p.updates[:0]
		for i, answer := range p.first {
			if answer != nil {
				p.starting, p.updates = append(p.starting, i), append(p.updates, answer[s.low:])
			}
		}
		if p.begun = len(p.starting) >= s.start; !p.begun {
			for _, i := range r.Replied {
				// clone: comparable later, because the model does not change until then
				p.first[i] = slices.Clone(p.first[i])
			}
			return false
		}
		labels := p.start.Fit(p.updates, s.start, s.env.Stream(rng.Clustering, r.T, 0))
		for n, i := range p.starting {
			s.assign(r, i, labels[n])
		}
		return true
	}
	for _, i := range r.Replied {
		best := s.active[0]
		row := p.points.Row(i)
		clear(row)
		for _, k := range s.active {
			s.setDifference(r, i, k)
			row[k] = kernel.Dot(p.difference, p.difference)
			if row[k] < row[best] {
				best = k
			}
		}
		s.assign(r, i, best)
	}
	return true
}

// setDifference sets difference to the trained model of client i minus the model of cluster k.
func (s *hcfl) setDifference(r *fl.Round, i, k int) {
	p, size, g := &s.hardAssigner, s.env.Size, s.hardAssigner.trained[i]
	copy(p.difference, p.old[g*size+s.low:(g+1)*size])
	kernel.Axpy(p.difference, float32(-r.Step), s.update(r, i, 0))
	kernel.Axpy(p.difference, -1, p.old[k*size+s.low:(k+1)*size])
}

// updateOf returns the update that moves cluster k to the trained model of client i.
func (s *hcfl) updateOf(r *fl.Round, i, k int) []float32 {
	if by, _ := s.assigns(); by != byModels || s.hardAssigner.trained[i] == k {
		return s.update(r, i, 0)
	}
	s.setDifference(r, i, k)
	kernel.Scale(s.hardAssigner.difference, float32(-1/r.Step))
	return s.hardAssigner.difference
}
