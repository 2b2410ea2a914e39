package clusterer

import "math"

// Separation scores labels by the points alone, without a truth. The zero value
// is ready to use.
type Separation struct {
	// Silhouettes holds s(i) of each point after Silhouette, 0 where a point has
	// no label; it is empty if the score was undefined.
	Silhouettes []float64

	sums  Matrix // points × k: the sum of each point's distances to the points of label k
	count []int  // points of each label
}

// Silhouette returns the mean silhouette of the points:
//
//	s(i) = (b − a) / max(a, b)
//
// where a is the mean Euclidean distance from point i to the others of its
// label, and b the least mean distance to the points of another label. It lies
// in [−1, 1]: 1 for tight clusters far apart, 0 for clusters that touch,
// negative if points are nearer to a cluster that is not theirs. A point alone
// in its cluster scores 0, and so does one with a = b = 0.
//
// It is undefined, and ok false, for fewer than 2 labels in use, for as many
// labels as points, and if a point with a label is not finite. Labels that no point has do
// not matter; a point with a negative label is ignored. It takes O(Rows²·Cols) time and
// O(Rows·k) memory. Rousseeuw, J. Computational and Applied Mathematics 20 (1987), 53-65.
func (s *Separation) Silhouette(points *Matrix, labels []int) (score float64, ok bool) {
	points.check()
	if len(labels) != points.Rows {
		panic("clusterer: Silhouette: points and labels differ in length")
	}
	n, used := s.countLabels(labels)
	if used < 2 || used >= n || !finiteWhere(points, labels) {
		s.Silhouettes = s.Silhouettes[:0]
		return 0, false
	}
	s.Silhouettes = resize(s.Silhouettes, points.Rows)
	clear(s.Silhouettes)
	s.addDistances(points, labels)
	for i, own := range labels {
		if own < 0 || s.count[own] == 1 {
			continue
		}
		a := s.sums.Row(i)[own] / float64(s.count[own]-1)
		b := math.Inf(1)
		for k, sum := range s.sums.Row(i) {
			if k != own && s.count[k] > 0 {
				b = min(b, sum/float64(s.count[k]))
			}
		}
		if scale := max(a, b); scale != 0 {
			s.Silhouettes[i] = (b - a) / scale
			score += s.Silhouettes[i]
		}
	}
	return score / float64(n), true
}

// countLabels fills count and returns the numbers of points with a label and of labels with a point.
func (s *Separation) countLabels(labels []int) (n, used int) {
	k := 0
	for _, l := range labels {
		k = max(k, l+1)
	}
	s.count = resize(s.count, k)
	clear(s.count)
	for _, l := range labels {
		if l >= 0 {
			n++
			if s.count[l]++; s.count[l] == 1 {
				used++
			}
		}
	}
	return n, used
}

// finiteWhere reports whether the points that have a label are finite.
func finiteWhere(points *Matrix, labels []int) bool {
	for i, l := range labels {
		if l >= 0 && !finite(points.Row(i)) {
			return false
		}
	}
	return true
}

// addDistances fills sums. Each distance is computed once and counts for both points.
func (s *Separation) addDistances(points *Matrix, labels []int) {
	k := len(s.count)
	s.sums.Reshape(points.Rows, k)
	clear(s.sums.Data)
	for i, li := range labels {
		if li < 0 {
			continue
		}
		row, sums := points.Row(i), s.sums.Row(i)
		for j, lj := range labels[:i] {
			if lj < 0 {
				continue
			}
			d := math.Sqrt(squaredDistance(row, points.Row(j)))
			sums[lj] += d
			s.sums.Data[j*k+li] += d
		}
	}
}

// Silhouette is [Separation.Silhouette] for occasional use: it allocates.
func Silhouette(points *Matrix, labels []int) (score float64, ok bool) {
	var s Separation
	return s.Silhouette(points, labels)
}
