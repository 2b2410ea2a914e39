package clusterer

import "math"

// Bipartition splits points in two by their similarities, and tells how similar
// points on different sides still are. The zero value is ready to use.
type Bipartition struct {
	KMeans KMeans // its options are those of FitSpectral

	// The result of the last call, valid until the next.
	Labels []int   // 0 for the side of the first point, 1 for the other
	Cross  float64 // the greatest similarity between sides; −Inf if there is only one side

	distance Matrix
	tree     Agglomerative
	spectral Spectral
	vectors  Matrix
}

// Fit splits the points of a square matrix of similarities, of which the lower
// triangle is read, by merging the most similar until two clusters are left.
//
// With [Single] linkage no other split has a lower Cross: this is the optimal
// bipartition of Sattler, Müller and Samek (IEEE Trans. Neural Networks and
// Learning Systems 32 (2021), 3710-3722, Algorithm 1), which asks, beyond that,
// that Cross be small enough. A similarity that is not a number counts as −Inf. Their code
// uses [Complete] linkage, which keeps each side similar within itself, while single linkage
// may separate one outlier from the rest. [Ward] is not valid, since similarities are not
// squared distances. It panics if the matrix is not square or the linkage is Ward.
func (b *Bipartition) Fit(similarity *Matrix, linkage Linkage) {
	if linkage == Ward {
		panic("clusterer: Bipartition: Ward's linkage needs distances")
	}
	b.checkSquare(similarity)
	b.distance.Reshape(similarity.Rows, similarity.Cols)
	for i, s := range similarity.Data {
		b.distance.Data[i] = -s
	}
	b.tree.Linkage = linkage
	b.tree.FitDistances(&b.distance)
	b.setResult(b.tree.Tree.Cut(2), similarity)
}

// FitSpectral splits the points of a matrix of cosines, see [Cosines], by k-means
// with two clusters on the leading two eigenvectors, a point's features being its
// components. It returns their connectivity λ₁/n, the largest eigenvalue over the
// number of points, in [1/n, 1]: 1 if all point the same way. Iterative clustered
// federated learning (Yan, Tong and Wang, 2023) splits clusters of low connectivity this
// way. Without points, or if a cosine is not finite, the connectivity is 0 and all points
// are on one side. It panics if the matrix is not square.
func (b *Bipartition) FitSpectral(cosines *Matrix, r Rand) (connectivity float64) {
	b.checkSquare(cosines)
	n := cosines.Rows
	b.spectral.FitGram(&b.vectors, cosines, 2)
	for j := range b.spectral.leading(2) {
		for i := range n {
			b.vectors.Row(i)[j] /= b.spectral.Values[j]
		}
	}
	b.KMeans.Fit(&b.vectors, 2, r)
	b.setResult(b.KMeans.Labels, cosines)
	if n == 0 {
		return 0
	}
	top := b.spectral.Values[0]
	return float64(top*top) / float64(n)
}

func (b *Bipartition) checkSquare(m *Matrix) {
	m.check()
	if m.Rows != m.Cols {
		panic("clusterer: Bipartition: the matrix of similarities is not square")
	}
}

// setResult makes labels the result, the first point's being 0.
func (b *Bipartition) setResult(labels []int, similarity *Matrix) {
	b.Labels = resize(b.Labels, len(labels))
	b.Cross = math.Inf(-1)
	for i, l := range labels {
		b.Labels[i] = l ^ labels[0]
		for j, s := range similarity.Row(i)[:i] {
			if b.Labels[j] != b.Labels[i] {
				if s > b.Cross {
					b.Cross = s
				}
			}
		}
	}
}
