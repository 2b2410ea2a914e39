package chart

import (
	"flockscope/clusterer"
	"flockscope/sim/trace"
)

// Aliaser names the models of an unfinished run in the way its summary will: each model after the
// group that most of its clients have in the newest frame. A new naming replaces the old one only
// if it fits a tenth of the clients better, so that colours do not flicker with each client that
// moves.
type Aliaser struct {
	cost   clusterer.Matrix // minus the number of clients that have the model and the group
	solver clusterer.Assigner
	next   []uint16
}

// Alias updates the names of a lane's models, a permutation of them. Models without a group take
// the remaining names in order. It returns nil where models have no names.
func (a *Aliaser) Alias(alias []uint16, r *trace.Run, lane int) []uint16 {
	info, frames := &r.Header.Lanes[lane], r.Tracks[lane].Frames
	if !r.Header.HasTruth() || OwnModels(info) || info.Models > 64 || len(frames) == 0 {
		return nil
	}
	f := &frames[len(frames)-1]
	v := View{Run: r, Lane: lane}
	n := max(info.Models, r.Header.Groups)
	a.cost.Reshape(n, n)
	clear(a.cost.Data)
	for i := range f.Label {
		if k, g := ModelOf(f, i), v.Group(i); k >= 0 && k < n && g >= 0 && g < n {
			a.cost.Row(k)[g]--
		}
	}
	a.next = trace.Resize(a.next, info.Models)
	a.solver.Names(a.next, &a.cost)
	if len(alias) == len(a.next) && 10*(countMatching(&v, f, a.next)-countMatching(&v, f, alias)) < r.Header.Clients {
		return alias
	}
	return append(alias[:0], a.next...)
}

// countMatching counts the clients whose model is named after their group.
func countMatching(v *View, f *trace.Frame, alias []uint16) int {
	n := 0
	for i := range f.Label {
		if k := ModelOf(f, i); k >= 0 && k < len(alias) && int(alias[k]) == v.Group(i) {
			n++
		}
	}
	return n
}
