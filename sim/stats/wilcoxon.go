package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Variant says how a p-value of Wilcoxon's test was computed.
type Variant string

// The variants.
const (
	Exact  Variant = "exact"                // the distribution of all 2ⁿ signs
	Normal Variant = "normal approximation" // corrected for ties, not for continuity; zeros are left out
	None   Variant = "no difference"        // all differences are zero: p is 1
)

// mostExact is the most pairs with an exact p-value, as in SciPy.
const mostExact = 50

// SignedRank is the result of Wilcoxon's signed-rank test, two-sided.
type SignedRank struct {
	N       int     // pairs that differ
	Zeros   int     // pairs that do not
	Plus    float64 // sum of the ranks of positive differences
	Minus   float64 // and of negative ones; the statistic is the smaller
	P       float64
	Variant Variant
}

// Wilcoxon tests whether paired differences are symmetric around zero. It is exact for
// at most 50 differences without ties and zeros; otherwise it leaves zeros out and takes
// the normal approximation, as scipy.stats.wilcoxon(zero_method="wilcox",
// correction=False) does.
func Wilcoxon(differences []float64) SignedRank {
	var absolute []float64
	var positive []bool
	for _, d := range differences {
		if d != 0 {
			absolute, positive = append(absolute, math.Abs(d)), append(positive, d > 0)
		}
	}
	n := len(absolute)
	s := SignedRank{N: n, Zeros: len(differences) - n, P: 1, Variant: None}
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
	if s.Zeros == 0 && len(ties) == 0 && n <= mostExact {
		s.Variant, s.P = Exact, exactP(n, int(min(s.Plus, s.Minus)))
		return s
	}
	s.Variant = Normal
	m := float64(n)
	variance := m * (m + 1) * float64(2*n+1)
	for _, t := range ties {
		variance -= float64(t*(t*t-1)) / 2
	}
	z := (min(s.Plus, s.Minus) - m*(m+1)/4) / math.Sqrt(variance/24)
	s.P = min(1, 2*distuv.UnitNormal.CDF(z))
	return s
}

// exactP returns twice the probability that the ranks 1 to n with random signs have a
// positive sum of at most w, which is the smaller sum.
func exactP(n, w int) float64 {
	ways := make([]float64, w+1) // to reach each sum: at most 2⁵⁰, so counted exactly
	ways[0] = 1
	for rank := 1; rank <= n; rank++ {
		for sum := w; sum >= rank; sum-- {
			ways[sum] += ways[sum-rank]
		}
	}
	total := 0.0
	for _, v := range ways {
		total += v
	}
	return min(1, 2*total/float64(uint64(1)<<n))
}

// Holm returns p-values adjusted for their number by Holm's step-down method, in the
// order given: below α they reject with a family-wise error of at most α. Of p-values
// that are NaN it takes no account and leaves them.
func Holm(p []float64) []float64 {
	out := slices.Clone(p)
	var order []int
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	least := 0.0
	for i, at := range order {
		least = min(1, max(least, float64(len(order)-i)*p[at]))
		out[at] = least
	}
	return out
}
