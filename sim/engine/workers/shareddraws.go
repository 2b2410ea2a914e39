package workers

import (
	"sync"

	"flockscope/sim/trace"
)

// SharedDraws are what chance brings to the clients of a run: for each round, the random
// numbers that samples are made of (see [workload.SharedDraws]). These depend on the workload,
// the seed and how many there are, and on no other setting. So a run takes over those of an
// earlier one: while a slider is dragged, chance is the same, and is asked once.
type SharedDraws struct {
	DrawsKey
	numbers []float64
	drawn   []bool // whether a client's numbers of a round have been drawn
}

// DrawsKey is what these numbers depend on.
type DrawsKey struct {
	data            string // the workload's name
	Seed            uint64
	Rounds, Clients int
	Each            int // numbers a client and round
}

// mostShared is how many numbers shared draws are at most: 1 MB. Larger runs draw anew.
const mostShared = 1 << 17

// IdleDraws are those that no run has.
var IdleDraws sync.Pool

// BorrowDraws returns shared draws, nil if they would be too many.
func BorrowDraws(k DrawsKey) *SharedDraws {
	if k.Rounds*k.Clients*k.Each > mostShared {
		return nil
	}
	c, _ := IdleDraws.Get().(*SharedDraws)
	if c == nil {
		c = &SharedDraws{}
	}
	c.Reset(k)
	return c
}

// Reset makes room for a run, unless it is one like the last.
func (c *SharedDraws) Reset(k DrawsKey) {
	if c.DrawsKey == k {
		return
	}
	c.DrawsKey = k
	c.numbers = trace.Resize(c.numbers, k.Rounds*k.Clients*k.Each)
	c.drawn = trace.Resize(c.drawn, k.Rounds*k.Clients)
	clear(c.drawn)
}

// giveBack leaves shared draws, if there are any, to later runs.
func (c *SharedDraws) giveBack() {
	if c != nil {
		IdleDraws.Put(c)
	}
}

// At returns the place of a client's numbers of a round, below rounds, and
// whether they are there already; if not, they must be drawn now. Clients may ask at
// the same time, each for itself.
func (c *SharedDraws) At(client, round int) (numbers []float64, there bool) {
	i := round*c.Clients + client
	there, c.drawn[i] = c.drawn[i], true
	return c.numbers[i*c.Each : (i+1)*c.Each], there
}
