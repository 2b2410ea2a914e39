package clusterer

import "slices"

// Elbow returns the k at which a falling curve bends most, where curve[0] is the
// inertia for k = 1, curve[1] for k = 2 and so on: the point farthest below the
// chord from the first to the last, the first on ties. It is 1 if no point lies
// below, to one part in 10⁹ of the fall, as for two values or fewer, and 0 without values or
// if one is not finite. Satopää, Albrecht, Irwin and Raghavan, ICDCS Workshops 2011, 166-171.
func Elbow(curve []float64) int {
	if len(curve) == 0 || slices.ContainsFunc(curve, notFinite) {
		return 0
	}
	last := len(curve) - 1
	fall := curve[0] - curve[last]
	// Below a chord, vertical and perpendicular distances rank points alike.
	best, deepest := 0, 1e-9*fall
	for i := 1; i < last; i++ {
		chord := curve[0] - float64(fall*(float64(i)/float64(last)))
		if depth := chord - curve[i]; depth > deepest {
			best, deepest = i, depth
		}
	}
	return best + 1
}

// LargestGap returns how many of the descending values come before the largest gap between
// neighbours, the first on ties: at least 1, or 0 if there are no values or one is not
// finite. For singular values it estimates the number of relevant directions. The first
// direction of points that are not centred is close to their mean, and the largest gap may
// follow it for that reason alone.
func LargestGap(values []float64) int {
	if slices.ContainsFunc(values, notFinite) {
		return 0
	}
	best, widest := min(1, len(values)), 0.0
	for i := 1; i < len(values); i++ {
		if gap := values[i-1] - values[i]; gap > widest {
			best, widest = i, gap
		}
	}
	return best
}
