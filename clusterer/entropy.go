package clusterer

import "slices"

// VMeasure compares labels with the truth by how much each tells of the other:
//
//	homogeneity  = 1 − H(truth | labels) / H(truth)
//	completeness = 1 − H(labels | truth) / H(labels)
//	v            = their harmonic mean
//
// with H the entropy. Homogeneity is 1 if no label mixes classes, completeness
// if no class is spread over labels, and v if the two agree up to renaming. All
// lie in [0, 1]; without entropy to explain, a score is 1. Exchanging truth and
// labels exchanges the first two. Unlike [Contingency.AdjustedRand] they are not
// adjusted for chance: unrelated labels score above 0, the more so the more
// labels there are. Renaming classes or labels changes no bit of them. Rosenberg and
// Hirschberg, EMNLP-CoNLL 2007, 410-420.
func (c *Contingency) VMeasure(truth, labels []int) (homogeneity, completeness, v float64) {
	c.count(truth, labels)
	return c.vMeasure()
}

func (c *Contingency) vMeasure() (homogeneity, completeness, v float64) {
	n := float64(c.n)
	homogeneity, completeness = 1, 1
	// Conditional entropies, and not sums of joint ones, as these are exactly 0
	// where they should be.
	if h := c.entropy(c.classes, n); h > 0 {
		homogeneity = max(0, 1-c.conditionalEntropy(func(_, j int) float64 { return c.labels[j] })/h)
	}
	if h := c.entropy(c.labels, n); h > 0 {
		completeness = max(0, 1-c.conditionalEntropy(func(i, _ int) float64 { return c.classes[i] })/h)
	}
	if sum := homogeneity + completeness; sum > 0 {
		v = 2 * float64(homogeneity*completeness) / sum
	}
	return homogeneity, completeness, v
}

// NMI returns the mutual information of two labelings over the arithmetic mean
// of their entropies. That equals v of [Contingency.VMeasure].
func (c *Contingency) NMI(truth, labels []int) float64 {
	_, _, v := c.VMeasure(truth, labels)
	return v
}

// Purity returns the share of points that belong to the most common class of
// their label, 1 without points. It is 1 for single points too, and so says
// little about many labels.
func (c *Contingency) Purity(truth, labels []int) float64 {
	c.count(truth, labels)
	return c.purity()
}

func (c *Contingency) purity() float64 {
	if c.n == 0 {
		return 1
	}
	var common float64
	for j := range c.table.Cols {
		var most float64
		for i := range c.table.Rows {
			most = max(most, c.table.Data[i*c.table.Cols+j])
		}
		common += most
	}
	return common / float64(c.n)
}

// entropy returns n times the entropy, in nats, of counts that add up to n.
func (c *Contingency) entropy(counts []float64, n float64) float64 {
	c.terms = c.terms[:0]
	for _, x := range counts {
		if x > 0 {
			c.terms = append(c.terms, float64(x*c.lnRatio(n, x)))
		}
	}
	return sumSorted(c.terms)
}

// conditionalEntropy returns n times the entropy of the cells of the table, given the row
// or the column of a point: whole returns the sum of that row or column.
func (c *Contingency) conditionalEntropy(whole func(row, column int) float64) float64 {
	c.terms = c.terms[:0]
	for i := range c.table.Rows {
		for j, x := range c.table.Row(i) {
			if x > 0 {
				c.terms = append(c.terms, float64(x*c.lnRatio(whole(i, j), x)))
			}
		}
	}
	return sumSorted(c.terms)
}

// fewPoints is the number of points up to which logarithms are kept.
const fewPoints = 32

// lnRatio returns ln(whole/x) for counts, whole ≥ x > 0. Those of small counts are kept, since the labels of few points
// are often compared again.
func (c *Contingency) lnRatio(whole, x float64) float64 {
	switch {
	case whole == x:
		return 0
	case whole > fewPoints:
		return ln(whole / x)
	}
	if c.logs == nil {
		c.logs = make([]float64, (fewPoints+1)*(fewPoints+1))
	}
	l := &c.logs[int(whole)*(fewPoints+1)+int(x)]
	if *l == 0 {
		*l = ln(whole / x)
	}
	return *l
}

// sumSorted sorts terms and adds them up, so that their order, which is that of the
// labels, does not change the last bits.
func sumSorted(terms []float64) (sum float64) {
	slices.Sort(terms)
	for _, x := range terms {
		sum += x
	}
	return sum
}
