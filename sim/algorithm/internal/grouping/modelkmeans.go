package grouping

import (
	"flockscope/clusterer"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// ModelKMeans splits clients by k-means among models that they arrived at from one
// start. Such models lie as far apart as their updates, and how far that is the
// updates' inner products tell: C×C numbers in place of C×d.
type ModelKMeans struct {
	gram     clusterer.Matrix
	features clusterer.Matrix
	spectral clusterer.Spectral
	kmeans   clusterer.KMeans
}

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

// ByFirst numbers clusters by their first points. k-means names them as its best
// start happened to, and often several are equally good but for rounding.
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
