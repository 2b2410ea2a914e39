package clusterer

import (
	"math"
	"slices"
)

// Agglomerative builds a [Tree] from the bottom: every point starts as a cluster, and the two clusters nearest each
// other are merged until one is left. The zero value is ready to use, with Ward's linkage (J. American Statistical
// Association 58 (1963), 236-244).
//
// Among equally near pairs it merges the first, in the order of the clusters' lowest points: equal distances give the
// same tree everywhere.
//
// It takes O(n²) memory and, except for contrived points, O(n²) time: each cluster caches its nearest among the
// clusters after it, and searches again only when that one is merged and the cached bound comes first (the generic
// algorithm of Müllner, arXiv:1109.2378, section 3.1).
type Agglomerative struct {
	Linkage Linkage

	// Tree is the result of the last call, valid until the next.
	Tree Tree

	// A cluster lives in the slot of its lowest point.
	distance Matrix    // between slots, both triangles; squared for Ward
	alive    []int     // the slots not yet merged into an earlier one, ascending
	size     []int     // points in the slot
	id       []int     // ID in the tree of the slot's cluster
	nearest  []int     // the nearest later slot, the first on ties; −1 if unknown
	bound    []float64 // distance to nearest, or a lower bound if nearest is unknown
}

// Fit builds the tree of the points by their Euclidean distances. A point that is not
// finite is infinitely far from all others, and is merged last.
func (ag *Agglomerative) Fit(points *Matrix) {
	points.check()
	n := points.Rows
	ag.distance.Reshape(n, n)
	for i := range n {
		for j := range i {
			d := squaredDistance(points.Row(i), points.Row(j))
			if ag.Linkage != Ward {
				d = math.Sqrt(d)
			}
			ag.set(i, j, d)
		}
	}
	for i := range n {
		if !finite(points.Row(i)) {
			for j := range n {
				ag.set(i, j, math.Inf(1))
			}
		}
	}
	ag.build()
}

// FitDistances builds the tree of points whose distances are given, as a square
// matrix of which the lower triangle is read. Distances may be negative, as
// negated similarities are, except with Ward linkage, which squares them and expects
// Euclidean distances. NaN counts as infinite. It panics if the matrix is not square.
func (ag *Agglomerative) FitDistances(distances *Matrix) {
	distances.check()
	if distances.Rows != distances.Cols {
		panic("clusterer: Agglomerative: the matrix of distances is not square")
	}
	n := distances.Rows
	ag.distance.Reshape(n, n)
	for i := range n {
		for j, d := range distances.Row(i)[:i] {
			if ag.Linkage == Ward {
				d *= d
			}
			ag.set(i, j, d)
		}
	}
	ag.build()
}

// set makes d the distance of slots i and j.
func (ag *Agglomerative) set(i, j int, d float64) {
	if math.IsNaN(d) {
		d = math.Inf(1)
	}
	ag.distance.Data[i*ag.distance.Cols+j] = d
	ag.distance.Data[j*ag.distance.Cols+i] = d
}

// build fills the tree. It overwrites the distances.
func (ag *Agglomerative) build() {
	n := ag.distance.Rows
	ag.alive, ag.size, ag.id = resize(ag.alive, n), resize(ag.size, n), resize(ag.id, n)
	ag.nearest, ag.bound = resize(ag.nearest, n), resize(ag.bound, n)
	ag.Tree.Points = n
	ag.Tree.Merges = resize(ag.Tree.Merges, max(n-1, 0))
	for i := range n {
		ag.alive[i], ag.size[i], ag.id[i] = i, 1, i
	}
	for i := range n {
		ag.search(i)
	}
	for m := range ag.Tree.Merges {
		i, j := ag.closest()
		height := ag.bound[i]
		if ag.Linkage == Ward {
			height = math.Sqrt(height)
		}
		a, b := ag.id[i], ag.id[j]
		ag.Tree.Merges[m] = Merge{A: min(a, b), B: max(a, b), Height: height, Size: ag.size[i] + ag.size[j]}
		ag.join(i, j)
		ag.id[i] = n + m
	}
}

// search finds the slot after i that is nearest to it. The last slot has none.
func (ag *Agglomerative) search(i int) {
	at, _ := slices.BinarySearch(ag.alive, i)
	nearest, least := i, math.Inf(1)
	row := ag.distance.Row(i)
	for _, j := range ag.alive[at+1:] {
		if d := row[j]; d < least || nearest == i {
			nearest, least = j, d
		}
	}
	ag.nearest[i], ag.bound[i] = nearest, least
}

// closest returns the nearest two slots, i before j.
func (ag *Agglomerative) closest() (i, j int) {
	for {
		i = ag.alive[0]
		for _, k := range ag.alive {
			// A slot that is its own nearest is the last one and has no pair.
			if ag.bound[k] < ag.bound[i] && ag.nearest[k] != k {
				i = k
			}
		}
		if ag.nearest[i] >= 0 {
			return i, ag.nearest[i]
		}
		ag.search(i)
	}
}

// join merges slot j into slot i, before it.
func (ag *Agglomerative) join(i, j int) {
	at, _ := slices.BinarySearch(ag.alive, j)
	ag.alive = slices.Delete(ag.alive, at, at+1)

	c, na, nb := ag.bound[i], float64(ag.size[i]), float64(ag.size[j])
	ag.size[i] += ag.size[j]
	toI, toJ := ag.distance.Row(i), ag.distance.Row(j)
	for _, k := range ag.alive {
		if k == i {
			continue
		}
		d := ag.Linkage.merged(toI[k], toJ[k], c, na, nb, float64(ag.size[k]))
		toI[k] = d
		ag.distance.Data[k*ag.distance.Cols+i] = d
		switch known := ag.nearest[k]; {
		case k > j || known < 0 || k > i && known != j:
			// Neither i nor j comes after k, or neither is its nearest.
		case k < i && d == ag.bound[k] && i <= known:
			ag.nearest[k] = i // the union is as near, and comes first
		case known == i || known == j:
			ag.nearest[k] = -1 // no distance shrinks, so the bound still holds
		}
	}
	ag.search(i)
}
