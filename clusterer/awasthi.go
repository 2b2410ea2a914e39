package clusterer

// AwasthiSheffet is k-means from a start with a guarantee: if clusters lie far enough apart
// for their spread, it labels nearly all points correctly (Awasthi and Sheffet, APPROX 2012,
// 37-49). Each participant of k-FED (Dennis, Li and Smith, ICML 2021, Algorithm 1) clusters
// its own points so. The zero value is ready to use.
type AwasthiSheffet struct {
	// KMeans seeds and, from the start found, iterates with its own options. It
	// holds the result of the last call.
	KMeans KMeans

	finite    finitePoints
	spectral  Spectral
	basis     Matrix // k × Cols: the leading directions
	projected Matrix // points × k
	seeds     Matrix // k × k
	near      []int  // points near a seed
	start     Matrix // k × Cols
}

// Fit splits points into k clusters, in three steps.
//
//   - Project the points on their k leading directions, from the origin, and
//     choose k of them by k-means++.
//   - Where a projected point is at most a third as far from one seed as from any
//     other, it is near that seed. Start each centre at the mean of the points
//     near its seed, or at the seed if there are none.
//   - Iterate from there on the points themselves: [KMeans.FitFrom].
//
// With at most k points, each is a cluster of its own. A point that is not finite gets the
// label −1, and the others are split as if it were not there. It panics if k < 1.
func (as *AwasthiSheffet) Fit(points *Matrix, k int, r Rand) {
	points.check()
	if k < 1 {
		panic("clusterer: AwasthiSheffet: k is less than 1")
	}
	all := points
	points = as.finite.of(points)
	if points.Rows > 0 && points.Rows <= k {
		as.KMeans.FitFrom(all, points)
		return
	}
	as.project(points, k)
	as.seeds.Reshape(k, as.projected.Cols)
	as.KMeans.seed(&as.seeds, &as.projected, r)
	as.center()
	as.KMeans.FitFrom(all, &as.start)
}

// project finds the leading directions and the points along them.
func (as *AwasthiSheffet) project(points *Matrix, k int) {
	as.spectral.Basis(&as.basis, points, k)
	as.projected.Reshape(points.Rows, as.basis.Rows)
	for i := range points.Rows {
		for j := range as.basis.Rows {
			as.projected.Row(i)[j] = dot(points.Row(i), as.basis.Row(j))
		}
	}
}

// center moves each seed to the mean of the projected points near it, and back
// from the projection to the space of the points.
func (as *AwasthiSheffet) center() {
	k := as.seeds.Rows
	as.near = resize(as.near, k)
	as.start.Reshape(k, as.basis.Cols)
	clear(as.start.Data)
	clear(as.near)
	for i := range as.projected.Rows {
		if s, ok := as.nearSeed(as.projected.Row(i)); ok {
			as.near[s]++
			as.backProject(s, as.projected.Row(i))
		}
	}
	for s, n := range as.near {
		if n == 0 {
			as.backProject(s, as.seeds.Row(s))
			continue
		}
		for j := range as.start.Row(s) {
			as.start.Row(s)[j] /= float64(n)
		}
	}
}

// nearSeed returns the nearest seed of x; ok is true if it is at most a third as far as any
// other. Distances are squared here, and a third becomes a ninth.
func (as *AwasthiSheffet) nearSeed(x []float64) (seed int, ok bool) {
	least, second := -1.0, -1.0
	for s := range as.seeds.Rows {
		d := squaredDistance(x, as.seeds.Row(s))
		switch {
		case least < 0 || d < least:
			seed, least, second = s, d, least
		case second < 0 || d < second:
			second = d
		}
	}
	return seed, second < 0 || least <= second/9
}

// backProject adds to centre s the point whose projection is x.
func (as *AwasthiSheffet) backProject(s int, x []float64) {
	for j, component := range x {
		axpy(component, as.basis.Row(j), as.start.Row(s))
	}
}
