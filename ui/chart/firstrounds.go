package chart

import (
	"math"
	"slices"

	"flockscope/sim/trace"
)

// FirstRounds says since when each client of a lane has been heard, and each model been
// in use, gathered round by round as they come in. The zero debuts is empty: of a
// lane without frames nothing is known, and nobody is said not to have come.
type FirstRounds struct {
	run            *trace.Run
	lane           int
	seen           int   // frames
	clients        []int // by client, the round
	models         []int // by model, the round
	missingClients int   // clients that have not come yet
	missingModels  int   // models
}

// never is the debut of what has not come yet.
const never = math.MaxInt

// update takes in what has happened in the lane looked at so far.
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

// add notes who and what is there for the first time. A frame says who took part
// where not all do; after a divergence nobody does. When nothing is missing any more
// there is nothing to look for.
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

// participated reports whether a client has taken part by a round. At the start nobody
// has, and all are looked at alike.
func (d *FirstRounds) participated(client, round int) bool {
	return round == 0 || client >= len(d.clients) || d.clients[client] <= round
}

// Existing returns which of n models there are by a round, in the memory of dst: all,
// unless the lane's method finds how many there are.
func (d *FirstRounds) Existing(dst []int, v *View, n, round int) []int {
	finds := v.finds()
	if finds {
		d.update(v)
	}
	dst = dst[:0]
	for k := range n {
		if !finds || d.used(k, round) {
			dst = append(dst, k)
		}
	}
	return dst
}

// Made returns the models of the lane looked at that there are by the round looked
// at, in the order of their letters.
func (v *View) Made() []int {
	made := new(FirstRounds).Existing(nil, v, v.LaneHeader().Models, v.Round)
	slices.SortStableFunc(made, func(a, b int) int { return v.Place(a) - v.Place(b) })
	return made
}

// used reports whether a model has been somebody's by a round.
func (d *FirstRounds) used(model, round int) bool {
	return model >= len(d.models) || d.models[model] <= round
}
