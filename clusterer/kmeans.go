package clusterer

import "math"

// Rand is the source of random numbers of k-means. *math/rand/v2.Rand is one.
type Rand interface {
	Float64() float64 // in [0, 1)
	IntN(n int) int   // in [0, n)
}

// KMeans looks for the k centroids of the least inertia:
//
//	inertia = Σᵢ minₖ ‖xᵢ − cₖ‖²
//
// by Lloyd's iteration (IEEE Trans. Information Theory 28 (1982), 129-137) from
// several greedy k-means++ starts. Options and stopping rules are those of
// scikit-learn's KMeans(algorithm="lloyd"), which the papers use. The zero value
// is ready to use.
type KMeans struct {
	Restarts   int     // number of starts; 0 means 10
	Iterations int     // maximum iterations per start; 0 means 300
	Tolerance  float64 // for the movement of centres, see FitFrom; 0 means 1e-4, negative means none

	// The result of the last call, valid until the next.
	Labels    []int   // label of each point, 0 … k−1: its nearest centroid, the first on ties; −1 if it is not finite
	Centroids Matrix  // k × Cols
	Inertia   float64 // ≥ 0, of the points that are finite
	Steps     int     // iterations of the best start

	finite  finitePoints
	current lloyd // the present start
	nearest []float64
	trial   []float64 // distances to a candidate
	chosen  []float64 // distances to the best candidate so far
	draws   []float64 // for candidates
}

// Fit splits points into at most k clusters. It tries Restarts starts and keeps
// the one with the least inertia, the first on ties.
//
// k may exceed the number of distinct points; some labels then stay unused. If
// all points are the same, every label is 0 and the inertia exactly 0. Without
// points there are no labels and the centroids are 0. A point that is not finite
// (see the package's doc) gets the label −1; the others are split as if it were not
// there. It panics if k < 1.
func (km *KMeans) Fit(points *Matrix, k int, r Rand) {
	points.check()
	if k < 1 {
		panic("clusterer: KMeans: k is less than 1")
	}
	all := points.Rows
	points = km.finite.of(points)
	stop := km.threshold(points)
	for try := range orDefault(km.Restarts, 10) {
		km.current.centroids.Reshape(k, points.Cols)
		km.seed(&km.current.centroids, points, r)
		km.current.fit(points, orDefault(km.Iterations, 300), stop)
		if try == 0 || km.current.inertia < km.Inertia {
			km.setResult(all)
		}
		if km.Inertia == 0 {
			break // no start can be better, and the first wins ties
		}
	}
}

// FitFrom runs Lloyd's iteration once from the given centres, start.Rows of
// them. One iteration labels every point with its nearest centre and moves each
// centre to the mean of its points; a centre that has none moves to the point
// farthest from its own. It stops when no label changes, or when
//
//	Σₖ ‖cₖ' − cₖ‖² ≤ Tolerance · (mean over columns of the variance)
//
// or after Iterations. The labels always belong to the final centroids: where
// the last iteration still moved those, points are labelled once more. start
// may be &km.Centroids, to go on from the last result. Points that are not finite
// are left out, as in Fit; a centre that is not finite begins where the first finite
// one does, or else at the first point, and so without points of its own.
//
// It panics if start has no rows or another number of columns than points.
func (km *KMeans) FitFrom(points *Matrix, start *Matrix) {
	points.check()
	start.check()
	if start.Rows < 1 || start.Cols != points.Cols {
		panic("clusterer: KMeans: the start has no rows, or another number of columns than the points")
	}
	all := points.Rows
	points = km.finite.of(points)
	km.current.centroids.copyFrom(start)
	km.replaceNotFinite(points)
	km.current.fit(points, orDefault(km.Iterations, 300), km.threshold(points))
	km.setResult(all)
}

// replaceNotFinite moves the centres of the start that are not finite.
func (km *KMeans) replaceNotFinite(points *Matrix) {
	centres := &km.current.centroids
	if finite(centres.Data) {
		return
	}
	var place []float64
	for k := range centres.Rows {
		if finite(centres.Row(k)) {
			place = centres.Row(k)
			break
		}
	}
	if place == nil && points.Rows > 0 {
		place = points.Row(0)
	}
	for k := range centres.Rows {
		if row := centres.Row(k); !finite(row) {
			clear(row) // no centre and no point is finite
			copy(row, place)
		}
	}
}

