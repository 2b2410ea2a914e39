package stats

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Conover returns the p-values of Conover's test between any two methods, p[i][j] = p[j][i], two-sided; apply [Holm] to
// those that are compared. It follows Friedman's test: blocks[b][j] is the score of method j in block b. The sums of
// ranks R of two methods are compared by Student's distribution with (n−1)(k−1) degrees of freedom,
//
//	t = |Rᵢ − Rⱼ| / √(2·(n·ΣΣ r² − Σ R²) / ((n−1)(k−1))),
//
// for n blocks, k methods and the ranks r in the blocks, where ties have mean ranks (Conover, "Practical Nonparametric
// Statistics", 3rd edition, 1999, section 5.8, equation 6). It finds more than Nemenyi's test, since it estimates how
// much ranks vary instead of taking the most that they could. If all blocks have the same order, p is 0 between methods
// whose ranks differ.
func Conover(blocks [][]float64) (p [][]float64, err error) {
	if len(blocks) < 2 || len(blocks[0]) < 3 {
		return nil, errors.New("the test of Conover compares at least three methods in at least two blocks")
	}
	n, k := len(blocks), len(blocks[0])
	sums := make([]float64, k)
	squares := 0.0
	for _, block := range blocks {
		ranks, _ := Ranks(block)
		for j, r := range ranks {
			sums[j] += r
			squares += float64(r * r)
		}
	}
	rest := float64(float64(n) * squares) // multiples of 1/4, so that 0 is 0
	for _, r := range sums {
		rest -= float64(r * r)
	}
	freedom := float64((n - 1) * (k - 1))
	scale := math.Sqrt(2 * rest / freedom)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
	p = make([][]float64, k)
	for i := range p {
		p[i] = make([]float64, k)
		for j := range p[i] {
			switch gap := math.Abs(sums[i] - sums[j]); {
			case gap == 0:
				p[i][j] = 1
			case scale > 0:
				p[i][j] = 2 * student.Survival(gap/scale)
			}
		}
	}
	return p, nil
}
