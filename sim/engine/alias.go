package engine

import "flockscope/clusterer"

// matchColours matches models to groups by the clients they share in the last frame, so that each
// model has the colour of the group that it serves. Models beyond the groups get the remaining
// colours, in order.
func (l *lane) matchColours() []uint16 {
	k := l.plan.Models
	out := make([]uint16, k)
	for i := range out {
		out[i] = uint16(i)
	}
	// Matching takes cubic time, and nobody can distinguish so many colours.
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
	a.Names(out, &cost)
	return out
}
