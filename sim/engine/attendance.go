package engine

import (
	"math"
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// attendance decides who takes part in which round. It is drawn from the data
// seed, so that all lanes meet the same clients.
type attendance struct {
	rate float64 // participation rate ρ: the share of those available that takes part
	drop float64 // how likely one that takes part is not heard of again
	late int     // clients, fewer than all, that only come
	join int     // from this round on
	seed uint64

	comes []int // the round from which each client is available
	pool  []int
	here  []int
	lost  []bool
}

func newAttendance(v param.Values, clients int, seed uint64) *attendance {
	a := &attendance{rate: v.Float("rho"), drop: v.Float("drop"), late: v.Int("late"), join: v.Int("join"), seed: seed,
		comes: make([]int, clients), lost: make([]bool, clients)}
	var s rng.Stream
	s.Reset(seed, rng.Presence, 0, 1)
	order := a.choose(&s, upTo(clients), a.late)
	for _, i := range order {
		a.comes[i] = a.join
	}
	return a
}

// full reports that everybody takes part in every round.
func (a *attendance) full() bool { return a.rate == 1 && a.drop == 0 && a.late == 0 }

// call returns who takes part in round t, from 1, ascending, and marks those of
// them who drop out. At least one client takes part.
func (a *attendance) call(t int) (here []int, lost []bool) {
	a.pool = a.pool[:0]
	for i, from := range a.comes {
		a.lost[i] = false
		if t >= from {
			a.pool = append(a.pool, i)
		}
	}
	var s rng.Stream
	s.Reset(a.seed, rng.Presence, t, 0)
	a.here = append(a.here[:0], a.choose(&s, a.pool, max(1, int(math.Round(a.rate*float64(len(a.pool))))))...)
	slices.Sort(a.here)
	if a.drop > 0 {
		for _, i := range a.here {
			s.Reset(a.seed, rng.Dropout, t, i)
			a.lost[i] = s.Float64() < a.drop
		}
	}
	return a.here, a.lost
}

// choose moves n of the numbers in pool to its front, at random, and returns them.
func (a *attendance) choose(s *rng.Stream, pool []int, n int) []int {
	for j := range n {
		k := j + s.IntN(len(pool)-j)
		pool[j], pool[k] = pool[k], pool[j]
	}
	return pool[:n]
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
