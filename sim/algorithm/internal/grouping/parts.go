package grouping

import (
	"flockscope/clusterer"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// FieldParts is how a server splits clients into K clusters.
var FieldParts = param.Field{Name: "by", Label: "Clustering", Section: param.Models, Kind: param.Choice,
	Default: "kmeans", PerLane: true, Advanced: true,
	Options: []param.Option{{Name: "kmeans", Title: "k-means"},
		{Name: "ward", Title: "agglomerative, Ward linkage"},
		{Name: "kmedians", Title: "k-medians"},
		{Name: "trimmed", Title: "trimmed k-means", Fields: []param.Field{
			{Name: "aside", Label: "Share left out", Section: param.Models, Kind: param.Float, Min: 0, Max: 0.5, High: 0.4,
				Step: 0.05, Default: "0.15", PerLane: true, Advanced: true,
				Doc: "Share of the clients that lie farthest from the centres. They do not move these, and get the nearest one."}}}},
	Doc: "How the server clusters what it compares. Merging is an ablation of CLoVE's paper; medians and trimming bear some liars."}

// Parts splits points into clusters as FieldParts says.
type Parts struct {
	// Labels are the clusters of the points, valid until the next call of Fit; −1 for points that are not finite.
	Labels []int

	by     string
	kmeans clusterer.KMeans
	tree   clusterer.Agglomerative
	robust clusterer.RobustMeans
}

// NewParts reads the setting.
func NewParts(v param.Values) Parts {
	p := Parts{by: v.Text(FieldParts.Name)}
	p.robust.Medians = p.by == "kmedians"
	if p.by == "trimmed" {
		p.robust.Trim = v.Float("aside")
	}
	return p
}

// Fit splits points into at most k clusters.
func (p *Parts) Fit(points *clusterer.Matrix, k int, s *rng.Stream) {
	switch p.by {
	case "ward":
		p.tree.Fit(points)
		p.Labels = p.tree.Tree.Cut(k)
	case "kmedians", "trimmed":
		p.robust.Fit(points, k, s)
		p.Labels = p.robust.Labels
	default:
		p.kmeans.Fit(points, k, s)
		p.Labels = p.kmeans.Labels
	}
}

// Centre returns the centre of a cluster; of merged clusters it is the mean of their points.
func (p *Parts) Centre(points *clusterer.Matrix, cluster int) []float64 {
	switch p.by {
	case "ward":
		mean, n := make([]float64, points.Cols), 0.0
		for i, label := range p.Labels {
			if label == cluster {
				n++
				for j, x := range points.Row(i) {
					mean[j] += x
				}
			}
		}
		for j := range mean {
			mean[j] /= n
		}
		return mean
	case "kmedians", "trimmed":
		return p.robust.Centroids.Row(cluster)
	}
	return p.kmeans.Centroids.Row(cluster)
}
