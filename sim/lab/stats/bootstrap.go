package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the level of the intervals of [Bootstrap].
const Confidence = 0.95

const (
	maxEnumerated = 8     // values up to which all resamples are counted: 6 435 different ones of 8
	resamples     = 10000 // drawn for more values
)

// Bootstrap returns the ends of a 95 % bootstrap interval of the mean of values: Hesterberg's expanded percentile
// interval ("What Teachers Should Know about the Bootstrap", The American Statistician 69(4), 2015, section 4.4.1). A
// plain percentile interval is too narrow for few values: of five normal ones it covers their mean in 83 % of cases, and of
// ten in 90 %; this one in 91 % and 95 % (testdata/bootstrap.py). It has the quantiles α and 1−α of the means of resamples,
//
//	α = Φ(−√(n/(n−1)) · t),   t the 97.5 % quantile of Student's distribution with n−1 degrees of freedom.
//
// Up to eight values all resamples are counted, so the result is exact. For more, 10 000 are drawn with a fixed seed, so
// it is the same on every computer. Both ends are NaN for less than two values.
func Bootstrap(values []float64) (low, high float64) {
	n := len(values)
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + Confidence) / 2)
	alpha := distuv.UnitNormal.CDF(-math.Sqrt(float64(n)/float64(n-1)) * t)
	var means []weighted
	if n <= maxEnumerated {
		means = enumerated(values)
	} else {
		means = drawn(values)
	}
	slices.SortFunc(means, func(a, b weighted) int { return cmp.Compare(a.mean, b.mean) })
	return Round(lower(means, alpha)), Round(upper(means, alpha))
}

// weighted is the mean of a resample and its probability.
type weighted struct{ mean, p float64 }

// lower returns the least mean with at least a probability at or below it.
func lower(sorted []weighted, p float64) float64 {
	sum := 0.0
	for _, w := range sorted {
		if sum += w.p; sum >= p {
			return w.mean
		}
	}
	return sorted[len(sorted)-1].mean
}

// upper is lower for the largest mean and probabilities at or above it.
func upper(sorted []weighted, p float64) float64 {
	sum := 0.0
	for _, w := range slices.Backward(sorted) {
		if sum += w.p; sum >= p {
			return w.mean
		}
	}
	return sorted[0].mean
}

// enumerated returns the means of all resamples: how often each value is in it, and n!/(Π counts!)/nⁿ.
func enumerated(values []float64) (out []weighted) {
	n := len(values)
	var next func(at, left int, sum, p float64)
	next = func(at, left int, sum, p float64) {
		if at == n-1 {
			sum += float64(float64(left) * values[at])
			out = append(out, weighted{sum / float64(n), p / factorial(left)})
			return
		}
		for count := range left + 1 {
			next(at+1, left-count, sum+float64(float64(count)*values[at]), p/factorial(count))
		}
	}
	next(0, n, 0, factorial(n)/math.Pow(float64(n), float64(n)))
	return out
}

func factorial(n int) float64 {
	out := 1.0
	for i := 2; i <= n; i++ {
		out *= float64(i)
	}
	return out
}

// drawn returns the means of random resamples. The numbers are those of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)
// from state 0; of each the upper 32 bits times n, shifted down, are an index.
func drawn(values []float64) []weighted {
	n := uint64(len(values))
	out := make([]weighted, resamples)
	state := uint64(0)
	for i := range out {
		sum := 0.0
		for range n {
			state += 0x9e3779b97f4a7c15
			z := state
			z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
			z = (z ^ z>>27) * 0x94d049bb133111eb
			z ^= z >> 31
			sum += values[z>>32*n>>32]
		}
		out[i] = weighted{sum / float64(n), 1.0 / resamples}
	}
	return out
}
