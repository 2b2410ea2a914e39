package workers

import (
	"runtime"
	"sync"

	"flockscope/sim/model"
	"flockscope/sim/workload"
)

// client is one participant. It lives as a goroutine for the whole run, knows
// its own samples only, and is spoken to through its inbox.
type client struct {
	id         int
	inbox      chan *Job  // capacity: one per lane
	workspace  *Workspace // nil where clients take turns at workspaces
	workspaces chan *Workspace
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
			v.Done <- struct{}{}
		}
	}
}

// localClients is the clients of a run as they work in this process.
type localClients struct {
	clients    []*client
	draws      *SharedDraws    // nil where samples are not made of chance alone
	workspaces chan *Workspace // nil where each has a workspace of its own
	cache      prefetchCache
	alive      sync.WaitGroup
}

// newLocalClients brings the clients up, as goroutines. A model of a few parameters is
// trained wherever its client is; one with scratch memory at one of as many
// workspaces as there are processors.
func newLocalClients(data workload.Workload, set *Settings, lanes int) *localClients {
	f := &localClients{}
	if _, ok := data.Model().(*model.Network); ok {
		n := max(1, min(runtime.GOMAXPROCS(0), data.Clients()))
		f.workspaces = make(chan *Workspace, n)
		for range n {
			b := NewWorkspace(data, set)
			b.cache = &f.cache
			f.workspaces <- b
		}
	}
	chancy, ok := data.(workload.SharedDraws)
	if ok && f.workspaces == nil {
		f.draws = BorrowDraws(DrawsKey{set.data, set.DataSeed, set.Rounds + 1, data.Clients(), 2 * set.Draw()})
	}
	for i := range data.Clients() {
		c := &client{id: i, inbox: make(chan *Job, lanes), workspaces: f.workspaces}
		if f.workspaces == nil {
			c.workspace = NewWorkspace(data, set)
			c.workspace.shared, c.workspace.draws = chancy, f.draws
		}
		f.clients = append(f.clients, c)
		f.alive.Go(c.live)
	}
	return f
}

// run has some of the clients do their part of a job, and waits for it.
func (f *localClients) run(v *Job, part []int) {
	if len(part) == 0 {
		return
	}
	v.running.Lock()
	defer v.running.Unlock()
	v.pending.Store(int32(len(part)))
	for _, i := range part {
		f.clients[i].inbox <- v
	}
	<-v.Done
}

// prepare draws a client's samples of a round before they are asked for, and reports
// whether there was room for them.
func (f *localClients) prepare(client, round int) bool {
	if f.workspaces == nil {
		return false
	}
	b := <-f.workspaces
	defer func() { f.workspaces <- b }()
	b.Sample(client, round)
	b.Client = NoClient
	return f.cache.put(&b.Samples, client, round)
}

// close ends all clients.
func (f *localClients) close() {
	for _, c := range f.clients {
		close(c.inbox)
	}
	f.alive.Wait()
	f.draws.giveBack()
}
