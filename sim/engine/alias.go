package engine

import (
	"flockscope/clusterer"
)

// alias matches models to groups by the clients they share in the last frame,
// so that each model takes the colour of the people it serves. Models beyond
// the groups keep what colours are left, in order.
func (l *lane) alias() []uint16 {
	k := l.plan.Models
	out := make([]uint16, k)
	for i := range out {
		out[i] = uint16(i)
	}
	// Matching is cubic; with very many models colours mean nothing anyway.
	if l.groups == 0 || l.plan.Personal || k > 64 {
		return out
	}
	n := max(k, l.groups)
	var cost clusterer.Matrix
	cost.Reshape(n, n)
	clear(cost.Data)
	for i, m := range l.label {
		cost.Row(m)[l.group[i]]--
	}
	var a clusterer.Assigner
	to := make([]int, n)
	a.Assign(to, &cost)
	// With more groups than models a model may be matched to a high group:
	// close the gaps so that alias stays a permutation of the models.
	taken := make([]bool, n)
	for m := range k {
		taken[to[m]] = true
	}
	next := 0
	for m := range k {
		if to[m] >= k {
			for taken[next] {
				next++
			}
			to[m], taken[next] = next, true
		}
		out[m] = uint16(to[m])
	}
	return out
}
