package engine

import (
	"sync/atomic"

	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/workload"
)

// visit is one lane calling on the clients: they read their task, write their
// reply, and the last one to finish lets the lane go on. Which one that is, and
// in which order they work, changes nothing: each writes to its own place.
type visit struct {
	exchange *fl.Exchange
	round    int
	probe    int // samples to score models on
	// observed is where the instrument keeps losses for the page, a row of
	// columns a client; nil after the first exchange of a round. The server
	// does not see it and nobody is charged for it.
	observed []float32
	columns  int
	personal bool // model i is client i's own: score that one alone

	pending atomic.Int32
	done    chan struct{} // capacity 1
}

// client is one participant. It lives as a goroutine for the whole run, knows
// its own samples only, and is spoken to through its inbox.
type client struct {
	id    int
	inbox chan *visit // capacity: one per lane
	data  workload.Workload
	model model.Model
	seed  uint64
	batch int // samples of a minibatch, b
	draw  int // samples drawn a round: the most that any lane needs

	round   int // whose samples are at hand, −1 for none
	samples model.Batch
	stream  rng.Stream
}

// live answers until the inbox is closed.
func (c *client) live() {
	for v := range c.inbox {
		c.answer(v)
		if v.pending.Add(-1) == 0 {
			v.done <- struct{}{}
		}
	}
}

// answer does one task. All lanes of a round meet the same samples: whoever
// comes first has them drawn. The minibatch is the first b of them and the
// probe sample the first `probe`, so with equal sizes they are one sample, as
// in IFCA's minibatch variant.
func (c *client) answer(v *visit) {
	if v.round != c.round {
		c.stream.Reset(c.seed, rng.Samples, v.round, c.id)
		c.data.Draw(&c.samples, c.id, c.draw, &c.stream)
		c.round = v.round
	}
	task, reply := &v.exchange.Tasks[c.id], &v.exchange.Replies[c.id]
	bank := v.exchange.Bank
	if v.observed != nil || task.Losses || task.Best {
		c.score(v, reply)
	}
	minibatch := c.samples.First(c.batch)
	n := 0
	if task.Best {
		reply.Best = argmin(reply.Losses)
		c.model.Gradient(reply.Gradients[n], bank.Model(reply.Best), minibatch)
		n++
	}
	for _, k := range task.Gradients {
		c.model.Gradient(reply.Gradients[n], bank.Model(k), minibatch)
		n++
	}
}

// score evaluates the models on the probe sample.
func (c *client) score(v *visit, reply *fl.Reply) {
	probe := c.samples.First(v.probe)
	bank := v.exchange.Bank
	if v.personal {
		v.observed[c.id] = float32(c.model.Loss(bank.Model(c.id), probe))
		return
	}
	for k := range reply.Losses {
		reply.Losses[k] = c.model.Loss(bank.Model(k), probe)
	}
	if v.observed != nil {
		row := v.observed[c.id*v.columns : (c.id+1)*v.columns]
		for k, l := range reply.Losses {
			row[k] = float32(l)
		}
	}
}

func argmin(values []float64) int {
	best := 0
	for k, v := range values {
		if v < values[best] {
			best = k
		}
	}
	return best
}
