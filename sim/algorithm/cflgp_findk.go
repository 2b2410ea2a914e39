package algorithm

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
		{Name: "elbow", Title: "found by elbow", Doc: "Appendix G: where the inertia of k-means bends.", Fields: []param.Field{fieldWarm, method.FieldMost}},
		{Name: "gap", Title: "found by gap statistic", Doc: "Appendix G: the least number from 2 on that explains as much as a further one would, compared with points without clusters; 1 if that is no better than one cluster.", Fields: []param.Field{fieldWarm, method.FieldMost}}},
	Doc: "Whether the server knows K, or trains one model for all clients first and looks how many kinds of gradients there are."}

var fieldWarm = param.Field{Name: "solo", Label: "One model for", Section: param.Models, Unit: "rounds",
	Kind: param.Int, Min: 1, Max: 5000, High: 100, Low: 2, Default: "20", PerLane: true, Advanced: true,
	Doc: "How long all clients train one model before the number of clusters is found."}

// kSearch is CFL-GP with unknown K (appendix G). The paper runs its algorithm with
// any K for a while. As in the released code that is 1 here: all clients train
// model 0, and G has their mean gradients on it. Then the singular values of G
// say in how many directions to look, and what is seen there says K; copies of
// model 0 begin as the models of the clusters.
type kSearch struct {
	by   string
	warm int // rounds with one model
	most int // the largest K

	features clusterer.Matrix
	selector clusterer.SelectK
	gap      clusterer.Gap
	kmeans   clusterer.KMeans
	curve    []float64
}

// fewest is the least number of directions looked in, as in the released code: G
// is not centred, and its first direction, which all clients have in common, can
// have the largest gap after it.
const fewest = 3

// findK looks for K when the warm-up is over, and reports whether it has been found.
func (s *cflgp) findK(r *fl.Round) bool {
	f := s.search
	if r.T < f.warm {
		return false
	}
	s.memory.features(&f.features, 0)
	directions := min(max(fewest, clusterer.LargestGap(s.memory.spectral.Values)), s.env.Clients)
	s.memory.features(&f.features, directions)
	points := s.rows(&f.features)
	if points.Rows == 0 {
		return false
	}
	s.stream.Reset(s.env.Seed, rng.Clustering, r.T, 1)
	s.models = max(1, f.count(points, &s.stream)) // 0 if it cannot be told
	s.common = 1 % s.models
	for k := 1; k < s.models; k++ {
		copy(r.Bank.Model(k), r.Bank.Model(0))
	}
	s.search = nil
	return true
}

// count returns the number of clusters among points, at most as many as those.
func (f *kSearch) count(points *clusterer.Matrix, draw *rng.Stream) int {
	most := min(f.most, points.Rows)
	switch f.by {
	case "silhouette":
		return f.selector.Means(points, most, draw)
	case "gap":
		return f.gap.Fit(points, most, draw)
	default:
		for k := range most {
			f.kmeans.Fit(points, k+1, draw)
			f.curve = append(f.curve, f.kmeans.Inertia)
		}
		return clusterer.Elbow(f.curve)
	}
}
