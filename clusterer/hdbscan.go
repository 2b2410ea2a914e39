package clusterer

import (
	"math"
	"slices"
)

// HDBSCAN finds clusters of any density and number, and leaves out points that are in none (Campello, Moulavi and
// Sander, "Density-Based Clustering Based on Hierarchical Density Estimates", PAKDD 2013; the names are those of
// McInnes, Healy and Astels, Journal of Open Source Software 2 (2017), 205). A tree by single linkage is cut where
// clusters last longest, which may be at another height in each branch. MinSize must be set.
//
// The distance of two points is raised to the core distance of either, to its MinSize-th nearest point, itself counted,
// so that points in thin regions are far from all others. A cluster lasts from the distance at which it splits off to
// that at which it splits in two of MinSize points at least; on its way it may lose fewer. Its stability is the sum
// over its points of how long they are in it, in units of 1/distance. A cluster is preferred to those below it if its
// stability is at least the sum of theirs. The set of all points is never a cluster.
//
// It is scikit-learn's HDBSCAN with min_cluster_size = min_samples = MinSize, but for ties, which are common: a point
// between two clusters is as far from all its nearest points, by its core distance. Here it joins the one that is
// nearest before distances are raised, so that the order of points does not matter; points that coincide are never
// parted.
type HDBSCAN struct {
	MinSize int // points of a cluster, at least 2

	// Labels are the result of the last call, numbered by the first point of each cluster; −1 for points in none.
	Labels []int

	row       []float64 // of distances, sorted
	core      []float64
	links     []link // links of the minimum spanning tree; during its construction, the best link to each point
	root      []int  // parent of points and nodes, on the way to the root
	merges    []Merge
	owner     []int  // cluster of each node of the tree
	fallenOut []bool // whether each node has left its cluster
	clusters  []condensedCluster
	name      []int // labels of clusters
}

// link joins two points.
type link struct {
	a, b             int
	height, distance float64 // raised distance, and original distance
}

// before reports whether l is the shorter link: by raised distance, then by distance.
func (l link) before(o link) bool {
	return l.height < o.height || l.height == o.height && l.distance < o.distance
}

// condensedCluster is a cluster while it loses fewer than MinSize points at a time.
type condensedCluster struct {
	parent               int
	birth                float64 // 1/distance at which it splits off
	stability, bestBelow float64 // its own stability, and that of the best clusters below it
	chosen               bool
}

// FitDistances labels points whose distances are given, as a square matrix that is symmetric and 0 on its diagonal, and
// returns the number of clusters. NaN counts as infinite. It panics if the matrix is not square or MinSize is below 2.
func (h *HDBSCAN) FitDistances(distances *Matrix) int {
	distances.check()
	if distances.Rows != distances.Cols {
		panic("clusterer: HDBSCAN: the matrix of distances is not square")
	}
	if h.MinSize < 2 {
		panic("clusterer: HDBSCAN: MinSize is less than 2")
	}
	n := distances.Rows
	h.Labels = resize(h.Labels, n)
	if n < h.MinSize {
		for i := range h.Labels {
			h.Labels[i] = -1
		}
		return 0
	}
	h.cores(distances)
	h.span(distances)
	h.merge(n)
	h.condense(n)
	h.choose()
	return h.label()
}

// number returns +Inf for NaN, and other numbers unchanged.
func number(d float64) float64 {
	if math.IsNaN(d) {
		return math.Inf(1)
	}
	return d
}

// cores computes the core distances.
func (h *HDBSCAN) cores(distances *Matrix) {
	n := distances.Rows
	h.core, h.row = resize(h.core, n), resize(h.row, n)
	for i := range n {
		for j, d := range distances.Row(i) {
			h.row[j] = number(d)
		}
		h.row[i] = 0
		slices.Sort(h.row)
		h.core[i] = h.row[h.MinSize-1]
	}
}

