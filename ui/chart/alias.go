package chart

import (
	"slices"

	"flockscope/sim/trace"
)

// Aliaser names the models of a run that is still under way, as its summary will
// in the end: each model after the group whose clients it serves in the newest
// frame. A name that was given stays until another fits a tenth of the clients
// better, so that colours do not flicker with every client that moves.
type Aliaser struct {
	match matching
	next  []uint16
	taken []bool
}

// Alias brings alias up to date for a lane: a permutation of its models, of
// which those beyond the groups keep what names are left, in order. It returns
// nil where models have no names.
func (a *Aliaser) Alias(alias []uint16, r *trace.Run, lane int) []uint16 {
	info, frames := &r.Header.Lanes[lane], r.Tracks[lane].Frames
	if !r.Header.HasTruth() || own(info) || info.Models > 64 || len(frames) == 0 {
		return nil
	}
	f := &frames[len(frames)-1]
	v := View{Run: r, Lane: lane}
	a.match.pair(&v, f) // of everybody, as the summary does
	a.next, a.taken = grow(a.next, info.Models), grow(a.taken, info.Models)
	const none = ^uint16(0)
	for k := range a.next {
		a.next[k], a.taken[k] = none, false
	}
	for g, k := range a.match.home {
		if k < info.Models && g < info.Models {
			a.next[k], a.taken[g] = uint16(g), true
		}
	}
	for k := range a.next {
		if a.next[k] == none {
			free := slices.Index(a.taken, false)
			a.next[k], a.taken[free] = uint16(free), true
		}
	}
	if len(alias) == len(a.next) && 10*(served(&v, f, a.next)-served(&v, f, alias)) < r.Header.Clients {
		return alias
	}
	return append(alias[:0], a.next...)
}

// served counts the clients whose model is named after their group.
func served(v *View, f *trace.Frame, alias []uint16) int {
	n := 0
	for i := range f.Label {
		if k := label(f, i); k >= 0 && k < len(alias) && int(alias[k]) == v.group(i) {
			n++
		}
	}
	return n
}
