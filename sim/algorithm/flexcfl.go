package algorithm

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// flexcfl is FlexCFL without its migration, because clients here keep their samples. That makes it FedGroup. As
// everywhere, an update is the model before training minus the model after it.
type flexcfl struct {
	pairwise bool    // use MADC instead of EDC
	between  float64 // η_G
	counting method.Counting
	weights  []float64 // weight of each client in a mean

	env        *fl.Env
	begun      bool
	origin     []float32 // w⁰, the start of all clients
	known      []bool    // clients that have sent their direction
	assigned   []bool    // clients that have a cluster
	chosen     []int     // clients chosen for clustering
	members    []int     // number of chosen clients in each cluster
	meanUpdate fl.Bank   // mean update of each cluster's chosen clients
	sum        []float64
	previous   fl.Bank          // models before mixing
	cosines    clusterer.Matrix // cosines of clients' directions with those of the clusters, clients × K

	updates  [][]float32
	gram     clusterer.Matrix
	features clusterer.Matrix
	spectral clusterer.Spectral
	kmeans   clusterer.KMeans
	tree     clusterer.Agglomerative
}

func (s *flexcfl) Start(env *fl.Env, label []int) {
	s.env, s.weights = env, s.counting.Of(env.Samples)
	clear(label)
	method.StartAlike(env.Exchange.Bank)
	s.origin = slices.Clone(env.Exchange.Bank.Model(0))
	s.known, s.assigned, s.members = make([]bool, env.Clients), make([]bool, env.Clients), make([]int, env.Models)
	s.meanUpdate, s.sum = fl.NewBank(env.Models, env.Size), make([]float64, env.Size)
	if s.between > 0 {
		s.previous = fl.NewBank(env.Models, env.Size)
	}
	s.cosines.Reshape(env.Clients, env.Models)
	clear(s.cosines.Data)
	s.kmeans.Iterations = 20
	s.tree.Linkage = clusterer.Complete
}

func (s *flexcfl) Round(r *fl.Round) {
	if s.askDirections(r) {
		if !s.begun {
			s.coldStart(r)
		}
		if s.begun {
			s.join(r)
		}
	}
	askModels(r, s.assigned)
	r.ApplyMean(s.weights)
	if s.between > 0 && s.begun {
		s.mixClusters(r)
	}
}

// askDirections asks newcomers for their direction, and reports whether any replied. The answers stay in the exchange: no
// client is asked twice.
func (s *flexcfl) askDirections(r *fl.Round) bool {
	asked := false
	for _, i := range r.Participants {
		if !s.known[i] {
			r.AskCall(i, opStartDirection, s.origin)
			asked = true
		}
	}
	if !asked {
		return false
	}
	r.Ask()
	for _, i := range r.Replied {
		s.known[i] = true
	}
	return len(r.Replied) > 0
}

// coldStart is the cold start (Algorithm 1 of FedGroup): at most 20·K clients, drawn at random, are clustered by their
// directions, once there are K. Every model starts at the plain mean of its members' models, which all took the same
// number of steps.
func (s *flexcfl) coldStart(r *fl.Round) {
	s.choose(r.T)
	if len(s.chosen) < s.env.Models {
		return
	}
	s.updates = s.updates[:0]
	for _, i := range s.chosen {
		s.updates = append(s.updates, r.Answer(i))
	}
	n := len(s.updates)
	s.gram.Reshape(n, n)
	kernel.Gram(s.gram.Data, s.updates)
	label := s.cluster(r.T)
	if !s.pairwise {
		r.Spectrum, r.Directions = s.spectral.Values, s.env.Models
	}
	for g := range s.env.Models {
		average := r.Average(s.sum)
		for a, u := range s.updates {
			if label[a] == g {
				average.Add(1, u)
				s.members[g]++
			}
		}
		if average.End() == 0 {
			continue
		}
		for j, total := range s.sum {
			s.meanUpdate.Model(g)[j] = float32(total / float64(s.members[g]))
		}
		kernel.Axpy(r.Bank.Model(g), -1, s.meanUpdate.Model(g))
	}
	for a, i := range s.chosen {
		r.Label[i], s.assigned[i] = label[a], true
		s.compare(i, r.Answer(i))
	}
	s.begun = true
}

// join gives newcomers the cluster with the nearest mean update: the least (1 − cos)/2.
func (s *flexcfl) join(r *fl.Round) {
	for i, known := range s.known {
		if !known || s.assigned[i] {
			continue
		}
		s.compare(i, r.Answer(i))
		best := -1
		for g, c := range s.cosines.Row(i) {
			if s.members[g] > 0 && (best < 0 || c > s.cosines.Row(i)[best]) {
				best = g
			}
		}
		r.Label[i], s.assigned[i] = best, true
	}
	r.Reclustered = true
}

