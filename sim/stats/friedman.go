package stats

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// Ranking is the result of Friedman's test: blocks, such as a kind of data with a seed,
// in which every method was tried.
type Ranking struct {
	Blocks int
	Mean   []float64 // mean rank of each method, 1 is best
	Chi2   float64   // Friedman's statistic, corrected for ties
	P      float64   // from χ² with one degree of freedom less than methods
}

// Friedman ranks methods in each block, blocks[i][j] being the score of method j in
// block i, and tests whether they all do equally well. higher says that the largest
// score is best. It takes at least three methods and two blocks.
func Friedman(blocks [][]float64, higher bool) (Ranking, error) {
	if len(blocks) < 2 || len(blocks[0]) < 3 {
		return Ranking{}, errors.New("the test of Friedman compares at least three methods in at least two blocks")
	}
	n, k := float64(len(blocks)), float64(len(blocks[0]))
	out := Ranking{Blocks: len(blocks), Mean: make([]float64, len(blocks[0]))}
	tied := 0.0
	scores := make([]float64, len(out.Mean))
	for _, block := range blocks {
		copy(scores, block)
		if higher {
			for j := range scores {
				scores[j] = -scores[j]
			}
		}
		ranks, ties := Ranks(scores)
		for j, r := range ranks {
			out.Mean[j] += r
		}
		for _, t := range ties {
			tied += float64(t * (t*t - 1))
		}
	}
	square := 0.0
	for j := range out.Mean {
		square += float64(out.Mean[j] * out.Mean[j])
		out.Mean[j] /= n
	}
	out.P = 1
	correction := 1 - tied/(n*k*(k*k-1))
	if correction <= 0 { // all scores of each block are equal
		return out, nil
	}
	out.Chi2 = (float64(12/(k*n*(k+1))*square) - float64(3*n*(k+1))) / correction
	out.P = distuv.ChiSquared{K: k - 1}.Survival(max(out.Chi2, 0))
	return out, nil
}

// CriticalDifference returns by how much the mean ranks of two of k methods over n blocks
// differ at least when Nemenyi's test calls them different at level alpha.
func CriticalDifference(k, n int, alpha float64) float64 {
	return StudentizedRangeQuantile(1-alpha, k) / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
}

// Nemenyi returns the p-value of a difference of mean ranks of two of k methods over n
// blocks.
func Nemenyi(difference float64, k, n int) float64 {
	q := math.Abs(difference) / math.Sqrt(float64(k*(k+1))/float64(6*n)) * math.Sqrt2
	return 1 - StudentizedRange(q, k)
}

// StudentizedRange returns the probability that the range of k standard normal numbers
// is at most q: the studentized range with infinitely many degrees of freedom.
func StudentizedRange(q float64, k int) float64 {
	if q <= 0 {
		return 0
	}
	normal := distuv.UnitNormal
	// The least of the numbers is at z, and the others are within q above it. Beyond 9
	// the density is below 1e-18; pieces keep the rule exact where the integrand is steep.
	inside := func(z float64) float64 {
		gap := normal.CDF(z+q) - normal.CDF(z)
		power := 1.0
		for range k - 1 {
			power *= gap
		}
		return normal.Prob(z) * power
	}
	const edge, pieces, points = 9.0, 24, 16
	sum := 0.0
	for i := range pieces {
		from := -edge + float64(2*edge*float64(i)/pieces)
		sum += quad.Fixed(inside, from, from+2*edge/pieces, points, quad.Legendre{}, 0)
	}
	return min(1, float64(k)*sum)
}

// StudentizedRangeQuantile returns the q at which StudentizedRange is p.
func StudentizedRangeQuantile(p float64, k int) float64 {
	low, high := 0.0, 1.0
	for StudentizedRange(high, k) < p && high < 64 {
		high *= 2
	}
	for range 60 {
		middle := (low + high) / 2
		if StudentizedRange(middle, k) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
