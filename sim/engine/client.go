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
	inbox chan *job // capacity: one per lane
	workspace   *workspace      // nil where clients take turns at benches
	workspaces chan *workspace
}

// live answers until the inbox is closed.
func (c *client) live() {
	for v := range c.inbox {
		if b := c.workspace; b != nil {
			b.answer(c.id, v)
		} else {
			b = <-c.workspaces
			b.answer(c.id, v)
			c.workspaces <- b
		}
		if v.pending.Add(-1) == 0 {
			v.done <- struct{}{}
		}
	}
}

// localClients is the clients of a run as they work in this process.
type localClients struct {
	clients []*client
	draws *sharedDraws    // nil where samples are not made of chance alone
	workspaces   chan *workspace // nil where each has a bench of its own
	cache   prefetchCache
	alive   sync.WaitGroup
}

// newLocalClients brings the clients up, as goroutines. A model of a few parameters is
// trained wherever its client is; one with scratch memory at one of as many
// benches as there are processors.
func newLocalClients(data workload.Workload, set *settings, lanes int) *localClients {
	f := &localClients{}
	if _, ok := data.Model().(*model.Network); ok {
		n := max(1, min(runtime.GOMAXPROCS(0), data.Clients()))
		f.workspaces = make(chan *workspace, n)
		for range n {
			b := newWorkspace(data, set)
			b.cache = &f.cache
			f.workspaces <- b
		}
	}
	chancy, ok := data.(workload.Chancy)
	if ok && f.workspaces == nil {
		f.draws = borrowDraws(drawsKey{set.data, set.dataSeed, set.rounds + 1, data.Clients(), 2 * set.draw()})
	}
	for i := range data.Clients() {
		c := &client{id: i, inbox: make(chan *job, lanes), workspaces: f.workspaces}
		if f.workspaces == nil {
			c.workspace = newWorkspace(data, set)
			c.workspace.shared, c.workspace.draws = chancy, f.draws
		}
		f.clients = append(f.clients, c)
		f.alive.Go(c.live)
	}
	return f
}

// run has some of the clients do their part of a visit, and waits for it.
func (f *localClients) run(v *job, part []int) {
	if len(part) == 0 {
		return
	}
	v.running.Lock()
	defer v.running.Unlock()
	v.pending.Store(int32(len(part)))
	for _, i := range part {
		f.clients[i].inbox <- v
	}
	<-v.done
}

// prepare draws a client's samples of a round before they are asked for, and reports
// whether there was room for them.
func (f *localClients) prepare(client, round int) bool {
	if f.workspaces == nil {
		return false
	}
	b := <-f.workspaces
	defer func() { f.workspaces <- b }()
	b.sample(client, round)
	b.client = noClient
	return f.cache.put(&b.samples, client, round)
}

// close ends all clients.
func (f *localClients) close() {
	for _, c := range f.clients {
		close(c.inbox)
	}
	f.alive.Wait()
	f.draws.giveBack()
}
