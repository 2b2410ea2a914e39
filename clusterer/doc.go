// Package clusterer finds groups of points and says how good they are.
//
// A point is a row of a [Matrix]. A label is the index of the cluster of a point: 0 … k−1,
// or negative for none. A centroid is the mean of the points that share a label. A tree
// merges points into ever larger clusters, and is cut to get labels. Distances are
// Euclidean unless stated otherwise, and a larger score is better.
//
// Three promises hold throughout:
//
//   - The same bits on every processor and in a browser, so that one seed gives one result.
//     Sums run in a fixed order, products that feed a sum cannot be fused into it, nothing
//     ranges over a map, and the eigensolver is our own: see [Spectral] and eigen.go.
//   - No garbage. Every algorithm is a struct that owns its buffers: after the first call
//     with a shape, further calls with it allocate nothing. Exported results belong to the
//     struct and are valid until its next call.
//   - Inputs are read, never written, and no result may share memory with an
//     input unless the function says so.
//
// Functions panic for programmer errors only, such as slices of different lengths. Values
// that are not finite neither panic nor hang. A point is finite if its coordinates are
// numbers of at most 10¹⁴⁰ in magnitude, so that sums of squared distances are finite too.
// A point that is not finite does not affect the others: its label is −1; a score or a
// number of clusters that has no value is reported as undefined, or as 0; a distance or a
// cosine of the point is NaN or infinite. Each function says which.
//
// The package imports the standard library only, and must never import the simulator that
// uses it. Start with [KMeans.Fit], [Agglomerative.Fit] and [Contingency.AdjustedRand].
//
//	matrix.go, finite.go, sums.go, functions.go    points, inner loops, elementary functions
//	distance.go, gram.go                           distances, cosines, inner products
//	kmeans.go, lloyd.go, loops.go, nearest.go      k-means; awasthi.go: its start in k-FED; robust.go: k-medians, trimmed
//	agglomerative.go, linkage.go, tree.go          hierarchical clustering; hdbscan.go: by density
//	bipartition.go                                 splits in two by similarity
//	spectral.go, basis.go, project.go, angles.go   singular vectors, maps, principal angles
//	eigen.go, tridiagonal.go, jacobi.go            symmetric eigenvalues, singular values
//	elbow.go, gap.go, selectk.go                   the number of clusters
//	external.go, entropy.go, internal.go           scores with and without a truth
//	assign.go                                      assignment problem, matching of labels
//	naming.go                                      names of clusters over steps
package clusterer
