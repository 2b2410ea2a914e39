package workers

import (
	"sync"

	"flockscope/sim/trace"
)

// SharedDraws are the random numbers of a run from which samples are computed (see
// [workload.SharedDraws]). They depend on the workload, the seed and their number, and on no other
// setting. So a run can use those of an earlier one: while a slider is dragged, they are drawn
// once.
type SharedDraws struct {
	DrawsKey
	numbers []float64
	drawn   []bool // whether the numbers of each client and round have been drawn
}

// DrawsKey is everything that shared draws depend on.
type DrawsKey struct {
	data            string // name of the workload
	Seed            uint64
	Rounds, Clients int
	Each            int // numbers per client and round
}

// maxShared is the most numbers of shared draws: 1 MB. Larger runs draw their own.
const maxShared = 1 << 17

// IdleDraws are shared draws that no run uses.
var IdleDraws sync.Pool

// AcquireDraws returns shared draws, nil if they would be too many. Release them after the run.
func AcquireDraws(k DrawsKey) *SharedDraws {
	if k.Rounds*k.Clients*k.Each > maxShared {
		return nil
	}
	c, _ := IdleDraws.Get().(*SharedDraws)
	if c == nil {
		c = &SharedDraws{}
	}
	c.Reset(k)
	return c
}

// Reset prepares the draws for a run. They stay if the key is the same.
func (c *SharedDraws) Reset(k DrawsKey) {
	if c.DrawsKey == k {
		return
	}
	c.DrawsKey = k
	c.numbers = trace.Resize(c.numbers, k.Rounds*k.Clients*k.Each)
	c.drawn = trace.Resize(c.drawn, k.Rounds*k.Clients)
	clear(c.drawn)
}

// release makes the draws, unless nil, available to later runs.
func (c *SharedDraws) release() {
	if c != nil {
		IdleDraws.Put(c)
	}
}

// At returns the memory of a client's numbers of a round, and whether they have been drawn; if not,
// the caller must draw them. It is safe for concurrent use by different clients.
func (c *SharedDraws) At(client, round int) (numbers []float64, there bool) {
	i := round*c.Clients + client
	there, c.drawn[i] = c.drawn[i], true
	return c.numbers[i*c.Each : (i+1)*c.Each], there
}
