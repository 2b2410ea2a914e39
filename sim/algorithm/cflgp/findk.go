package cflgp

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

var fieldFindK = param.Field{Name: "findk", Label: "Number of clusters", Section: param.Models, Kind: param.Choice,
	Default: "given", PerLane: true, Advanced: true,
	Options: []param.Option{
		{Name: "given", Title: "K, as given"},
		{Name: "silhouette", Title: "found by silhouette", Doc: "As the released code does.", Fields: []param.Field{fieldWarm, method.FieldMost}},
		{Name: "elbow", Title: "found by elbow", Doc: "Appendix G: the bend in the inertia of k-means.", Fields: []param.Field{fieldWarm, method.FieldMost}},
		{Name: "gap", Title: "found by gap statistic", Doc: "Appendix G: the smallest number from 2 on whose gain over points without clusters the next number does not improve; 1 if that is no better than one cluster.", Fields: []param.Field{fieldWarm, method.FieldMost}}},
	Doc: "Whether K is given, or the server first trains one model for all clients and finds K from their gradients."}

var fieldWarm = param.Field{Name: "solo", Label: "One model for", Section: param.Models, Unit: "rounds",
	Kind: param.Int, Min: 1, Max: 5000, High: 100, Low: 2, Default: "20", PerLane: true, Advanced: true,
	Doc: "Rounds in which all clients train one model, before the number of clusters is found."}

// kSearch is CFL-GP with unknown K (appendix G). The paper runs its algorithm with any K for a while. As in the released
// code that is 1 here: all clients train model 0, and G has their mean gradients on it. The singular values of G then say
// how many directions to compare clients in, and their clusters there say K. The models of the clusters start as copies of
// model 0.
type kSearch struct {
	criterion string // the criterion, as in the setting
	warm      int    // rounds with one model
	maxK      int    // the largest K

	features clusterer.Matrix
	selector clusterer.SelectK
	gap      clusterer.Gap
	kmeans   clusterer.KMeans
	inertia  []float64 // of 1, 2, … clusters
}

// minDirections is the least number of directions, as in the released code: G is not centred, and the largest gap is often
// after its first direction, which all clients have in common.
const minDirections = 3

// findK looks for K when the warm-up is over, and reports whether it has been found.
func (s *paper) findK(r *fl.Round) bool {
	f := s.search
	if r.T < f.warm {
		return false
	}
	s.memory.features(&f.features, 0)
	directions := min(max(minDirections, clusterer.LargestGap(s.memory.spectral.Values)), s.memory.clients)
	s.memory.features(&f.features, directions)
	points, clients := s.memory.knownRows(&f.features)
	if len(clients) == 0 {
		return false
	}
	s.stream.Reset(s.seed, rng.Clustering, r.T, 1)
	s.k = max(1, f.count(points, &s.stream)) // count returns 0 if K cannot be determined
	s.common = 1 % s.k
	for k := 1; k < s.k; k++ {
		copy(r.Bank.Model(k), r.Bank.Model(0))
	}
	s.search = nil
	return true
}

// count returns the number of clusters of points, at most as many as there are points.
func (f *kSearch) count(points *clusterer.Matrix, draw *rng.Stream) int {
	most := min(f.maxK, points.Rows)
	switch f.criterion {
	case "silhouette":
		return f.selector.Means(points, most, draw)
	case "gap":
		return f.gap.Fit(points, most, draw)
	default:
		for k := range most {
			f.kmeans.Fit(points, k+1, draw)
			f.inertia = append(f.inertia, f.kmeans.Inertia)
		}
		return clusterer.Elbow(f.inertia)
	}
}
