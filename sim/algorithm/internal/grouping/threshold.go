package grouping

import "flockscope/clusterer"

// threshold finds the cosine from which on clusters merge.
type threshold struct {
	tree  clusterer.Agglomerative
	apart clusterer.Matrix
	among []int
}

// Threshold returns τ for the clients i with in[i]. Merging pairs with a cosine of τ or more, the nearest first, is
// single linkage cut at τ, so τ is the threshold of that tree's heights ([clusterer.Tree.Otsu]): between the cosines at
// which clients of one group merge and those at which different groups would merge. It is −Inf if all are equal.
func (t *threshold) Threshold(in []bool, cosine func(i, j int) float64) float64 {
	t.among = t.among[:0]
	for i, yes := range in {
		if yes {
			t.among = append(t.among, i)
		}
	}
	t.apart.Reshape(len(t.among), len(t.among))
	for a, i := range t.among {
		for b, j := range t.among[:a] {
			t.apart.Row(a)[b] = -cosine(i, j)
		}
	}
	t.tree.Linkage = clusterer.Single
	t.tree.FitDistances(&t.apart)
	return -t.tree.Tree.Otsu()
}
