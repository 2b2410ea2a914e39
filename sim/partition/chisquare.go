package partition

import (
	"math"

	"flockscope/sim/dataset"
)

// sameUpToChance reports whether lists of counts, one for each client, differ no more than by
// chance, by Pearson's χ² test of homogeneity. With n = (clients − 1)·(classes − 1) degrees of
// freedom, χ² exceeds n + 2√(10n) + 20 with a probability below 1/20 000 (Laurent and Massart,
// Annals of Statistics 28 (2000), lemma 1).
func sameUpToChance(counts [][]int) bool {
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
	n := float64((nonZero(clients) - 1) * (nonZero(classes) - 1))
	return chi2 <= n+2*math.Sqrt(10*n)+20
}

// nonZero returns how many counts are not 0.
func nonZero(counts []int) int {
	n := 0
	for _, c := range counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// Mixed reports whether the classes of a set are in random order, so that consecutive parts of
// equal length have the same mixture up to chance. A set without classes counts as mixed.
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
	return sameUpToChance(counts)
}
