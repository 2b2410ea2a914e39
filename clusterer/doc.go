// Package clusterer finds groups of points and says how good they are.
//
// Its vocabulary is small. A point is a row of a [Matrix]. A label is the
// index of the cluster a point is in: 0 … k−1, or negative for a point that has
// none. A centroid is the mean of the points that share a label. A tree merges
// points into ever larger clusters, and is cut to get labels. A distance is
// Euclidean unless it says otherwise; a score grows with goodness.
//
// Three promises hold throughout:
//
//   - The same bits on every processor and in a browser, so that one seed draws
//     one picture. Sums run in a fixed order, products that feed a sum cannot be
//     fused into it, nothing ranges over a map, and the eigensolver is our own.
//   - No garbage. Every algorithm is a struct that owns its buffers; once it has
//     seen a shape, the next call of that shape allocates nothing. The results
//     it exports are its own: they hold until its next call.
//   - Inputs are read, never written, and no result may share memory with an
//     input unless the function says so.
//
// It panics for programmer errors only, such as slices of different lengths.
// Values that are not finite never panic and never hang. A point is finite if its
// coordinates are numbers of at most 10¹⁴⁰ in magnitude, so that sums of squared
// distances are finite too. One that is not must not decide about the others: what
// labels points leaves it out and gives it the label −1; a score or a number of
// clusters that cannot be told is reported as undefined, or as 0; a distance or a
// cosine of such a point is NaN or infinite. Each function says which.
//
// The package imports the standard library only, and must never import the
// simulator that uses it. To find your way, start with [KMeans.Fit],
// [Agglomerative.Fit] and [Contingency.AdjustedRand].
package clusterer