// compare computes the cosines of client i's direction with the clusters' mean updates.
func (s *flexcfl) compare(i int, u []float32) {
	for g := range s.env.Models {
		course := s.meanUpdate.Model(g)
		lengths := kernel.Dot(u, u) * kernel.Dot(course, course)
		if s.cosines.Row(i)[g] = 0; lengths > 0 {
			s.cosines.Row(i)[g] = kernel.Dot(u, course) / math.Sqrt(lengths)
		}
	}
}

// mixClusters is the aggregation between clusters, θ_g and the others' unit vectors:
//
//	θ_g ← (θ_g + η Σ θ_h/‖θ_h‖) / (1 + η Σ 1/‖θ_h‖)   over h ≠ g
func (s *flexcfl) mixClusters(r *fl.Round) {
	copy(s.previous.Params, r.Bank.Params)
	for g := range s.env.Models {
		model, whole := r.Bank.Model(g), 1.0
		for h := range s.env.Models {
			other := s.previous.Model(h)
			length := math.Sqrt(kernel.Dot(other, other))
			if h == g || s.members[h] == 0 || length == 0 {
				continue
			}
			weight := s.between / length
			kernel.Axpy(model, float32(weight), other)
			whole += weight
		}
		kernel.Scale(model, float32(1/whole))
	}
}

// Embedding returns the cosines of clients' directions with the clusters' mean updates.
func (s *flexcfl) Embedding() *clusterer.Matrix { return &s.cosines }

// choose lists the clients that are clustered, ascending.
func (s *flexcfl) choose(t int) {
	s.chosen = s.chosen[:0]
	for i, known := range s.known {
		if known {
			s.chosen = append(s.chosen, i)
		}
	}
	if most := 20 * s.env.Models; len(s.chosen) > most {
		stream := s.env.Stream(rng.Clustering, t, 1)
		for j := range most {
			k := j + stream.IntN(len(s.chosen)-j)
			s.chosen[j], s.chosen[k] = s.chosen[k], s.chosen[j]
		}
		s.chosen = s.chosen[:most]
		slices.Sort(s.chosen)
	}
}

// cluster labels the chosen clients by the inner products of their updates.
func (s *flexcfl) cluster(t int) []int {
	if s.pairwise {
		clusterer.CosinesOfGram(&s.gram)
		s.compareCosines()
		s.tree.FitDistances(&s.features)
		return s.tree.Tree.Cut(s.env.Models)
	}
	// A feature of u_i is ⟨u_i, v⟩ for a leading direction v, of unit length.
	s.spectral.Length = s.env.Size
	s.spectral.FitGram(&s.features, &s.gram, s.env.Models)
	for a := range s.features.Rows {
		if length := math.Sqrt(s.gram.Row(a)[a]); length > 0 {
			for j := range s.features.Row(a) {
				s.features.Row(a)[j] /= length
			}
		}
	}
	s.kmeans.Fit(&s.features, s.env.Models, s.env.Stream(rng.Clustering, t, 0))
	grouping.ByFirst(s.kmeans.Labels, s.env.Models)
	return s.kmeans.Labels
}

// compareCosines sets features to MADC, the mean absolute difference of two clients' cosines with the n−2 others.
func (s *flexcfl) compareCosines() {
	n := s.gram.Rows
	s.features.Reshape(n, n)
	clear(s.features.Data)
	for a := range n {
		for b := range a {
			total := 0.0
			for z, c := range s.gram.Row(a) {
				if z != a && z != b {
					total += math.Abs(c - s.gram.Row(b)[z])
				}
			}
			d := total / float64(max(1, n-2))
			s.features.Row(a)[b], s.features.Row(b)[a] = d, d
		}
	}
}

// directionReporter is the client's side: it trains the start model for some steps and answers with its update.
type directionReporter struct{ steps int }

func (d directionReporter) Do(dst []float32, _ int, start []float32, at fl.ClientContext) []float32 {
	from := len(dst)
	dst = append(dst, start...)
	kernel.Axpy(dst[from:], -1, trainedFrom(start, d.steps, at))
	at.Quantize(dst[from:])
	return dst
}

// trainedFrom returns a start model after steps of plain descent. The minibatches have the size of those of training
// and pass through the client's samples in order, repeatedly.
func trainedFrom(start []float32, steps int, at fl.ClientContext) []float32 {
	held, size := at.SampleCount(), at.Minibatch().N
	params, gradient := at.Scratch(0, len(start)), at.Scratch(1, len(start))
	copy(params, start)
	for from, step := 0, 0; step < steps && held > 0; step++ {
		to := min(from+size, held)
		at.Model().Gradient(gradient, params, at.Samples(from, to))
		kernel.Axpy(params, float32(-at.Protocol().Rate), gradient)
		if from = to; from == held {
			from = 0
		}
	}
	return params
}

// opStartDirection asks a device for its update of the start model.
const opStartDirection = 1
