package clusterer

import "math"

// Linkage is how the distance of two clusters is defined.
type Linkage int

const (
	Ward     Linkage = iota // by how much merging them would raise the inertia
	Complete                // their two farthest points
	Average                 // mean over all pairs of points (UPGMA)
	Weighted                // mean over the two halves each was merged from (WPGMA)
	Single                  // their two nearest points
)

// merged returns the distance of a cluster of size nk to the union of two, of
// sizes na and nb, from its distances a and b to the two and theirs, c, to each
// other. For Ward all distances are squared. These are the recurrences of Lance
// and Williams (Computer Journal 9 (1967), 373-380), Ward's after Wishart
// (Biometrics 25 (1969), 165-170).
//
// As c is at most a and b, no linkage gives less than the smaller of them. Enforcing this
// for rounding errors too makes heights ascend without exception.
func (l Linkage) merged(a, b, c, na, nb, nk float64) float64 {
	lo, hi := a, b
	if hi < lo {
		lo, hi = hi, lo
	}
	var d float64
	switch l {
	case Single:
		return lo
	case Complete:
		return hi
	case Average:
		d = (float64(na*a) + float64(nb*b)) / (na + nb)
	case Weighted:
		d = float64(a/2) + float64(b/2)
	default:
		d = (float64((na+nk)*a) + float64((nb+nk)*b) - float64(nk*c)) / (na + nb + nk)
		hi = math.Inf(1)
	}
	if !(d >= lo) { // also if it is NaN
		return lo
	}
	return min(d, hi)
}
