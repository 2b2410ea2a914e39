package stats

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// Ranking is the result of Friedman's test: every method was run in each block, such as a kind of data with a seed.
type Ranking struct {
	Blocks int
	Mean   []float64 // mean rank of each method, 1 is best
	Chi2   float64   // Friedman's statistic, corrected for ties
	P      float64
	// Exact for few blocks and methods, otherwise from χ² with one degree of freedom less than methods.
	Variant Variant
}

// Friedman ranks methods in each block, blocks[i][j] being the score of method j in block i, and tests whether they all
// do equally well. higher says that the largest score is best. It takes at least three methods and two blocks. With few
// blocks, χ² gives too small p-values if there are many ties, and too large ones if there are none. Then p is exact: it
// counts the orders of the ranks in each block, which are equally likely if the methods do equally well.
func Friedman(blocks [][]float64, higher bool) (Ranking, error) {
	if len(blocks) < 2 || len(blocks[0]) < 3 {
		return Ranking{}, errors.New("the test of Friedman compares at least three methods in at least two blocks")
	}
	n, k := float64(len(blocks)), float64(len(blocks[0]))
	out := Ranking{Blocks: len(blocks), Mean: make([]float64, len(blocks[0])), Variant: None}
	all := make([][]float64, len(blocks))
	tied := 0.0
	scores := make([]float64, len(out.Mean))
	for i, block := range blocks {
		copy(scores, block)
		if higher {
			for j := range scores {
				scores[j] = -scores[j]
			}
		}
		ranks, ties := Ranks(scores)
		all[i] = ranks
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
	if correction <= 0 { // all scores within each block are equal
		return out, nil
	}
	out.Chi2 = (float64(12/(k*n*(k+1))*square) - float64(3*n*(k+1))) / correction
	if p, ok := exactFriedman(all); ok {
		out.P, out.Variant = p, Exact
	} else {
		out.P, out.Variant = distuv.ChiSquared{K: k - 1}.Survival(max(out.Chi2, 0)), ChiSquared
	}
	return out, nil
}

// maxOrders is the maximum number of additions (orders of a block times sums of ranks) before exactFriedman gives up,
// which takes a fraction of a second.
const maxOrders = 1 << 18

// exactFriedman returns the probability that Friedman's statistic is at least that of the given ranks if all orders of
// the ranks in each block are equally likely; ok is false if there are too many to count.
//
// The statistic grows with the sum of the squares of the methods' sums of ranks. Since the methods are exchangeable,
// only the sorted sums matter, and there are few of them.
func exactFriedman(ranks [][]float64) (p float64, ok bool) {
	k := len(ranks[0])
	squares := func(sums []int) (total int) {
		for _, s := range sums {
			total += s * s
		}
		return total
	}
	key := func(sums []int) string {
		text := make([]byte, 0, 3*k)
		for _, s := range sums {
			text = append(text, byte(s>>16), byte(s>>8), byte(s))
		}
		return string(text)
	}
	type state struct {
		sums []int // doubled, so that ties are whole numbers, and sorted
		p    float64
	}
	observed := make([]int, k)
	states := []state{{make([]int, k), 1}}
	work := 0
	for _, block := range ranks {
		double := make([]int, k)
		for j, r := range block {
			double[j] = int(2 * r)
			observed[j] += double[j]
		}
		slices.Sort(double)
		orders, few := arrangements(double, maxOrders/k)
		if states[0].sums[0] == 0 { // any order of the first block is as good as another
			orders = orders[:min(1, len(orders))]
		}
		if work += len(orders) * len(states); !few || work > maxOrders {
			return 0, false
		}
		seen := map[string]int{}
		var next []state // in order of occurrence, so that sums always have the same bits
		sums := make([]int, k)
		for _, s := range states {
			for _, order := range orders {
				for j := range sums {
					sums[j] = s.sums[j] + order[j]
				}
				slices.Sort(sums)
				text := key(sums)
				at, known := seen[text]
				if !known {
					at = len(next)
					seen[text], next = at, append(next, state{sums: slices.Clone(sums)})
				}
				next[at].p += s.p / float64(len(orders))
			}
		}
		states = next
	}
	least := squares(observed)
	for _, s := range states {
		if squares(s.sums) >= least {
			p += s.p
		}
	}
	return min(1, p), true
}

// arrangements returns the different orders of sorted numbers; few is false if there are
// more than most.
func arrangements(sorted []int, most int) (all [][]int, few bool) {
	a := slices.Clone(sorted)
	for {
		if len(all) == most {
			return nil, false
		}
		all = append(all, slices.Clone(a))
		// The next in lexicographic order (Knuth, TAOCP 7.2.1.2, algorithm L).
		i := len(a) - 2
		for i >= 0 && a[i] >= a[i+1] {
			i--
		}
		if i < 0 {
			return all, true
		}
		j := len(a) - 1
		for a[i] >= a[j] {
			j--
		}
		a[i], a[j] = a[j], a[i]
		slices.Reverse(a[i+1:])
	}
}

// CriticalDifference returns by how much the mean ranks of two of k methods over n blocks differ at least when
// Nemenyi's test calls them different at level alpha. It ignores ties, with which mean ranks vary less, so it is
// conservative. Demšar uses it only if Friedman's test rejects.
func CriticalDifference(k, n int, alpha float64) float64 {
	return StudentizedRangeQuantile(1-alpha, k) / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
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
