package chart

import (
	"math"
	"slices"

	"flockscope/sim/trace"
)

// FirstRounds holds, for one lane, the first round in which each client took part and in which
// each model was used. It reads every frame once. The zero value reports that all clients took
// part and that all models were used.
type FirstRounds struct {
	run            *trace.Run
	lane           int
	seen           int   // frames
	clients        []int // by client, the round
	models         []int // by model, the round
	missingClients int   // clients that have not taken part yet
	missingModels  int   // models
}

// never is the first round of a client or model that has none yet.
const never = math.MaxInt

// update reads the new frames of the shown lane.
func (d *FirstRounds) update(v *View) {
	lane := v.LaneHeader()
	if lane == nil {
		*d = FirstRounds{}
		return
	}
	if d.run != v.Run || d.lane != v.Lane {
		clients, models := trace.Resize(d.clients, v.Run.Header.Clients), trace.Resize(d.models, lane.Models)
		for _, list := range [...][]int{clients, models} {
			for i := range list {
				list[i] = never
			}
		}
		*d = FirstRounds{run: v.Run, lane: v.Lane, clients: clients, models: models, missingClients: len(clients),
			missingModels: len(models)}
	}
	for frames := v.Run.Tracks[v.Lane].Frames; d.seen < len(frames); d.seen++ {
		d.add(&frames[d.seen], d.seen)
	}
}

// add notes which clients take part and which models are used for the first time. A frame lists
// the participants only where some clients are absent; after a divergence nobody takes part.
func (d *FirstRounds) add(f *trace.Frame, round int) {
	come := func(list []int, at int, missing *int) {
		if at < len(list) && list[at] == never {
			list[at] = round
			*missing--
		}
	}
	for i := 0; i < len(d.clients) && round > 0 && d.missingClients > 0; i++ {
		if len(f.State) == 0 && round == 1 || i < len(f.State) && f.State[i] == trace.Present {
			come(d.clients, i, &d.missingClients)
		}
	}
	if d.missingModels == 0 {
		return
	}
	for _, k := range f.Label {
		come(d.models, int(k), &d.missingModels)
	}
	for at, w := range f.Mixture {
		if w > 0 {
			come(d.models, at%len(d.models), &d.missingModels)
		}
	}
}

// participated reports whether a client has taken part by a round. It is true for all in round 0,
// where no client has.
func (d *FirstRounds) participated(client, round int) bool {
	return round == 0 || client >= len(d.clients) || d.clients[client] <= round
}

// Existing returns which of n models exist in a round, in the memory of dst: all of them, unless
// the lane's method finds their number. There, a model exists once a client has had it, and as long
// as a client has it or gives it weight: methods merge and remove clusters.
func (d *FirstRounds) Existing(dst []int, v *View, n, round int) []int {
	finds := v.finds()
	if finds {
		d.update(v)
	}
	dst = dst[:0]
	var f *trace.Frame
	if finds {
		f = v.FrameAt(v.Lane, round)
	}
	for k := range n {
		if !finds || d.used(k, round) && (f == nil || has(f, k, n)) {
			dst = append(dst, k)
		}
	}
	return dst
}

// has reports whether a client has model k of n in f, or gives it weight.
func has(f *trace.Frame, k, n int) bool {
	for at := k; at < len(f.Mixture); at += n {
		if f.Mixture[at] > 0 {
			return true
		}
	}
	return slices.Contains(f.Label, uint16(k))
}

// ExistingModels returns the models of the shown lane that exist by the shown round, in the order of their
// letters.
func (v *View) ExistingModels() []int {
	made := new(FirstRounds).Existing(nil, v, v.LaneHeader().Models, v.Round)
	slices.SortStableFunc(made, func(a, b int) int { return v.AliasOf(a) - v.AliasOf(b) })
	return made
}

// used reports whether some client has had a model by a round.
func (d *FirstRounds) used(model, round int) bool {
	return model >= len(d.models) || d.models[model] <= round
}
