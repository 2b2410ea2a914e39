package clusterer

import "math"

// Gap chooses the number of clusters by the gap statistic of Tibshirani, Walther
// and Hastie (J. Royal Statistical Society B 63 (2001), 411-423): how much less
// the inertia is than for points without clusters.
//
//	Gap(k) = (1/B)·Σ_b ln W_b(k) − ln W(k)
//
// where W is the inertia of k-means on the points, and W_b that on the b-th of B
// sets of as many points, uniform in their bounding box. The zero value is ready to
// use.
type Gap struct {
	References int    // B; 0 means 20
	KMeans     KMeans // its options are those of all fits

	// The result of the last call, valid until the next. Index 0 is k = 1.
	Gaps   []float64
	Errors []float64 // the standard deviation of ln W_b times √(1 + 1/B)

	inertia   []float64 // ln W(k)
	logs      []float64 // ln W_b(k), B numbers for each k
	reference Matrix
	low, high []float64 // the bounding box
}

// Fit returns the least k from 2 to most with
//
//	Gap(k) ≥ Gap(k+1) − Errors(k+1)
//
// or most itself, or the number of points if there are fewer; but 1 if that k is no
// better than no clusters at all:
//
//	Gap(1) ≥ Gap(k) − Errors(k)
//
// The paper's rule (section 3, step 3) is the first line from k = 1 on. It returns the
// same k wherever it returns more than 1. Of three clusters or more, each as far from
// all others, it returns 1: two means explain hardly more of them than one does, so
// that Gap falls before it rises. With eight or more the noise of Gap can still end the
// search early, and then often at 1.
//
// A W of 0 counts as the least positive number. Without points, and where one is not
// finite, k is 0 and there are no gaps. It panics if most < 1.
func (g *Gap) Fit(points *Matrix, most int, r Rand) (k int) {
	points.check()
	if most < 1 {
		panic("clusterer: Gap: the largest k is less than 1")
	}
	most = min(most, points.Rows)
	if !finite(points.Data) {
		most = 0
	}
	b := orDefault(g.References, 20)
	g.Gaps, g.Errors = resize(g.Gaps, most), resize(g.Errors, most)
	g.inertia, g.logs = resize(g.inertia, most), resize(g.logs, most*b)

	for k := range most {
		g.inertia[k] = g.logInertia(points, k+1, r)
	}
	g.bound(points)
	for i := range b {
		g.draw(points.Rows, r)
		for k := range most {
			g.logs[k*b+i] = g.logInertia(&g.reference, k+1, r)
		}
	}
	for k := range most {
		mean, deviation := moments(g.logs[k*b : (k+1)*b])
		g.Gaps[k] = mean - g.inertia[k]
		g.Errors[k] = deviation * math.Sqrt(1+1/float64(b))
	}
	return leastAcceptable(g.Gaps, g.Errors)
}

// leastAcceptable is the rule of [Gap.Fit]; index 0 is k = 1. Of no gaps it returns 0.
func leastAcceptable(gaps, errors []float64) (k int) {
	k = min(2, len(gaps))
	for k < len(gaps) && !(gaps[k-1] >= gaps[k]-errors[k]) {
		k++
	}
	if k > 1 && gaps[0] >= gaps[k-1]-errors[k-1] {
		return 1
	}
	return k
}

// logInertia returns ln W(k).
func (g *Gap) logInertia(points *Matrix, k int, r Rand) float64 {
	g.KMeans.Fit(points, k, r)
	return ln(max(g.KMeans.Inertia, math.SmallestNonzeroFloat64))
}

// bound finds the bounding box of the points.
func (g *Gap) bound(points *Matrix) {
	g.low, g.high = resize(g.low, points.Cols), resize(g.high, points.Cols)
	for i := range points.Rows {
		for j, x := range points.Row(i) {
			if i == 0 {
				g.low[j], g.high[j] = x, x
			}
			g.low[j], g.high[j] = min(g.low[j], x), max(g.high[j], x)
		}
	}
}

// draw fills reference with n points, uniform in the box.
func (g *Gap) draw(n int, r Rand) {
	g.reference.Reshape(n, len(g.low))
	for i := range n {
		row := g.reference.Row(i)
		for j, low := range g.low {
			row[j] = low + float64(r.Float64()*(g.high[j]-low))
		}
	}
}

// moments returns the mean and the population standard deviation of numbers.
func moments(numbers []float64) (mean, deviation float64) {
	n := float64(len(numbers))
	for _, x := range numbers {
		mean += x
	}
	mean /= n
	var squares float64
	for _, x := range numbers {
		squares += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(squares / n)
}
