package clusterer

import "math"

// DaviesBouldin returns the mean over labels of the worst overlap with another:
//
//	R(k) = max over l ≠ k of (sₖ + sₗ) / ‖cₖ − cₗ‖
//
// where c is the mean of the points of a label and s their mean Euclidean
// distance from it. Unlike other scores it is better the lower it is: 0 for
// labels of single spots. Labels that share a mean, and are not both on that
// spot, make it +Inf, where scikit-learn passes over such a pair.
//
// It is undefined, and ok false, as [Separation.Silhouette] is. Davies and
// Bouldin, IEEE Trans. Pattern Analysis and Machine Intelligence 1 (1979),
// 224-227.
func (s *Separation) DaviesBouldin(points *Matrix, labels []int) (score float64, ok bool) {
	if !s.findCentres(points, labels) {
		return 0, false
	}
	for i, k := range labels {
		if k >= 0 {
			s.spread[k] += math.Sqrt(squaredDistance(points.Row(i), s.centres.Row(k)))
		}
	}
	used := 0
	for k, n := range s.count {
		if n > 0 {
			s.spread[k] /= float64(n)
			used++
		}
	}
	for k, n := range s.count {
		if n == 0 {
			continue
		}
		var worst float64
		for l, m := range s.count {
			if both := s.spread[k] + s.spread[l]; l != k && m > 0 && both != 0 {
				worst = max(worst, both/math.Sqrt(squaredDistance(s.centres.Row(k), s.centres.Row(l))))
			}
		}
		score += worst
	}
	return score / float64(used), true
}

// CalinskiHarabasz returns the variance between labels over that within them:
//
//	(B / (k−1)) / (W / (n−k))
//
// where B = Σ nₖ‖cₖ − c‖² over labels and W = Σ ‖xᵢ − c₍ᵢ₎‖² over points, with c
// the mean of all. It is +Inf where W is 0, and 0 where B is 0 too; scikit-learn
// says 1 in both cases.
//
// It is undefined, and ok false, as [Separation.Silhouette] is. Calinski and
// Harabasz, Communications in Statistics 3 (1974), 1-27.
func (s *Separation) CalinskiHarabasz(points *Matrix, labels []int) (score float64, ok bool) {
	if !s.findCentres(points, labels) {
		return 0, false
	}
	var within, between float64
	for i, k := range labels {
		if k >= 0 {
			within += squaredDistance(points.Row(i), s.centres.Row(k))
		}
	}
	// B is Σ nₖnₗ‖cₖ − cₗ‖²/n over pairs of labels, which needs no mean of all
	// and is exactly 0 if all means are the same.
	n, used := 0, 0
	for k, nk := range s.count {
		if nk == 0 {
			continue
		}
		n += nk
		used++
		for l, nl := range s.count[:k] {
			if nl > 0 {
				between += float64(float64(nk*nl) * squaredDistance(s.centres.Row(k), s.centres.Row(l)))
			}
		}
	}
	if between == 0 {
		return 0, true
	}
	between /= float64(n)
	return between / float64(used-1) / (within / float64(n-used)), true
}

// findCentres fills centres, clears spread and reports whether a score is
// defined.
func (s *Separation) findCentres(points *Matrix, labels []int) bool {
	points.check()
	if len(labels) != points.Rows {
		panic("clusterer: Separation: points and labels differ in length")
	}
	n, used := s.countLabels(labels)
	k := len(s.count)
	s.centres.Reshape(k, points.Cols)
	s.spread = resize(s.spread, k)
	clear(s.centres.Data)
	clear(s.spread)
	if used < 2 || used >= n {
		return false
	}
	s.means(points, labels)
	return true
}

// means sets each centre to the mean of the points of its label. It is taken
// relative to the first of them, so that equal points have exactly their own
// place for a mean.
func (s *Separation) means(points *Matrix, labels []int) {
	s.first = resize(s.first, len(s.count))
	for k := range s.first {
		s.first[k] = -1
	}
	for i, k := range labels {
		if k < 0 {
			continue
		}
		if s.first[k] < 0 {
			s.first[k] = i
		}
		origin, centre := points.Row(s.first[k]), s.centres.Row(k)
		for j, x := range points.Row(i) {
			centre[j] += x - origin[j]
		}
	}
	for k, n := range s.count {
		if n == 0 {
			continue
		}
		origin, centre := points.Row(s.first[k]), s.centres.Row(k)
		for j := range centre {
			centre[j] = origin[j] + centre[j]/float64(n)
		}
	}
}
