package clusterer

import "math"

// Nearest sets labels[i] to the row of centres nearest to point i, the first on
// ties: the cluster of a new point. It is −1 if the point is not finite or no centre is;
// centres that are not finite are ignored. It panics unless there is a centre, with as many
// columns as the points, and a label for each point.
func Nearest(labels []int, points, centres *Matrix) {
	points.check()
	centres.check()
	switch {
	case len(labels) != points.Rows:
		panic("clusterer: Nearest: points and labels differ in length")
	case centres.Rows < 1 || centres.Cols != points.Cols:
		panic("clusterer: Nearest: there are no centres, or with another number of columns than the points")
	}
	for i := range labels {
		labels[i] = -1
		if !finite(points.Row(i)) {
			continue
		}
		least := math.Inf(1)
		for k := range centres.Rows {
			if d := squaredDistance(points.Row(i), centres.Row(k)); d < least && finite(centres.Row(k)) {
				labels[i], least = k, d
			}
		}
	}
}

// Farthest chooses points that lie far from each other, one after the other, as centres for
// [KMeans.FitFrom] to start from (Gonzalez, Theoretical Computer Science 38
// (1985), 293-306). The zero value is ready to use.
type Farthest struct {
	// The result of the last call, valid until the next.
	Chosen  []int  // the points; none where none is finite
	Centres Matrix // their places, one row each

	nearest []float64 // squared distance of each point to the chosen one nearest to it
}

// Fit chooses k points: the first given points, and then repeatedly the point whose nearest
// chosen one is farthest away, the first on ties. In k-FED the given points are the centres
// of one participant. If there are fewer than k distinct points, some are chosen twice. A
// point that is not finite is never chosen: the farthest takes the place of such a given
// point. Without finite points the centres are 0. It panics if k < 1 or if given is less
// than 1 or more than the number of points.
func (f *Farthest) Fit(points *Matrix, given, k int) {
	points.check()
	if k < 1 || given < 1 || given > max(1, points.Rows) {
		panic("clusterer: Farthest: k is less than 1, or there are not that many given points")
	}
	f.Chosen = f.Chosen[:0]
	f.Centres.Reshape(k, points.Cols)
	clear(f.Centres.Data)
	f.nearest = resize(f.nearest, points.Rows)
	for i := range f.nearest {
		f.nearest[i] = -1
		if finite(points.Row(i)) {
			f.nearest[i] = math.Inf(1)
		}
	}
	for c := range k {
		next := c
		if c >= given || c >= points.Rows || f.nearest[c] < 0 {
			next = f.farthest()
		}
		if next < 0 {
			return
		}
		f.Chosen = append(f.Chosen, next)
		copy(f.Centres.Row(c), points.Row(next))
		for i, d := range f.nearest {
			if d > 0 {
				f.nearest[i] = min(d, squaredDistance(points.Row(i), points.Row(next)))
			}
		}
	}
}

// farthest returns the first point that is farthest from those chosen, −1 if none is
// finite.
func (f *Farthest) farthest() int {
	next := -1
	for i, d := range f.nearest {
		if d >= 0 && (next < 0 || d > f.nearest[next]) {
			next = i
		}
	}
	return next
}
