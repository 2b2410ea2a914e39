package grouping

import (
	"flockscope/clusterer"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// ModelKMeans clusters clients by k-means among their models, trained from one start. Distances between such models are
// those between updates, which follow from the updates' inner products: C×C numbers in place of C×d.
type ModelKMeans struct {
	gram     clusterer.Matrix
	features clusterer.Matrix
	spectral clusterer.Spectral
	kmeans   clusterer.KMeans
}

// Fit returns the cluster of each update, numbered by their first clients.
func (p *ModelKMeans) Fit(updates [][]float32, k int, stream *rng.Stream) []int {
	n, size := len(updates), len(updates[0])
	p.gram.Reshape(n, n)
	kernel.Gram(p.gram.Data, updates)
	p.spectral.Length = size
	p.spectral.FitGram(&p.features, &p.gram, min(n, size))
	p.kmeans.Fit(&p.features, k, stream)
	ByFirst(p.kmeans.Labels, k)
	return p.kmeans.Labels
}

// ByFirst renumbers clusters by their first points. The numbering of k-means depends on which of its starts was best,
// and often several are equally good up to rounding.
func ByFirst(labels []int, k int) {
	name := make([]int, k)
	next := 1
	for i, l := range labels {
		if name[l] == 0 {
			name[l] = next
			next++
		}
		labels[i] = name[l] - 1
	}
}
