package engine

import "sync"

// sharedDraws are what chance brings to the clients of a run: for each round, the random
// numbers that samples are made of (see [workload.Chancy]). These depend on the workload,
// the seed and how many there are, and on no other setting. So a run takes over those of an
// earlier one: while a slider is dragged, chance is the same, and is asked once.
type sharedDraws struct {
	drawsKey
	numbers []float64
	drawn   []bool // whether a client's numbers of a round have been drawn
}

// drawsKey is what these numbers depend on.
type drawsKey struct {
	data            string // the workload's name
	seed            uint64
	rounds, clients int
	each            int // numbers a client and round
}

// mostShared is how many numbers chances are at most: 1 MB. Larger runs draw anew.
const mostShared = 1 << 17

// idleDraws are those that no run has.
var idleDraws sync.Pool

// borrowDraws returns chances, nil if they would be too many.
func borrowDraws(k drawsKey) *sharedDraws {
	if k.rounds*k.clients*k.each > mostShared {
		return nil
	}
	c, _ := idleDraws.Get().(*sharedDraws)
	if c == nil {
		c = &sharedDraws{}
	}
	c.reset(k)
	return c
}

// reset makes room for a run, unless it is one like the last.
func (c *sharedDraws) reset(k drawsKey) {
	if c.drawsKey == k {
		return
	}
	c.drawsKey = k
	c.numbers = grow(c.numbers, k.rounds*k.clients*k.each)
	c.drawn = grow(c.drawn, k.rounds*k.clients)
	clear(c.drawn)
}

// giveBack leaves chances, if there are any, to later runs.
func (c *sharedDraws) giveBack() {
	if c != nil {
		idleDraws.Put(c)
	}
}

// at returns the place of a client's numbers of a round, below rounds, and
// whether they are there already; if not, they must be drawn now. Clients may ask at
// the same time, each for itself.
func (c *sharedDraws) at(client, round int) (numbers []float64, there bool) {
	i := round*c.clients + client
	there, c.drawn[i] = c.drawn[i], true
	return c.numbers[i*c.each : (i+1)*c.each], there
}
