// Package workers does the work of the clients of a run: it draws samples, computes losses and
// updates, trains and evaluates models. Some clients can live in other programs, which are
// called shards.
//
// A job is one exchange of a lane with all clients. The pool hands a job's clients out to the
// goroutines of this process and to shards, a few at a time, and reports who is done in the
// order of the clients:
//
//	Pool.Start → queue → localClients → Workspace.answer
//	                   → shardConn → message → Shard.Handle → localClients → …
//	Pool.Next  ← queue
//
// Files:
//
//	pool.go           Pool: a job from its start to the last reply
//	queue.go          which worker takes which clients next
//	job.go            Job; evaluation.go is how well models do on samples that are held back
//	localclients.go   the clients of this process, as goroutines
//	workspace.go      a client's part of a job: samples, losses, updates
//	train.go          local training; privacy.go clips updates and adds noise
//	evaluate.go       a client's model on samples that the client holds back
//	risk.go           its expected loss, where that is known without trying
//	testclients.go    clients that only try the models
//	context.go        a workspace as a device of an algorithm sees it
//	shardconn.go      the connection to one shard; shard.go is its other end
//	messages.go       what they say to each other; codec.go is how it is written
//	settings.go       the settings of a run that are read here
//	prefetchcache.go  samples that were drawn before they are needed
//	shareddraws.go    random draws that runs have in common
package workers

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"flockscope/sim/workload"
)

// Shards are places elsewhere, other workers for instance, that do the work of
// some of the clients. A shard needs the run's query, the user's file if it
// reads one, and a [Shard] at its end of the line.
//
// What a client answers depends on its samples and its task alone, so it does
// not matter where it lives, and work that was lost with a shard is done again
// to the same bits.
type Shards interface {
	// Count is the number of shards.
	Count() int
	// Ask hands shard i a request. It does not wait, and keeps no bytes.
	Ask(i int, request Message)
	// Answer waits for shard i's reply to the oldest request it has not
	// answered, or returns an error when there will be none: the shard is
	// gone. One that takes its place knows nothing yet, not of earlier requests
	// either. The reply is good until shard i is asked or answers again.
	Answer(i int) (Incoming, error)
	// Yield is called after every client. It lets replies in that have arrived,
	// where nothing comes in while something is computed.
	Yield()
	// Await waits for a piece of news from whoever waits in Answer, where there is
	// nothing else to do, and lets replies in meanwhile.
	Await(news <-chan struct{})
	// Near tells whether requests and replies take no time on their way, whatever
	// both ends are at.
	Near() bool
}

// Pool is all workers of a run: the goroutines of this process, and shards. A job is not divided
// beforehand: each worker takes a few clients at a time, so that a slow processor, or one that is
// shared with other programs, delays the others little, and replies are unpacked meanwhile.
type Pool struct {
	local      *localClients
	all        []int // clients
	shards     Shards
	query      string
	conns      []*shardConn // to each shard
	queue      queue
	nearShards bool // messages to shards take no time
	fraction   int  // a shard gets one in this many of the clients in its row at a time
	SingleLane bool // only one lane plays
	Slow       bool // a client's part takes longer than a message
	prefetched bool // shards have begun with the next job

	Counter   func(lane, done int) // is told how far a job is; may be nil
	Cancelled func() error         // is not nil when the run is no longer wanted; may be nil
	Yield     func()               // lets other code of this thread run, which may cancel; may be nil
	Aborted   atomic.Bool          // a job was cancelled

	busy      sync.Mutex    // held during a job, so that lanes take turns
	remaining atomic.Int32  // connections that are not done
	progress  chan struct{} // capacity 1: a connection has received something
}

// NewPool brings the clients of a run up, and shares them out if there are
// shards and the work is worth the way.
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

// minShardParams is the number of parameters below which a client answers faster
// than a message travels.
const minShardParams = 1000

// Start begins a job of all clients.
func (w *Pool) Start(v *Job) {
	v.at, v.ready = 0, 0
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

// Next waits until the next client, in ascending order, has done its part of a job, while
// others are still at work. After the last it returns false.
func (w *Pool) Next(v *Job) (client int, ok bool) {
	if len(w.conns) == 0 {
		return w.nextLocal(v)
	}
	if w.nearShards && v.at > 0 {
		w.shards.Yield() // nobody should run out of work over the last reply
	}
	for v.at == w.queue.doneBefore() {
		w.reportDone(v, v.at)
		if part := w.queue.take(0, 1); len(part) > 0 {
			w.local.run(v, part)
			w.queue.done(0, part)
			w.shards.Yield()
			if w.isCancelled() {
				w.queue.discard()
			}
			continue
		}
		if w.remaining.Load() > 0 {
			w.shards.Await(w.progress)
		} else if v.at == w.queue.doneBefore() {
			w.busy.Unlock()
			w.checkpoint()
			return 0, false
		}
	}
	v.at++
	return v.at - 1, true
}

// nextLocal is next where all clients are in this process.
func (w *Pool) nextLocal(v *Job) (client int, ok bool) {
	if v.at == v.ready {
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
	v.at++
	return v.at - 1, true
}

// Play plays a job whose replies nobody waits for one by one.
func (w *Pool) Play(v *Job) {
	w.Start(v)
	for _, ok := w.Next(v); ok; _, ok = w.Next(v) {
	}
}

// reportDone tells how many clients have done their part of a job.
func (w *Pool) reportDone(v *Job, done int) {
	if w.Counter != nil {
		w.Counter(v.Lane, done)
	}
}

// signal says that a connection has got on.
func (w *Pool) signal() {
	select {
	case w.progress <- struct{}{}:
	default:
	}
}

// chunk is how many clients do their part without a pause: of those who take their time
// four to a processor. Others may have to be let in meanwhile, and what few have
// answered is still near the processor when the server takes it in.
func (w *Pool) chunk() int {
	if w.Slow {
		return 4 * runtime.GOMAXPROCS(0)
	}
	return len(w.all)
}

// CancelledRun is what a lane panics with whose job was broken off: no server need
// know what to do without replies.
type CancelledRun struct{}

// checkpoint lets others in, and breaks the job off if nobody wants the run any more.
func (w *Pool) checkpoint() {
	if w.Yield != nil {
		w.Yield()
	}
	if w.isCancelled() {
		w.Aborted.Store(true)
		panic(CancelledRun{})
	}
}

func (w *Pool) isCancelled() bool { return w.Cancelled != nil && w.Cancelled() != nil }

// CanPrefetch reports whether shards may begin with a job before its time.
func (w *Pool) CanPrefetch(v *Job) bool {
	return w.SingleLane && len(w.conns) > 0 && !v.Protocol.Keep && v.Device == nil
}

// Prefetch lets shards begin with a job that the only lane will make next, most
// likely, so that they have something to do while the server is at work. Models
// stay as they are until then. If another job is made, their answers are thrown
// away. What clients remember goes with a job, and would be long to compare. If
// the server has long to do, they get more of it at a time.
func (w *Pool) Prefetch(v *Job, long bool) {
	w.queue.reset()
	w.prefetched = true
	in := thirds
	if long {
		in = halves
	}
	for _, r := range w.conns {
		r.prefetch(v, in)
	}
}

// layOut lays out the clients for a job, unless that was prefetched.
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

// Close ends the clients of this process.
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
