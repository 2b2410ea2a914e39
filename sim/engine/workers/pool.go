// Package workers does the work of the clients of a run: it draws samples, computes losses and
// updates, trains and evaluates models. Some of the clients can be in other programs, called
// shards.
//
// A job is one exchange of a lane with all clients. The pool distributes a job's clients over the
// goroutines of this process and over shards, a few at a time, and returns clients that have
// finished in ascending order:
//
//	Pool.Start → queue → localClients → Workspace.answer
//	                   → shardConn → message → Shard.Handle → localClients → …
//	Pool.Next  ← queue
//
// Files:
//
//	pool.go           Pool: a job from its start to the last reply
//	queue.go          which worker takes which clients next
//	job.go            Job; evaluation.go has scores on held-out samples
//	localclients.go   the clients of this process, as goroutines
//	workspace.go      a client's part of a job: samples, losses, updates
//	train.go          local training; privacy.go clips updates and adds noise
//	evaluate.go       evaluates a client's model on held-out samples
//	risk.go           its expected loss, where that has a closed form
//	testclients.go    clients that evaluate models and do not train
//	context.go        what a device of an algorithm can use
//	shardconn.go      the connection to one shard; shard.go is its other end
//	remote.go         clients in other places, which can be lost
//	messages.go       messages between them; codec.go encodes them
//	liars.go         what liars train on and reply
//	settings.go       settings of a run; work.go estimates what it computes
//	prefetchcache.go  samples drawn in advance
//	shareddraws.go    random draws that runs share
package workers

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"flockscope/sim/workload"
)

// Shards are other programs, such as web workers, that do the work of some of the clients. A shard needs the run's
// query, the user's file if there is one, and a [Shard] that handles requests.
//
// A client's reply depends only on its samples and its task, so it does not matter which program computes it, and if a
// shard is lost, repeating its work gives the same bits.
type Shards interface {
	// Count is the number of shards.
	Count() int
	// Ask sends shard i a request. It does not wait, and does not keep the bytes.
	Ask(i int, request Message)
	// Answer waits for shard i's reply to its oldest open request, or returns an error if the shard
	// has stopped. The shard that replaces it starts without any state or open requests. The reply
	// is valid until the next call of Ask or Answer for shard i.
	Answer(i int) (Incoming, error)
	// Yield is called after every client. It lets replies arrive if the platform receives none
	// while Go computes.
	Yield()
	// Await waits until a connection has received something, while there is nothing else to do, and
	// lets replies arrive meanwhile.
	Await(news <-chan struct{})
	// Near reports whether requests and replies arrive at once, even while both ends compute.
	Near() bool
}

// Pool is all workers of a run: the goroutines of this process, and shards. A job is not divided in
// advance: each worker takes a few clients at a time, so that a slow or shared processor delays the
// others little, and replies are unpacked meanwhile.
type Pool struct {
	local      *localClients
	all        []int // indices of all clients
	shards     Shards
	query      string
	conns      []*shardConn // connections to shards
	queue      queue
	nearShards bool // messages to shards arrive at once
	fraction   int  // a shard takes 1/fraction of its remaining clients at a time
	SingleLane bool // only one lane is played
	Slow       bool // a client works longer than a message takes
	prefetched bool // shards have begun the next job

	Counter   func(lane, done int) // receives the progress of a job; may be nil
	Cancelled func() error         // returns an error if the run is cancelled; may be nil
	Yield     func()               // lets other code of this thread run, which may cancel the run, or waits; may be nil
	Aborted   atomic.Bool          // a job was cancelled
	Remote    Remote               // the clients, if they are in other places; else nil

	busy      sync.Mutex    // held during a job, so that lanes take turns
	remaining atomic.Int32  // connections that have not finished
	progress  chan struct{} // capacity 1: a connection has received something
}

// NewPool starts the clients of a run, and uses shards if there are any and clients work longer
// than messages take.
func NewPool(query string, data workload.Workload, set *Settings, lanes int, shards Shards) *Pool {
	w := &Pool{query: query, shards: shards, local: newLocalClients(data, set, lanes),
		Slow: data.Model().Size() >= minShardParams, progress: make(chan struct{}, 1)}
	n, clients := 0, data.Clients()
	if shards != nil && w.Slow {
		n = min(shards.Count(), clients-1)
		w.fraction = thirds
		if shards.Near() {
			w.fraction, w.nearShards = ones, true
		}
	}
	w.queue.deal(clients, n+1)
	for i := range clients {
		w.all = append(w.all, i)
	}
	for i := range n {
		r := &shardConn{pool: w, shard: i, jobs: make(chan *Job)}
		w.conns = append(w.conns, r)
		go r.run()
	}
	return w
}

// minShardParams is the number of parameters below which a client replies faster than a message
// arrives.
const minShardParams = 1000

