package partition

import (
	"math"

	"flockscope/sim/dataset"
)

// byChance reports whether lists of counts, one for each client, differ no more than
// chance makes them. Pearson's χ² says how much they do. By chance it has one degree of
// freedom for each client but one and class but one, and is with n of them above
// n + 2√(10n) + 20 less than once in twenty thousand times (Laurent and Massart,
// Annals of Statistics 28 (2000), lemma 1).
func byChance(counts [][]int) bool {
	clients, all := make([]int, len(counts)), 0
	var classes []int
	for i, count := range counts {
		if classes == nil {
			classes = make([]int, len(count))
		}
		for c, n := range count {
			clients[i] += n
			classes[c] += n
			all += n
		}
	}
	chi2 := 0.0
	for i, count := range counts {
		for c, n := range count {
			if want := float64(clients[i]) * float64(classes[c]) / float64(all); want > 0 {
				d := float64(n) - want
				chi2 += float64(d * d / want)
			}
		}
	}
	n := float64((filled(clients) - 1) * (filled(classes) - 1))
	return chi2 <= n+2*math.Sqrt(10*n)+20
}

// filled counts those that are not 0.
func filled(counts []int) int {
	n := 0
	for _, c := range counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// Mixed reports whether a set has its classes in no order, so that equal shares of
// neighbours in it hold them as they come by chance. What has no classes is taken for
// mixed.
func Mixed(set *dataset.Set) bool {
	if set.Classes == 0 {
		return true
	}
	const shares = 16
	counts := make([][]int, shares)
	for i := range counts {
		counts[i] = make([]int, set.Classes)
		for _, c := range share(set.Label, i, shares) {
			counts[i][c]++
		}
	}
	return byChance(counts)
}
