package algorithm

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
)

// subspaceReporter is the client's side: it finds the leading directions of its samples, seen from the origin.
type subspaceReporter struct {
	directions int  // p
	pooled     bool // directions of all samples, not per class
}

func (d subspaceReporter) Do(dst []float32, _ int, _ []float32, at fl.ClientContext) []float32 {
	samples, classes := samplesOf(at)
	var s sketch
	var spectral clusterer.Spectral
	var basis clusterer.Matrix
	s.rows.Cols = samples.Cols
	add := func(part *clusterer.Matrix) {
		// Directions that span the whole space would not tell clients apart.
		spectral.Basis(&basis, part, min(d.directions, max(1, part.Cols-1)))
		s.rows.Data = append(s.rows.Data, basis.Data...)
		for range basis.Rows {
			s.rows.Rows++
			s.counts = append(s.counts, part.Rows)
		}
	}
	if d.pooled || classes == nil {
		add(&samples)
		return s.append(dst, at)
	}
	// Directions of different classes need not be orthogonal.
	var part clusterer.Matrix
	for c := range at.Network().Outputs() {
		part.Reshape(0, samples.Cols)
		for j, class := range classes {
			if class == c {
				part.Data = append(part.Data, samples.Row(j)...)
				part.Rows++
			}
		}
		add(&part)
	}
	return s.append(dst, at)
}

// pacfl is Algorithm 1: one clustering by angles between subspaces, then FedAvg in each cluster, from one start model for
// all.
//
// The paper clusters all clients before the first round. Here a client is asked in its first round; newcomers extend the
// matrix of angles, all are clustered again, as the paper says, and clusters keep their names as far as possible.
type pacfl struct {
	sketchMeter
	cut       float64 // β in degrees; negative if it is to be found
	principal bool

	counting method.Counting
	weights  []float64 // weight of each client in a mean
	known    []bool
	sketches []sketch           // a client's directions
	bases    []clusterer.Matrix // orthonormal bases of the spans of these directions
	degrees  clusterer.Matrix   // angles, clients × clients
	between  clusterer.Matrix   // angles between the known clients
	angles   clusterer.Angles
	spectral clusterer.Spectral
	tree     clusterer.Agglomerative
	assigner clusterer.Assigner
	assigned []bool // clients that have a cluster
	found    []int  // clusters of the known clients
	previous []int  // the previous clusters, −1 for newcomers
	features clusterer.Matrix
	leading  clusterer.Matrix
}

func (s *pacfl) Start(env *fl.Env, label []int) {
	clear(label)
	method.StartAlike(env.Exchange.Bank)
	c := env.Clients
	s.weights = s.counting.Of(env.Samples)
	s.known, s.assigned, s.sketches, s.bases = make([]bool, c), make([]bool, c), make([]sketch,
		c), make([]clusterer.Matrix,
		c)
	s.degrees.Reshape(c, c)
	clear(s.degrees.Data)
	s.features.Reshape(c, mapDimensions)
	clear(s.features.Data)
}

func (s *pacfl) Round(r *fl.Round) {
	if askSketches(r, s.sketches, s.known) {
		s.compare()
		s.cluster(r)
	}
	askModels(r, s.known)
	r.ApplyMean(s.weights)
}

// compare computes the angles between newcomers and all clients, by the paper's equation for the proximity matrix with
// the least angle. A direction here has no sign; the code uses the signs of singular vectors, which are arbitrary.
func (s *pacfl) compare() {
	for i := range s.bases {
		if s.principal && s.known[i] && !s.assigned[i] {
			// Directions of several classes are not orthogonal.
			s.spectral.Basis(&s.bases[i], &s.sketches[i].rows, s.sketches[i].rows.Rows)
		}
	}
	for i := range s.degrees.Rows {
		for j := range i {
			if s.known[i] && s.known[j] && !(s.assigned[i] && s.assigned[j]) {
				d := s.distance(i, j) * 180 / math.Pi
				s.degrees.Row(i)[j], s.degrees.Row(j)[i] = d, d
			}
		}
	}
}

// distance returns the angle between two clients in radians, π/2 if one of them
// has no direction.
func (s *pacfl) distance(i, j int) float64 {
	a, b := &s.sketches[i].rows, &s.sketches[j].rows
	switch {
	case a.Rows == 0 || b.Rows == 0:
		return math.Pi / 2
	case s.principal && (s.bases[i].Rows == 0 || s.bases[j].Rows == 0): // all decimals were truncated
		return math.Pi / 2
	case s.principal:
		return s.angles.Fit(&s.bases[i], &s.bases[j])[0]
	}
	return clusterer.MinAngle(a, b)
}

// cluster merges the known clients up to the angle β, and further while there are more clusters than models, and names the
// clusters so that as few clients as possible change their model.
func (s *pacfl) cluster(r *fl.Round) {
	s.copyKnown()
	s.tree.FitDistances(&s.between)
	labels, k := cutTree(&s.tree.Tree, s.cut)
	if models := r.Bank.Models(); k > models {
		labels = s.tree.Tree.Cut(models)
	}
	s.found, s.previous = append(s.found[:0], labels...), s.previous[:0]
	for i, known := range s.known {
		switch {
		case s.assigned[i]:
			s.previous = append(s.previous, r.Label[i])
		case known:
			s.previous = append(s.previous, -1)
		}
	}
	s.assigner.Relabel(s.found, s.previous, r.Bank.Models())
	n := 0
	for i, known := range s.known {
		if s.assigned[i] = known; known {
			r.Label[i] = s.found[n]
			n++
		}
	}
	s.updateMap()
	r.Reclustered = true
}

// cutTree cuts a tree at a height, or at the tree's own threshold if the height is negative. It returns the labels and
// the number of clusters.
func cutTree(t *clusterer.Tree, height float64) (labels []int, k int) {
	if height < 0 {
		height = t.Otsu()
	}
	return t.CutAt(height)
}

// copyKnown copies the angles of the known clients to between.
func (s *pacfl) copyKnown() {
	s.between.Rows, s.between.Data = 0, s.between.Data[:0]
	for i, known := range s.known {
		if !known {
			continue
		}
		s.between.Rows++
		for j, d := range s.degrees.Row(i) {
			if s.known[j] {
				s.between.Data = append(s.between.Data, d)
			}
		}
	}
	s.between.Cols = s.between.Rows
}

// updateMap computes the clients' places on the map: 1 − angle/90° serves as a cosine.
func (s *pacfl) updateMap() {
	for j, d := range s.between.Data {
		s.between.Data[j] = 1 - d/90
	}
	s.spectral.FitGram(&s.leading, &s.between, mapDimensions)
	clear(s.features.Data)
	n := 0
	for i, known := range s.known {
		if known {
			copy(s.features.Row(i), s.leading.Row(n))
			n++
		}
	}
}

// Embedding returns the leading features of the angles.
func (s *pacfl) Embedding() *clusterer.Matrix { return &s.features }