// span finds a minimum spanning tree (Prim), and sorts its links in ascending order.
func (h *HDBSCAN) span(distances *Matrix) {
	n := distances.Rows
	h.links = resize(h.links, n-1)
	for j := range h.links {
		h.links[j] = link{a: -1, b: j + 1}
	}
	last := 0
	for done := range h.links {
		best := done
		for at := done; at < n-1; at++ {
			l := &h.links[at]
			d := number(distances.Row(last)[l.b])
			to := link{last, l.b, max(d, h.core[last], h.core[l.b]), d}
			if l.a < 0 || to.before(*l) {
				*l = to
			}
			if l.before(h.links[best]) {
				best = at
			}
		}
		h.links[done], h.links[best] = h.links[best], h.links[done]
		last = h.links[done].b
	}
	// insertion sort: it takes no longer than the code above
	for i := range h.links {
		for j := i; j > 0 && h.links[j].before(h.links[j-1]); j-- {
			h.links[j], h.links[j-1] = h.links[j-1], h.links[j]
		}
	}
}

// merge makes a single-linkage tree from the links.
func (h *HDBSCAN) merge(n int) {
	h.merges, h.root = resize(h.merges, n-1), resize(h.root, 2*n-1)
	for i := range h.root {
		h.root[i] = i
	}
	for m, l := range h.links {
		a, b := h.node(l.a), h.node(l.b)
		h.root[a], h.root[b] = n+m, n+m
		h.merges[m] = Merge{A: min(a, b), B: max(a, b), Height: l.height, Size: h.size(a) + h.size(b)}
	}
}

// node returns the root of a node, and shortens the path to it.
func (h *HDBSCAN) node(i int) int {
	for h.root[i] != i {
		h.root[i] = h.root[h.root[i]]
		i = h.root[i]
	}
	return i
}

// size returns the number of points in a node.
func (h *HDBSCAN) size(node int) int {
	if n := len(h.Labels); node >= n {
		return h.merges[node-n].Size
	}
	return 1
}

// condense walks down the tree and lists clusters, each after the cluster that contains it.
func (h *HDBSCAN) condense(n int) {
	h.owner, h.fallenOut = resize(h.owner, 2*n-1), resize(h.fallenOut, 2*n-1)
	h.clusters = append(h.clusters[:0], condensedCluster{parent: -1})
	h.owner[len(h.owner)-1], h.fallenOut[len(h.owner)-1] = 0, false
	for m := n - 2; m >= 0; m-- {
		merge, at := h.merges[m], h.owner[n+m]
		h.owner[merge.A], h.owner[merge.B] = at, at
		if h.fallenOut[n+m] {
			h.fallenOut[merge.A], h.fallenOut[merge.B] = true, true
			continue
		}
		c, when, leave := &h.clusters[at], 1/merge.Height, 0
		a, b := h.size(merge.A), h.size(merge.B)
		if a >= h.MinSize && b >= h.MinSize && merge.Height > 0 {
			leave = a + b
			h.owner[merge.A], h.owner[merge.B] = len(h.clusters), len(h.clusters)+1
			h.fallenOut[merge.A], h.fallenOut[merge.B] = false, false
		} else {
			stays := func(size int) bool { return size >= h.MinSize && merge.Height > 0 }
			h.fallenOut[merge.A], h.fallenOut[merge.B] = !stays(a), !stays(b)
			for _, s := range [2]int{a, b} {
				if !stays(s) {
					leave += s
				}
			}
		}
		c.stability += float64((when - c.birth) * float64(leave))
		if h.owner[merge.A] != at {
			half := condensedCluster{parent: at, birth: when}
			h.clusters = append(h.clusters, half, half)
		}
	}
}

// choose marks the clusters whose stability is at least that of the best clusters below them.
func (h *HDBSCAN) choose() {
	for k := len(h.clusters) - 1; k > 0; k-- {
		c := &h.clusters[k]
		c.chosen = !(c.bestBelow > c.stability)
		h.clusters[c.parent].bestBelow += max(c.bestBelow, c.stability)
	}
}

// label gives each point the label of the largest chosen cluster that contained it, and returns the number of labels.
func (h *HDBSCAN) label() (k int) {
	h.name = resize(h.name, len(h.clusters))
	for at := range h.clusters {
		c := &h.clusters[at]
		if h.name[at] = -1; at > 0 && h.clusters[c.parent].chosen {
			c.chosen = true // part of a larger cluster
		}
	}
	for i := range h.Labels {
		at := h.owner[i]
		for at > 0 && h.clusters[h.clusters[at].parent].chosen {
			at = h.clusters[at].parent
		}
		if h.Labels[i] = -1; h.clusters[at].chosen {
			if h.name[at] < 0 {
				h.name[at] = k
				k++
			}
			h.Labels[i] = h.name[at]
		}
	}
	return k
}