// Start starts a job of all clients.
func (w *Pool) Start(v *Job) {
	v.nextClient, v.ready = 0, 0
	if w.Remote != nil {
		w.startRemote(v)
		return
	}
	if len(w.conns) == 0 {
		return
	}
	w.busy.Lock()
	w.layOut(v)
	w.remaining.Store(int32(len(w.conns)))
	for _, r := range w.conns {
		r.jobs <- v
	}
}

// Next waits until the next client, in ascending order, has finished its part of a job, while
// others still work. After the last client it returns false.
func (w *Pool) Next(v *Job) (client int, ok bool) {
	if w.Remote != nil {
		return w.nextRemote(v)
	}
	if len(w.conns) == 0 {
		return w.nextLocal(v)
	}
	if w.nearShards && v.nextClient > 0 {
		w.shards.Yield() // so that no shard runs out of work
	}
	for v.nextClient == w.queue.doneBefore() {
		w.reportDone(v, v.nextClient)
		if part := w.queue.take(0, 1); len(part) > 0 {
			w.local.run(v, part)
			w.queue.done(0, part)
			w.shards.Yield()
			w.yield()
			if w.isCancelled() {
				w.queue.discard()
			}
			continue
		}
		if w.remaining.Load() > 0 {
			w.shards.Await(w.progress)
		} else if v.nextClient == w.queue.doneBefore() {
			w.busy.Unlock()
			w.checkpoint()
			return 0, false
		}
	}
	v.nextClient++
	return v.nextClient - 1, true
}

// nextLocal is Next if all clients are in this process.
func (w *Pool) nextLocal(v *Job) (client int, ok bool) {
	if v.nextClient == v.ready {
		if v.ready > 0 {
			w.reportDone(v, v.ready)
			w.checkpoint()
		}
		part := w.all[v.ready:min(v.ready+w.chunk(), len(w.all))]
		if len(part) == 0 {
			return 0, false
		}
		w.local.run(v, part)
		v.ready += len(part)
	}
	v.nextClient++
	return v.nextClient - 1, true
}

// Play runs a job to its end.
func (w *Pool) Play(v *Job) {
	w.Start(v)
	for _, ok := w.Next(v); ok; _, ok = w.Next(v) {
	}
}

// reportDone reports how many clients have finished a job.
func (w *Pool) reportDone(v *Job, done int) {
	if w.Counter != nil {
		w.Counter(v.Lane, done)
	}
}

// signal wakes the pool after a connection has made progress.
func (w *Pool) signal() {
	select {
	case w.progress <- struct{}{}:
	default:
	}
}

// chunk is the number of clients that work between two checkpoints: four per processor if they are slow, so that all
// processors are busy, or one if there is one processor. Then a run can be cancelled or paused soon, and replies are
// still in the processor's cache when the server uses them.
func (w *Pool) chunk() int {
	processors := runtime.GOMAXPROCS(0)
	switch {
	case !w.Slow:
		return len(w.all)
	case processors == 1:
		return 1
	}
	return 4 * processors
}

// CancelledRun is the value of the panic that ends a lane whose run is cancelled, so that servers
// need not handle missing replies.
type CancelledRun struct{}

// checkpoint yields, and panics with CancelledRun if the run is cancelled.
func (w *Pool) checkpoint() {
	w.yield()
	if w.isCancelled() {
		w.Aborted.Store(true)
		panic(CancelledRun{})
	}
}

func (w *Pool) yield() {
	if w.Yield != nil {
		w.Yield()
	}
}

func (w *Pool) isCancelled() bool { return w.Cancelled != nil && w.Cancelled() != nil }

// CanPrefetch reports whether shards can begin with a job in advance.
func (w *Pool) CanPrefetch(v *Job) bool {
	return w.SingleLane && len(w.conns) > 0 && !v.Protocol.Keep && v.Device == nil
}

// Prefetch lets shards begin with the job that the only lane will probably start next, so that they
// work while the server does. Models must not change until then. If the lane starts another job,
// the replies are discarded. Jobs that carry the state of clients are not prefetched, since that is
// slow to compare. With long, the server is busy for a while, and shards take more clients at a
// time.
func (w *Pool) Prefetch(v *Job, long bool) {
	w.queue.reset()
	w.prefetched = true
	fraction := thirds
	if long {
		fraction = halves
	}
	for _, r := range w.conns {
		r.prefetch(v, fraction)
	}
}

// layOut distributes the clients for a job, unless the job was prefetched.
func (w *Pool) layOut(v *Job) {
	if w.prefetched {
		w.prefetched = false
		if !slices.ContainsFunc(w.conns, func(r *shardConn) bool { return !r.guessed(v) }) {
			return
		}
	}
	w.queue.reset()
	for _, r := range w.conns {
		r.discard()
		r.begin(v)
	}
}

// Close stops the clients of this process, and the connections.
func (w *Pool) Close() {
	w.remaining.Store(int32(len(w.conns)))
	for _, r := range w.conns {
		close(r.jobs)
	}
	for w.remaining.Load() > 0 {
		w.shards.Await(w.progress)
	}
	w.local.close()
}
