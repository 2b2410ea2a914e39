package clusterer

import "math"

// The loops below do nearly all the arithmetic of this package. They are plain Go and not a
// BLAS, because the assembly of a BLAS adds in as many lanes as its processor has, and another
// order of addition gives other last bits. By the language's specification, the conversion in
// float64(x*y) + s forbids a fused multiply-add, which keeps digits that others drop.

// dot returns Σ aᵢ·bᵢ over the length of a; b may be longer.
//
// Four partial sums let the processor overlap its additions, about three times
// faster than one. Which partial sum an index goes to, and the order in which
// the four are joined, are fixed here: the bits are the same everywhere.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i, x := range a {
		s0 += float64(x * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds alpha·x to y, over the length of x; y may be longer.
func axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += float64(alpha * v)
	}
}

// squaredDistance returns Σ (aᵢ−bᵢ)² over the length of a; b may be longer.
// It subtracts first: expanding the square into ‖a‖² − 2a·b + ‖b‖² would be
// quicker for many columns but loses everything when points are far from the
// origin and close to each other, as gradients of nearby optima are.
func squaredDistance(a, b []float64) float64 {
	var s float64
	b = b[:len(a)]
	for i, x := range a {
		d := x - b[i]
		s += float64(d * d)
	}
	return s
}

// distances sets dst[i] to the squared distance of point i from the centre c,
// for every point. All points to one centre, rather than one point to all
// centres, so that the centre of a plane or a space can stay in registers: most
// embeddings have two or three columns, and these loops are most of k-means.
func distances(dst []float64, points *Matrix, c []float64) {
	data := points.Data
	switch points.Cols {
	case 2:
		c0, c1 := c[0], c[1]
		for i := range dst {
			d0, d1 := data[2*i]-c0, data[2*i+1]-c1
			dst[i] = float64(d0*d0) + float64(d1*d1)
		}
	case 3:
		c0, c1, c2 := c[0], c[1], c[2]
		for i := range dst {
			d0, d1, d2 := data[3*i]-c0, data[3*i+1]-c1, data[3*i+2]-c2
			dst[i] = float64(d0*d0) + float64(d1*d1) + float64(d2*d2)
		}
	default:
		for i := range dst {
			dst[i] = squaredDistance(points.Row(i), c)
		}
	}
}

// isFinite reports whether x is neither infinite nor NaN.
func isFinite(x float64) bool {
	return math.Abs(x) <= math.MaxFloat64
}

func notFinite(x float64) bool { return !isFinite(x) }
