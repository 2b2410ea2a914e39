package clusterer

import "math"

// Merge is one step of a [Tree]: two clusters become one.
type Merge struct {
	A, B   int     // the two, A < B: points are 0 … n−1, and step m makes cluster n+m
	Height float64 // the distance between them
	Size   int     // points in the new cluster
}

// Tree is a hierarchy of clusters, from single points to one cluster of all. The
// zero value has no points.
type Tree struct {
	Points int
	Merges []Merge // Points−1 of them, heights ascending, in the layout of SciPy's linkage

	labels []int
	owner  []int // for each cluster of the tree, the largest one uncut above it
	name   []int // for each such cluster, its label
}

// Cut returns the labels of the points when the tree is cut into k clusters, or
// one for each point if there are fewer. Labels are numbered by the first point
// that has them. They are valid until the tree's next cut. It panics
// if k < 1.
func (t *Tree) Cut(k int) []int {
	if k < 1 {
		panic("clusterer: Tree: k is less than 1")
	}
	return t.undo(min(k-1, len(t.Merges)))
}

// CutAt returns the labels when only clusters no farther apart than height are
// merged, and how many there are: as many as points where height is NaN. The labels are
// as in [Tree.Cut].
func (t *Tree) CutAt(height float64) (labels []int, k int) {
	above := 0
	for above < len(t.Merges) && !(t.Merges[len(t.Merges)-1-above].Height <= height) {
		above++
	}
	return t.undo(above), min(above+1, t.Points)
}

// Otsu returns a height for [Tree.CutAt] that is found from the tree: it lies in the
// middle between two neighbouring heights of merges, so that those below and those above
// vary as little as they can around their means, which is the greatest
//
//	i·(n−i)·(mean of the i lower − mean of the n−i higher)²
//
// of n merges, the lowest such height on ties. It is the threshold of Otsu (IEEE Trans.
// Systems, Man, and Cybernetics 9 (1979), 62-66), and k-means with two clusters in one
// dimension: merges within groups are one kind, merges of groups the other. It does not
// depend on the unit of the heights.
//
// Where all heights are equal but for rounding there is one kind, and the height is +Inf,
// which cuts nothing. Heights that are not finite are ignored.
func (t *Tree) Otsu() float64 {
	const rounding = 1e-12
	n, sum := 0, 0.0
	for n < len(t.Merges) && !math.IsInf(t.Merges[n].Height, 0) && !math.IsNaN(t.Merges[n].Height) {
		sum += t.Merges[n].Height
		n++
	}
	if n == 0 {
		return math.Inf(1)
	}
	first, last := t.Merges[0].Height, t.Merges[n-1].Height
	best, most, below := math.Inf(1), -1.0, 0.0
	for i := 1; i < n && last-first > rounding*max(math.Abs(first), math.Abs(last)); i++ {
		low, high := t.Merges[i-1].Height, t.Merges[i].Height
		below += low
		apart := below/float64(i) - (sum-below)/float64(n-i)
		if between := float64(i*(n-i)) * (apart * apart); low < high && between > most {
			best, most = low+float64((high-low)/2), between
		}
	}
	return best
}

// undo returns the labels without the last steps.
func (t *Tree) undo(steps int) []int {
	n := t.Points
	t.labels = resize(t.labels, n)
	t.owner = resize(t.owner, n+len(t.Merges))
	t.name = resize(t.name, n+len(t.Merges))
	for c := range t.owner {
		t.owner[c], t.name[c] = c, -1
	}
	for m := len(t.Merges) - 1 - steps; m >= 0; m-- {
		t.owner[t.Merges[m].A] = t.owner[n+m]
		t.owner[t.Merges[m].B] = t.owner[n+m]
	}
	k := 0
	for i := range t.labels {
		c := t.owner[i]
		if t.name[c] < 0 {
			t.name[c] = k
			k++
		}
		t.labels[i] = t.name[c]
	}
	return t.labels
}
