package engine

import (
	"math"
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// participation decides which clients take part in which round. It is drawn from the data seed, so
// that it is the same in all lanes.
type participation struct {
	rate     float64 // participation rate ρ: the fraction of available clients that take part
	dropRate float64 // probability that a participant drops out
	late     int     // number of latecomers, less than that of clients
	join     int     // the first round of latecomers
	seed     uint64

	arrival []int // the round from which each client is available
	pool    []int
	present []int
	dropped []bool
}

func newParticipation(v param.Values, clients int, seed uint64) *participation {
	a := &participation{rate: v.Float("rho"), dropRate: v.Float("drop"), late: v.Int("late"), join: v.Int("join"),
		seed: seed, arrival: make([]int, clients), dropped: make([]bool, clients)}
	var s rng.Stream
	s.Reset(seed, rng.Participation, 0, 1)
	order := a.choose(&s, indices(clients), a.late)
	for _, i := range order {
		a.arrival[i] = a.join
	}
	return a
}

// always reports whether all clients take part in every round.
func (a *participation) always() bool { return a.rate == 1 && a.dropRate == 0 && a.late == 0 }

// draw returns the participants of round t, counted from 1, in ascending order, and by client
// whether it drops out. At least one client takes part.
func (a *participation) draw(t int) (participants []int, dropped []bool) {
	a.pool = a.pool[:0]
	for i, from := range a.arrival {
		a.dropped[i] = false
		if t >= from {
			a.pool = append(a.pool, i)
		}
	}
	var s rng.Stream
	s.Reset(a.seed, rng.Participation, t, 0)
	a.present = append(a.present[:0], a.choose(&s, a.pool, max(1, int(math.Round(a.rate*float64(len(a.pool))))))...)
	slices.Sort(a.present)
	if a.dropRate > 0 {
		for _, i := range a.present {
			s.Reset(a.seed, rng.Dropout, t, i)
			a.dropped[i] = s.Float64() < a.dropRate
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

// drawParticipants draws the participants of round t, and records them in the frame.
func (l *lane) drawParticipants(t int) {
	f := &l.frame
	participants, dropped := l.participation.draw(t)
	l.round.SetParticipants(participants, dropped)
	f.Events |= trace.Partial
	f.State = trace.Resize(f.State, len(l.label))
	for i := range f.State {
		f.State[i] = trace.Absent
	}
	for _, i := range participants {
		f.State[i] = trace.Present
	}
}

// noteDropouts records which participants dropped out and which replied.
func (l *lane) noteDropouts() {
	for i, state := range l.frame.State {
		switch {
		case state != trace.Present:
		case l.round.Dropped(i):
			l.frame.State[i] = trace.Dropped
		default:
			l.everPresent[i] = true
		}
	}
}
