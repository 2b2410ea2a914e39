package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Variant is the way in which a p-value was computed.
type Variant string

// The variants.
const (
	Exact      Variant = "exact"                // over all signs, or all orders, of the given ranks
	Normal     Variant = "normal approximation" // corrected for ties, not for continuity; zeros are left out
	ChiSquared Variant = "χ² approximation"     // corrected for ties
	None       Variant = "no difference"        // no differences: p is 1
)

// maxExact is the maximum number of differences for an exact p-value of Wilcoxon's test.
const maxExact = 50

// SignedRank is the result of Wilcoxon's signed-rank test, two-sided.
type SignedRank struct {
	N       int     // number of pairs that differ
	Zeros   int     // number of pairs that do not differ
	Plus    float64 // sum of the ranks of positive differences
	Minus   float64 // sum of the ranks of negative differences; the statistic is the smaller of the two
	P       float64
	Least   float64 // least p-value possible with N pairs: all differences have one sign
	Variant Variant
}

// Wilcoxon tests whether paired differences are symmetric around zero. Differences of zero are left out, as Wilcoxon
// (1945) does and scipy.stats.wilcoxon by zero_method="wilcox"; equal ones share the mean of their ranks. For up to 50
// nonzero differences p is exact, also with ties: it counts all 2ⁿ signs of the given ranks. For more it is the normal
// approximation, as in SciPy with correction=False. Differences are rounded as in [Ranks] before they are compared; see
// [Difference] for those of large numbers.
func Wilcoxon(differences []float64) SignedRank {
	var absolute []float64
	var positive []bool
	for _, d := range differences {
		if d = round(d, d); d != 0 {
			absolute, positive = append(absolute, math.Abs(d)), append(positive, d > 0)
		}
	}
	n := len(absolute)
	s := SignedRank{N: n, Zeros: len(differences) - n, P: 1, Least: 1, Variant: None}
	if n == 0 {
		return s
	}
	ranks, ties := Ranks(absolute)
	for i, r := range ranks {
		if positive[i] {
			s.Plus += r
		} else {
			s.Minus += r
		}
	}
	if n <= maxExact {
		s.Variant, s.P, s.Least = Exact, exactP(ranks, min(s.Plus, s.Minus)), math.Ldexp(2, -n)
		return s
	}
	s.Variant = Normal
	m := float64(n)
	variance := m * (m + 1) * float64(2*n+1)
	for _, t := range ties {
		variance -= float64(t*(t*t-1)) / 2
	}
	p := func(w float64) float64 {
		return min(1, 2*distuv.UnitNormal.CDF((w-m*(m+1)/4)/math.Sqrt(variance/24)))
	}
	s.P, s.Least = p(min(s.Plus, s.Minus)), p(0)
	return s
}

// exactP returns twice the probability that ranks with random signs have a positive sum
// of at most w, which is the smaller sum. Ranks of ties are halves, so all is doubled.
func exactP(ranks []float64, w float64) float64 {
	most := int(2 * w)
	ways := make([]float64, most+1) // number of ways to reach each sum: at most 2⁵⁰, so counted exactly
	ways[0] = 1
	for _, r := range ranks {
		double := int(2 * r)
		for sum := most; sum >= double; sum-- {
			ways[sum] += ways[sum-double]
		}
	}
	total := 0.0
	for _, v := range ways {
		total += v
	}
	return min(1, math.Ldexp(total, 1-len(ranks)))
}

// Holm returns p-values adjusted for their number by Holm's step-down method, in the order given: below α they reject
// with a family-wise error of at most α. P-values that are NaN are ignored and stay.
func Holm(p []float64) []float64 {
	out := slices.Clone(p)
	var order []int
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for i, at := range order {
		least = min(1, max(least, float64(len(order)-i)*p[at]))
		out[at] = least
	}
	return out
}