// setResult makes the current start the result. It copies instead of swapping buffers, so
// that one call with a shape grows all buffers. It labels all points, also those that are
// not finite.
func (km *KMeans) setResult(all int) {
	km.Labels = resize(km.Labels, all)
	km.finite.spread(km.Labels, km.current.labels)
	km.Centroids.copyFrom(&km.current.centroids)
	km.Inertia, km.Steps = km.current.inertia, km.current.steps
}

// threshold returns the squared movement at which iteration stops. It
// scales with the variance so that the option does not depend on the units.
func (km *KMeans) threshold(points *Matrix) float64 {
	tolerance := km.Tolerance
	if tolerance == 0 {
		tolerance = 1e-4
	}
	return tolerance * meanVariance(points)
}

// meanVariance returns the mean over columns of the population variance.
func meanVariance(points *Matrix) float64 {
	n, cols := points.Rows, points.Cols
	if n == 0 || cols == 0 {
		return 0
	}
	var total float64
	for j := range cols {
		var mean, squares float64
		for at := j; at < len(points.Data); at += cols {
			mean += points.Data[at]
		}
		mean /= float64(n)
		for at := j; at < len(points.Data); at += cols {
			d := points.Data[at] - mean
			squares += float64(d * d)
		}
		total += squares / float64(n)
	}
	return total / float64(cols)
}

// seed fills centroids by greedy k-means++ (Arthur and Vassilvitskii, SODA 2007,
// with the candidates of its section 5): the first is a random point; for each
// of the others 2 + ⌊ln k⌋ candidates are drawn with probability proportional to
// the squared distance to the nearest centroid so far, and the one that leaves
// the least sum of such distances is taken, the first on ties.
func (km *KMeans) seed(centroids, points *Matrix, r Rand) {
	n := points.Rows
	if n == 0 {
		clear(centroids.Data)
		return
	}
	km.nearest, km.trial, km.chosen = resize(km.nearest, n), resize(km.trial, n), resize(km.chosen, n)

	first, candidates := r.IntN(n), 2+floorLog(centroids.Rows)
	km.draws = resize(km.draws, (centroids.Rows-1)*candidates)
	for i := range km.draws {
		km.draws[i] = r.Float64()
	}
	if useLoops.Seed != nil && points.Cols > 0 {
		useLoops.Seed(centroids, points, km.draws, km.nearest, km.trial, km.chosen, candidates, first)
		return
	}
	copy(centroids.Row(0), points.Row(first))
	distances(km.nearest, points, centroids.Row(0))
	var potential float64
	for _, d := range km.nearest {
		potential += d
	}
	for k := 1; k < centroids.Rows; k++ {
		pick, least := 0, 0.0
		for c := range candidates {
			at := draw(km.nearest, km.draws[(k-1)*candidates+c]*potential)
			sum := km.consider(points, at)
			if c == 0 || sum < least {
				pick, least = at, sum
				km.chosen, km.trial = km.trial, km.chosen
			}
		}
		copy(centroids.Row(k), points.Row(pick))
		km.nearest, km.chosen = km.chosen, km.nearest
		potential = least
	}
}

// consider fills trial with each point's squared distance to its nearest
// centroid if point at became one too, and returns their sum.
func (km *KMeans) consider(points *Matrix, at int) float64 {
	var sum float64
	distances(km.trial, points, points.Row(at))
	for i, d := range km.nearest {
		if km.trial[i] < d {
			d = km.trial[i]
		}
		km.trial[i] = d
		sum += d
	}
	return sum
}

// draw returns the first index at which the running sum of weights reaches
// target. If none does, because of rounding, it is the last.
func draw(weights []float64, target float64) int {
	var sum float64
	for i, w := range weights {
		sum += w
		if sum >= target {
			return i
		}
	}
	return len(weights) - 1
}

// floorLog returns ⌊ln k⌋ for k ≥ 1. It compares with the powers of e, none of
// which is near a whole number, so it needs no logarithm, whose last bits are
// the platform's own.
func floorLog(k int) int {
	var l int
	for power := math.E; power <= float64(k); power *= math.E {
		l++
	}
	return l
}

// orDefault returns v, or def if v is not positive.
func orDefault(v, def int) int {
	if v <= 0 {
		return def
	}
	return v
}
