package clusterer

import "math"

// JensenShannon sets dst to the n × n Jensen-Shannon distances of the points, as
// distributions over the columns, once each is divided by its sum:
//
//	dᵢⱼ = √((KL(p, m) + KL(q, m))/2),  m = (p + q)/2
//
// with natural logarithms, so that they lie in [0, √(ln 2)]. They are a metric
// (Endres and Schindelin, IEEE Trans. Information Theory 49 (2003), 1858-1860).
// Entries must not be negative. A point whose entries are all 0 is at 0 from its
// like and at √(ln 2) from the others. dst must not share memory with points.
func JensenShannon(dst, points *Matrix) {
	points.check()
	pairwise(dst, points.Rows, func(i, j int) float64 {
		return math.Sqrt(divergence(points.Row(i), points.Row(j)))
	})
}

// divergence returns the square of the Jensen-Shannon distance.
//
// With p = m(1+d) and q = m(1−d), a column adds m/2 times
//
//	(1+d)·ln(1+d) + (1−d)·ln(1−d) = d²/1 + d⁴/6 + d⁶/15 + …
//
// No column takes away from another's part, so distributions next to each other
// keep all digits.
func divergence(p, q []float64) float64 {
	var sumP, sumQ float64
	for j := range p {
		sumP += p[j]
		sumQ += q[j]
	}
	if sumP == 0 || sumQ == 0 {
		if sumP == sumQ {
			return 0
		}
		return math.Ln2
	}
	var total float64
	for j := range p {
		a, b := p[j]/sumP, q[j]/sumQ
		if m := a + b; m != 0 {
			total += float64(m * excess((a-b)/m))
		}
	}
	return total / 4
}

// excess returns (1+d)·ln(1+d) + (1−d)·ln(1−d) for |d| ≤ 1.
func excess(d float64) float64 {
	d = math.Abs(d)
	switch {
	case d >= 1:
		return 2 * math.Ln2
	case d >= 0.25:
		return float64((1+d)*ln(1+d)) + float64((1-d)*ln(1-d))
	}
	z := float64(d * d)
	var sum float64
	for k := 13; k >= 1; k-- {
		sum = float64((sum + 1/float64(k*(2*k-1))) * z)
	}
	return sum
}
