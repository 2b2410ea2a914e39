package clusterer

import "math"

// The three loops below carry nearly all the arithmetic of this package. They
// are written out in Go, and not handed to a BLAS, because an assembly routine
// adds in as many lanes as its processor likes, and another order of addition
// gives other last bits. The conversion in float64(x*y) + s is the language's
// own way to forbid a fused multiply-add, which keeps digits that others drop.

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

// isFinite reports whether x is neither infinite nor NaN.
func isFinite(x float64) bool {
	return math.Abs(x) <= math.MaxFloat64
}
