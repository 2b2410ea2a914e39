package engine

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

// workerPool is everybody who does the work of clients: those of this process, and
// shards. Who does whose is found out as a visit goes on: each takes a few
// clients at a time, so a slow processor, or one that others use too, keeps
// nobody waiting for long, and what has come back is unpacked meanwhile.
type workerPool struct {
	local    *localClients
	all     []int // clients
	shards  Shards
	query   string
	conns []*shardConn // to each shard
	queue queue
	near    bool // nothing travels to a shard and back
	fraction   int  // which part of its row a shard gets at a time: one in so many
	singleLane   bool // one lane plays
	slow    bool // what a client does takes its time
	prefetched   bool // shards have begun with the next visit

	counter   func(lane, done int) // hears how far a visit is; nil where nobody wants to know
	cancelled      func() error         // says that nobody wants the run any more; nil: somebody always does
	yield      func()               // lets whoever may say so speak; nil where that can be done at any time
	aborted atomic.Bool          // a visit was broken off

	busy sync.Mutex    // lanes take turns
	remaining atomic.Int32  // runners that are not done
	progress chan struct{} // capacity 1: one of them has got on
}

// newWorkerPool brings the clients of a run up, and shares them out if there are
// shards and the work is worth the way.
func newWorkerPool(query string, data workload.Workload, set *settings, lanes int, shards Shards) *workerPool {
	w := &workerPool{query: query, shards: shards, local: newLocalClients(data, set, lanes), slow: data.Model().Size() >= worthwhile, progress: make(chan struct{}, 1)}
	n, clients := 0, data.Clients()
	if shards != nil && w.slow {
		n = min(shards.Count(), clients-1)
		w.fraction = third
		if shards.Near() {
			w.fraction, w.near = single, true
		}
	}
	w.queue.deal(clients, n+1)
	for i := range clients {
		w.all = append(w.all, i)
	}
	for i := range n {
		r := &shardConn{pool: w, shard: i, jobs: make(chan *job)}
		w.conns = append(w.conns, r)
		go r.run()
	}
	return w
}

// worthwhile is the number of parameters below which a client answers faster
// than a message travels.
const worthwhile = 1000

// start begins a visit of all clients.
func (w *workerPool) start(v *job) {
	v.at, v.ready = 0, 0
	if len(w.conns) == 0 {
		return
	}
	w.busy.Lock()
	w.open(v)
	w.remaining.Store(int32(len(w.conns)))
	for _, r := range w.conns {
		r.jobs <- v
	}
}

// next waits until the next client, in ascending order, has done its part of a visit, while
// others are still at work. After the last it returns false.
func (w *workerPool) next(v *job) (client int, ok bool) {
	if len(w.conns) == 0 {
		return w.nextHere(v)
	}
	if w.near && v.at > 0 {
		w.shards.Yield() // nobody should run out of work over the last reply
	}
	for v.at == w.queue.arrived() {
		w.count(v, v.at)
		if part := w.queue.take(0, 1); len(part) > 0 {
			w.local.run(v, part)
			w.queue.done(0, part)
			w.shards.Yield()
			if w.isCancelled() {
				w.queue.drop()
			}
			continue
		}
		if w.remaining.Load() > 0 {
			w.shards.Await(w.progress)
		} else if v.at == w.queue.arrived() {
			w.busy.Unlock()
			w.checkpoint()
			return 0, false
		}
	}
	v.at++
	return v.at - 1, true
}

// nextHere is next where all clients are in this process.
func (w *workerPool) nextHere(v *job) (client int, ok bool) {
	if v.at == v.ready {
		if v.ready > 0 {
			w.count(v, v.ready)
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

// play plays a visit whose replies nobody waits for one by one.
func (w *workerPool) play(v *job) {
	w.start(v)
	for _, ok := w.next(v); ok; _, ok = w.next(v) {
	}
}

// count tells how many clients have done their part of a visit.
func (w *workerPool) count(v *job, done int) {
	if w.counter != nil {
		w.counter(v.lane, done)
	}
}

// notify says that a runner has got on.
func (w *workerPool) notify() {
	select {
	case w.progress <- struct{}{}:
	default:
	}
}

// chunk is how many clients do their part without a pause: of those who take their time
// four to a processor. Others may have to be let in meanwhile, and what few have
// answered is still near the processor when the server takes it in.
func (w *workerPool) chunk() int {
	if w.slow {
		return 4 * runtime.GOMAXPROCS(0)
	}
	return len(w.all)
}

// cancelledRun is what a lane panics with whose visit was broken off: no server need
// know what to do without replies.
type cancelledRun struct{}

// checkpoint lets others in, and breaks the visit off if nobody wants the run any more.
func (w *workerPool) checkpoint() {
	if w.yield != nil {
		w.yield()
	}
	if w.isCancelled() {
		w.aborted.Store(true)
		panic(cancelledRun{})
	}
}

func (w *workerPool) isCancelled() bool { return w.cancelled != nil && w.cancelled() != nil }

// canPrefetch reports whether shards may begin with a visit before its time.
func (w *workerPool) canPrefetch(v *job) bool {
	return w.singleLane && len(w.conns) > 0 && !v.protocol.Keep && v.device == nil
}

// prefetch lets shards begin with a visit that the only lane will make next, most
// likely, so that they have something to do while the server is at work. Models
// stay as they are until then. If another visit is made, their answers are thrown
// away. What clients remember goes with a visit, and would be long to compare. If
// the server has long to do, they get more of it at a time.
func (w *workerPool) prefetch(v *job, long bool) {
	w.queue.reset()
	w.prefetched = true
	in := third
	if long {
		in = half
	}
	for _, r := range w.conns {
		r.prefetch(v, in)
	}
}

// open lays out the clients for a visit, unless that was foreseen.
func (w *workerPool) open(v *job) {
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

// close ends the clients of this process.
func (w *workerPool) close() {
	w.remaining.Store(int32(len(w.conns)))
	for _, r := range w.conns {
		close(r.jobs)
	}
	for w.remaining.Load() > 0 {
		w.shards.Await(w.progress)
	}
	w.local.close()
}
