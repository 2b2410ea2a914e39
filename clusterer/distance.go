package clusterer

import "math"

// Distances sets dst to the n × n Euclidean distances of the points. Those of a point
// that is not finite may be NaN or infinite. dst must not share memory with
// points.
func Distances(dst, points *Matrix) {
	points.check()
	pairwise(dst, points.Rows, func(i, j int) float64 {
		return math.Sqrt(squaredDistance(points.Row(i), points.Row(j)))
	})
}

// pairwise makes dst the symmetric matrix of f, with zeros on the diagonal.
func pairwise(dst *Matrix, n int, f func(i, j int) float64) {
	dst.Reshape(n, n)
	for i := range n {
		dst.Data[i*n+i] = 0
		for j := range i {
			d := f(i, j)
			dst.Data[i*n+j], dst.Data[j*n+i] = d, d
		}
	}
}

// Cosines sets dst to the n × n cosines of the angles between the points, seen
// from the origin:
//
//	cᵢⱼ = xᵢ·xⱼ / (‖xᵢ‖·‖xⱼ‖)
//
// They lie in [−1, 1]. A point at the origin has a cosine of 0 with every point,
// itself too; those of a point whose length is not finite are NaN. dst must not share memory
// with points.
func Cosines(dst, points *Matrix) {
	Gram(dst, points, 0, points.Cols)
	CosinesOfGram(dst)
}

// CosinesOfGram turns the inner products of points, see [Gram], into the cosines
// of [Cosines], in place. A row with an inner product of the point with itself that is
// not finite comes out as NaN. It panics if gram is not square.
func CosinesOfGram(gram *Matrix) {
	gram.check()
	if gram.Rows != gram.Cols {
		panic("clusterer: CosinesOfGram: the matrix of inner products is not square")
	}
	// The diagonal holds the norms until the rest is done.
	for i := range gram.Rows {
		row := gram.Row(i)
		row[i] = math.Sqrt(max(0, row[i]))
	}
	for i := range gram.Rows {
		row := gram.Row(i)
		for j := range row {
			if j != i {
				row[j] = cosine(row[j], row[i], gram.Data[j*gram.Cols+j])
			}
		}
	}
	for i := range gram.Rows {
		switch row := gram.Row(i); {
		case !isFinite(row[i]):
			row[i] = math.NaN()
		case row[i] > 0:
			row[i] = 1
		}
	}
}

// cosine returns the cosine of the angle between vectors of inner product xy and
// lengths x and y, 0 if one has no length, NaN if one is not finite.
func cosine(xy, x, y float64) float64 {
	switch {
	case !isFinite(x) || !isFinite(y):
		return math.NaN()
	case x == 0 || y == 0:
		return 0
	}
	return max(-1, min(xy/(x*y), 1))
}
