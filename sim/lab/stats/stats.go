// Package stats compares methods that were run on the same seeds and data: the tests
// that surveys of machine learning ask for (Demšar, "Statistical Comparisons of
// Classifiers over Multiple Data Sets", JMLR 7, 2006), and the numbers that tables show.
// Results agree to 1e-9 with SciPy's, and with counts of all signs and orders where SciPy
// has no exact values; testdata/golden.py and testdata/designs.py make the reference values.
//
//	stats.go     means, quartiles, rounded scores, ranks
//	wilcoxon.go  two methods: the signed-rank test, and Holm's correction for many pairs
//	bootstrap.go an interval of a mean
//	friedman.go  many methods: Friedman's test, and Nemenyi's critical difference
//	conover.go   any two of many methods: Conover's test
//	design.go    runs in families of rows with seeds, and bootstrap intervals of any number over them
//	aggregate.go interquartile means, performance profiles, probabilities of improvement
//	bayes.go     two methods: the Bayesian signed-rank test with a region of practical equivalence
package stats

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
)

// Summary summarizes some values.
type Summary struct {
	N              int
	Mean           float64 // NaN if there are no values
	SD             float64 // standard deviation with n−1 in the denominator; 0 for one value
	Q1, Median, Q3 float64 // quartiles as in NumPy's default; NaN if there are no values
}

// Summarize sums values in their order, so that equal values give equal bits.
func Summarize(values []float64) Summary {
	s := Summary{N: len(values), Mean: math.NaN(), Q1: math.NaN(), Median: math.NaN(), Q3: math.NaN()}
	if s.N == 0 {
		return s
	}
	s.Mean = stat.Mean(values, nil)
	if s.N > 1 {
		s.SD = stat.StdDev(values, nil)
	}
	sorted := slices.Sorted(slices.Values(values))
	s.Q1, s.Median, s.Q3 = quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)
	return s
}

// quantile interpolates between the order statistics at (n−1)p: type 7 of Hyndman and
// Fan, the default of NumPy and R. gonum's stat.LinInterp is type 4.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + float64((at-float64(low))*(sorted[low+1]-sorted[low]))
}

// digits is the number of significant decimals of a score: two sums for the same score, such as 0.1 + 0.2 and 0.3,
// differ by less.
const digits = 12

// round returns the decimal number nearest to v with twelve digits behind the point, minus one for each digit of size
// before the point beyond the first, because a float64 does not have more.
func round(v, size float64) float64 {
	d := digits
	if size = math.Abs(size); size >= 10 {
		d = max(0, d-int(math.Log10(size)))
	}
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', d, 64), 64)
	if err != nil { // not reached: the text was formatted just now
		return v
	}
	return out
}

// Round removes from a score the rounding error of its sum: it rounds to 1e-12, and numbers of 10 or more to thirteen
// digits.
func Round(v float64) float64 { return round(v, v) }

// Difference returns a − b of two scores, each rounded by [Round], and rounds the result, so that equal differences
// have equal bits.
func Difference(a, b float64) float64 { return round(Round(a)-Round(b), max(math.Abs(a), math.Abs(b))) }

// Ranks returns the rank of each value, from 1 for the least; values that are equal after
// [Round] share the mean of their ranks. ties holds how many values each tie has.
func Ranks(values []float64) (ranks []float64, ties []int) {
	rounded := make([]float64, len(values))
	order := make([]int, len(values))
	for i, v := range values {
		rounded[i], order[i] = Round(v), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rounded[a], rounded[b]) })
	ranks = make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && rounded[order[j]] == rounded[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = float64(i+j+1) / 2
		}
		if j-i > 1 {
			ties = append(ties, j-i)
		}
		i = j
	}
	return ranks, ties
}
