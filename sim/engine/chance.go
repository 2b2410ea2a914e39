package engine

import "sync"

// chances are what chance brings to the clients of a run: for each round, the random
// numbers that samples are made of (see [workload.Chancy]). These depend on the workload,
// the seed and how many there are, and on no other setting. So a run takes over those of an
// earlier one: while a slider is dragged, chance is the same, and is asked once.
type chances struct {
	key
	numbers []float64
	there   []bool // whether a client's numbers of a round have been drawn
}

// key is what these numbers depend on.
type key struct {
	data            string // the workload's name
	seed            uint64
	rounds, clients int
	each            int // numbers a client and round
}

// longest is how many numbers chances are at most: 1 MB. Larger runs draw anew.
const longest = 1 << 17

// spare are those that no run has.
var spare sync.Pool

// borrow returns chances, nil if they would be too many.
func borrow(k key) *chances {
	if k.rounds*k.clients*k.each > longest {
		return nil
	}
	c, _ := spare.Get().(*chances)
	if c == nil {
		c = &chances{}
	}
	c.lay(k)
	return c
}

// lay makes room for a run, unless it is one like the last.
func (c *chances) lay(k key) {
	if c.key == k {
		return
	}
	c.key = k
	c.numbers = room(c.numbers, k.rounds*k.clients*k.each)
	c.there = room(c.there, k.rounds*k.clients)
	clear(c.there)
}

// giveBack leaves chances, if there are any, to later runs.
func (c *chances) giveBack() {
	if c != nil {
		spare.Put(c)
	}
}

// at returns the place of a client's numbers of a round, below rounds, and
// whether they are there already; if not, they must be drawn now. Clients may ask at
// the same time, each for itself.
func (c *chances) at(client, round int) (numbers []float64, there bool) {
	i := round*c.clients + client
	there, c.there[i] = c.there[i], true
	return c.numbers[i*c.each : (i+1)*c.each], there
}
