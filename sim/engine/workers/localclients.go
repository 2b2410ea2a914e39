package workers

import (
	"runtime"
	"sync"

	"flockscope/sim/model"
	"flockscope/sim/workload"
)

// client is one client of this process. It is a goroutine for the whole run, has access to its own
// samples only, and receives jobs through its inbox.
type client struct {
	id         int
	inbox      chan *Job  // capacity: number of lanes
	workspace  *Workspace // nil if clients share workspaces
	workspaces chan *Workspace
}

// work executes jobs until the inbox is closed.
func (c *client) work() {
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

// localClients are the clients of a run in this process.
type localClients struct {
	clients    []*client
	draws      *SharedDraws    // nil unless the workload is Chancy
	workspaces chan *Workspace // nil if each client has its own
	cache      prefetchCache
	alive      sync.WaitGroup
}

// newLocalClients starts the clients as goroutines. With a model of a few parameters each client
// has a workspace; networks, which need scratch memory, share one workspace per processor.
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
		each := 2 * set.SamplesPerRound()
		f.draws = AcquireDraws(DrawsKey{set.data, set.DataSeed, set.Rounds + 1, data.Clients(), each})
	}
	for i := range data.Clients() {
		c := &client{id: i, inbox: make(chan *Job, lanes), workspaces: f.workspaces}
		if f.workspaces == nil {
			c.workspace = NewWorkspace(data, set)
			c.workspace.shared, c.workspace.draws = chancy, f.draws
		}
		f.clients = append(f.clients, c)
		f.alive.Go(c.work)
	}
	return f
}

// run executes a job for some of the clients, and waits for them.
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

// prepare draws a client's samples of a round in advance, and reports whether the cache had room
// for them.
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

// close stops all clients.
func (f *localClients) close() {
	for _, c := range f.clients {
		close(c.inbox)
	}
	f.alive.Wait()
	f.draws.release()
}
