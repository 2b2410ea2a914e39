package clusterer

import "math"

// largest is the largest coordinate that counts as finite: sums of squared distances
// of points within it are finite, too.
const largest = 1e140

// finite reports whether all coordinates of a point are numbers of at most largest in
// magnitude.
func finite(point []float64) bool {
	for _, x := range point {
		if !isBounded(x) {
			return false
		}
	}
	return true
}

// isBounded reports whether x is a number of at most largest in magnitude.
func isBounded(x float64) bool { return math.Abs(x) <= largest }

// finitePoints are the finite ones among some points. The zero value is ready to use.
type finitePoints struct {
	rows    Matrix
	indices []int // which points they are; unused if all are finite
}

// of returns the finite points: the argument itself, where all are.
func (f *finitePoints) of(points *Matrix) *Matrix {
	if finite(points.Data) {
		return points
	}
	f.indices = f.indices[:0]
	for i := range points.Rows {
		if finite(points.Row(i)) {
			f.indices = append(f.indices, i)
		}
	}
	f.rows.Reshape(len(f.indices), points.Cols)
	for n, i := range f.indices {
		copy(f.rows.Row(n), points.Row(i))
	}
	return &f.rows
}

// spread writes the labels of the finite points, and −1 for the others, to dst, which has one
// element per point. The two slices may be the same.
func (f *finitePoints) spread(dst, labels []int) {
	if len(labels) == len(dst) {
		copy(dst, labels)
		return
	}
	n := len(labels)
	for i := len(dst) - 1; i >= 0; i-- {
		if n > 0 && f.indices[n-1] == i {
			n--
			dst[i] = labels[n]
		} else {
			dst[i] = -1
		}
	}
}
