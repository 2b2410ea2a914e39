package algorithm

import "math"

// cosine returns that of the angle between two vectors, from their inner product
// and squared lengths; 0 if one has no length.
func cosine(xy, xx, yy float64) float64 {
	if !(xx > 0) || !(yy > 0) {
		return 0
	}
	return max(-1, min(xy/(math.Sqrt(xx)*math.Sqrt(yy)), 1))
}
