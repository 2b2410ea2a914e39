package clusterer

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
// that has them. They are the tree's own, and hold until its next cut. It panics
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
