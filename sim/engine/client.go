package engine

import (
	"runtime"
	"sync"

	"flockscope/sim/model"
	"flockscope/sim/workload"
)

// client is one participant. It lives as a goroutine for the whole run, knows
// its own samples only, and is spoken to through its inbox.
type client struct {
	id    int
	inbox chan *visit // capacity: one per lane
	own   *bench      // nil where clients take turns at benches
	turns chan *bench
}

// live answers until the inbox is closed.
func (c *client) live() {
	for v := range c.inbox {
		if b := c.own; b != nil {
			b.answer(c.id, v)
		} else {
			b = <-c.turns
			b.answer(c.id, v)
			c.turns <- b
		}
		if v.pending.Add(-1) == 0 {
			v.done <- struct{}{}
		}
	}
}

// flock is the clients of a run as they work in this process.
type flock struct {
	clients []*client
	chances *chances    // nil where samples are not made of chance alone
	turns   chan *bench // nil where each has a bench of its own
	shelf   shelf
	alive   sync.WaitGroup
}

// newFlock brings the clients up, as goroutines. A model of a few parameters is
// trained wherever its client is; one with scratch memory at one of as many
// benches as there are processors.
func newFlock(data workload.Workload, set *settings, lanes int) *flock {
	f := &flock{}
	if _, ok := data.Model().(*model.Network); ok {
		n := max(1, min(runtime.GOMAXPROCS(0), data.Clients()))
		f.turns = make(chan *bench, n)
		for range n {
			b := newBench(data, set)
			b.shelf = &f.shelf
			f.turns <- b
		}
	}
	chancy, ok := data.(workload.Chancy)
	if ok && f.turns == nil {
		f.chances = borrow(key{set.data, set.dataSeed, set.rounds + 1, data.Clients(), 2 * set.draw()})
	}
	for i := range data.Clients() {
		c := &client{id: i, inbox: make(chan *visit, lanes), turns: f.turns}
		if f.turns == nil {
			c.own = newBench(data, set)
			c.own.chancy, c.own.chances = chancy, f.chances
		}
		f.clients = append(f.clients, c)
		f.alive.Go(c.live)
	}
	return f
}

// attend has some of the clients do their part of a visit, and waits for it.
func (f *flock) attend(v *visit, part []int) {
	if len(part) == 0 {
		return
	}
	v.calls.Lock()
	defer v.calls.Unlock()
	v.pending.Store(int32(len(part)))
	for _, i := range part {
		f.clients[i].inbox <- v
	}
	<-v.done
}

// prepare draws a client's samples of a round before they are asked for, and reports
// whether there was room for them.
func (f *flock) prepare(client, round int) bool {
	if f.turns == nil {
		return false
	}
	b := <-f.turns
	defer func() { f.turns <- b }()
	b.lay(client, round)
	b.client = nobodys
	return f.shelf.put(&b.samples, client, round)
}

// leave ends all clients.
func (f *flock) leave() {
	for _, c := range f.clients {
		close(c.inbox)
	}
	f.alive.Wait()
	f.chances.giveBack()
}
