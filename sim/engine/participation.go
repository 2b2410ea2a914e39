package engine

import (
	"math"
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// participation decides who takes part in which round. It is drawn from the data
// seed, so that all lanes meet the same clients.
type participation struct {
	rate float64 // participation rate ρ: the share of those available that takes part
	drop float64 // how likely one that takes part is not heard of again
	late int     // clients, fewer than all, that only come
	join int     // from this round on
	seed uint64

	arrival []int // the round from which each client is available
	pool    []int
	present []int
	dropped []bool
}

func newParticipation(v param.Values, clients int, seed uint64) *participation {
	a := &participation{rate: v.Float("rho"), drop: v.Float("drop"), late: v.Int("late"), join: v.Int("join"),
		seed: seed, arrival: make([]int, clients), dropped: make([]bool, clients)}
	var s rng.Stream
	s.Reset(seed, rng.Presence, 0, 1)
	order := a.choose(&s, indices(clients), a.late)
	for _, i := range order {
		a.arrival[i] = a.join
	}
	return a
}

// everybody reports that everybody takes part in every round.
func (a *participation) everybody() bool { return a.rate == 1 && a.drop == 0 && a.late == 0 }

// draw returns who takes part in round t, from 1, ascending, and marks those of
// them who drop out. At least one client takes part.
func (a *participation) draw(t int) (here []int, lost []bool) {
	a.pool = a.pool[:0]
	for i, from := range a.arrival {
		a.dropped[i] = false
		if t >= from {
			a.pool = append(a.pool, i)
		}
	}
	var s rng.Stream
	s.Reset(a.seed, rng.Presence, t, 0)
	a.present = append(a.present[:0], a.choose(&s, a.pool, max(1, int(math.Round(a.rate*float64(len(a.pool))))))...)
	slices.Sort(a.present)
	if a.drop > 0 {
		for _, i := range a.present {
			s.Reset(a.seed, rng.Dropout, t, i)
			a.dropped[i] = s.Float64() < a.drop
		}
	}
	return a.present, a.dropped
}

// choose moves n of the numbers in pool to its front, at random, and returns them.
func (a *participation) choose(s *rng.Stream, pool []int, n int) []int {
	for j := range n {
		k := j + s.IntN(len(pool)-j)
		pool[j], pool[k] = pool[k], pool[j]
	}
	return pool[:n]
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// drawParticipants has some of the clients take part in round t.
func (l *lane) drawParticipants(t int) {
	f := &l.frame
	here, lost := l.participation.draw(t)
	l.round.SetParticipants(here, lost)
	f.Events |= trace.Partial
	f.State = trace.Resize(f.State, len(l.label))
	for i := range f.State {
		f.State[i] = trace.Absent
	}
	for _, i := range here {
		f.State[i] = trace.Present
	}
}

// noteDropouts notes who of them was heard of to the end.
func (l *lane) noteDropouts() {
	for i, state := range l.frame.State {
		switch {
		case state != trace.Present:
		case l.round.Dropped(i):
			l.frame.State[i] = trace.Lost
		default:
			l.seen[i] = true
		}
	}
}
