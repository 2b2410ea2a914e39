package clusterer

import "slices"

// Contingency compares labels with the truth: its table counts the points of
// each true class that have each label. The zero value is ready to use.
//
// Classes and labels are small numbers from 0; the table is as wide as the
// largest. A point with a negative class or label is ignored, since it is neither right
// nor wrong.
type Contingency struct {
	table    Matrix // classes × labels
	classes  []float64
	labels   []float64
	terms    []float64 // terms of a sum
	logs     []float64 // see lnRatio
	n        int
	assigner Assigner
	cost     Matrix
	match    []int
}

// count fills the table and its margins.
func (c *Contingency) count(truth, labels []int) {
	if len(truth) != len(labels) {
		panic("clusterer: Contingency: truth and labels differ in length")
	}
	rows, cols := 0, 0
	for i, t := range truth {
		if t >= 0 && labels[i] >= 0 {
			rows, cols = max(rows, t+1), max(cols, labels[i]+1)
		}
	}
	c.table.Reshape(rows, cols)
	c.classes, c.labels = resize(c.classes, rows), resize(c.labels, cols)
	c.terms = slices.Grow(c.terms[:0], cap(c.table.Data)) // at most one term per cell
	clear(c.table.Data)
	clear(c.classes)
	clear(c.labels)
	c.n = 0
	for i, t := range truth {
		if l := labels[i]; t >= 0 && l >= 0 {
			c.table.Data[t*cols+l]++
			c.classes[t]++
			c.labels[l]++
			c.n++
		}
	}
}

// AdjustedRand returns the Rand index of two labelings, adjusted for chance:
//
//	ARI = (S − E) / ((A + B)/2 − E),  E = A·B / c₂(n)
//
// where c₂(x) = x(x−1)/2 counts pairs, and S, A and B sum c₂ over the cells of
// the contingency table, its row sums and its column sums. It is 1 when the
// labelings agree up to renaming, near 0 when they are unrelated, and at least
// −0.5. It is symmetric. Everything in one cluster scores 0 against several
// true classes. If the denominator is 0, for two trivial labelings of the same kind or fewer
// than two points, it is 1. Hubert and Arabie, J.
// Classification 2 (1985), 193-218.
func (c *Contingency) AdjustedRand(truth, labels []int) float64 {
	c.count(truth, labels)
	return c.adjustedRand()
}

// Scores returns the four scores of labels at the cost of one pass over them: [Contingency.AdjustedRand],
// [Contingency.Misplaced], [Contingency.NMI] and [Contingency.Purity].
func (c *Contingency) Scores(truth, labels []int) (ari float64, misplaced int, nmi, purity float64) {
	c.count(truth, labels)
	_, _, nmi = c.vMeasure()
	return c.adjustedRand(), c.misplaced(), nmi, c.purity()
}

func (c *Contingency) adjustedRand() float64 {
	// These are whole numbers, exact in a float64 up to 10⁸ points.
	s, a, b := pairs(c.table.Data), pairs(c.classes), pairs(c.labels)
	all := pairsOf(float64(c.n))
	// E ≤ min(A, B) ≤ (A+B)/2 because A and B are at most c₂(n), with equality all through exactly here. Testing the
	// whole numbers, and not the quotient below, avoids 0/0, whatever the last bits of the quotient.
	if a == b && (a == 0 || a == all) {
		return 1
	}
	e := float64(a * b / all)
	return (s - e) / (float64((a+b)/2) - e)
}

// pairs returns the sum of c₂ over counts.
func pairs(counts []float64) float64 {
	var s float64
	for _, x := range counts {
		s += pairsOf(x)
	}
	return s
}

// pairsOf returns c₂(x), the number of pairs among x points.
func pairsOf(x float64) float64 { return float64(x * (x - 1) / 2) }

// Misplaced returns the least number of points whose label must change for the
// labels to be the truth up to renaming:
//
//	n − max over matchings of classes to labels of Σ #(class ∩ its label)
//
// A matching gives each class a label of its own. Counting the points outside the most
// common label of their class is simpler, and wrong: two classes could then share one label,
// and with every point in one label no point would count as misplaced. If there are more
// classes than labels, or fewer, all points of the unmatched ones are misplaced.
func (c *Contingency) Misplaced(truth, labels []int) int {
	c.count(truth, labels)
	return c.misplaced()
}

func (c *Contingency) misplaced() int {
	t := &c.table
	// The assigner requires at least as many columns as rows.
	if t.Rows <= t.Cols {
		c.cost.Reshape(t.Rows, t.Cols)
		for at, x := range t.Data {
			c.cost.Data[at] = -x
		}
	} else {
		c.cost.Reshape(t.Cols, t.Rows)
		for i := range t.Rows {
			for j, x := range t.Row(i) {
				c.cost.Data[j*t.Rows+i] = -x
			}
		}
	}
	c.match = resize(c.match, c.cost.Rows)
	placed := -c.assigner.Assign(c.match, &c.cost)
	return c.n - int(placed)
}

// AdjustedRand is [Contingency.AdjustedRand] for occasional use: it allocates.
func AdjustedRand(truth, labels []int) float64 {
	var c Contingency
	return c.AdjustedRand(truth, labels)
}
