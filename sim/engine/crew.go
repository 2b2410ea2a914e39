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
	Ask(i int, request Parcel)
	// Answer waits for shard i's reply to the oldest request it has not
	// answered, or returns an error when there will be none: the shard is
	// gone. One that takes its place knows nothing yet, not of earlier requests
	// either. The reply is good until shard i is asked or answers again.
	Answer(i int) (Received, error)
	// Breathe is called after every client. It lets replies in that have arrived,
	// where nothing comes in while something is computed.
	Breathe()
	// Await waits for a piece of news from whoever waits in Answer, where there is
	// nothing else to do, and lets replies in meanwhile.
	Await(news <-chan struct{})
	// Near tells whether requests and replies take no time on their way, whatever
	// both ends are at.
	Near() bool
}

// crew is everybody who does the work of clients: those of this process, and
// shards. Who does whose is found out as a visit goes on: each takes a few
// clients at a time, so a slow processor, or one that others use too, keeps
// nobody waiting for long, and what has come back is unpacked meanwhile.
type crew struct {
	here    *flock
	all     []int // clients
	shards  Shards
	query   string
	runners []*runner // to each shard
	waiting pool
	near    bool // nothing travels to a shard and back
	share   int  // which part of its row a shard gets at a time: one in so many
	alone   bool // one lane plays
	slow    bool // what a client does takes its time
	early   bool // shards have begun with the next visit

	counted   func(lane, done int) // hears how far a visit is; nil where nobody wants to know
	quit      func() error         // says that nobody wants the run any more; nil: somebody always does
	rest      func()               // lets whoever may say so speak; nil where that can be done at any time
	abandoned atomic.Bool          // a visit was broken off

	busy sync.Mutex    // lanes take turns
	left atomic.Int32  // runners that are not done
	news chan struct{} // capacity 1: one of them has got on
}

// newCrew brings the clients of a run up, and shares them out if there are
// shards and the work is worth the way.
func newCrew(query string, data workload.Workload, set *settings, lanes int, shards Shards) *crew {
	w := &crew{query: query, shards: shards, here: newFlock(data, set, lanes), slow: data.Model().Size() >= worthwhile, news: make(chan struct{}, 1)}
	n, clients := 0, data.Clients()
	if shards != nil && w.slow {
		n = min(shards.Count(), clients-1)
		w.share = third
		if shards.Near() {
			w.share, w.near = single, true
		}
	}
	w.waiting.share(clients, n+1)
	for i := range clients {
		w.all = append(w.all, i)
	}
	for i := range n {
		r := &runner{crew: w, shard: i, visits: make(chan *visit)}
		w.runners = append(w.runners, r)
		go r.run()
	}
	return w
}

// worthwhile is the number of parameters below which a client answers faster
// than a message travels.
const worthwhile = 1000

// start begins a visit of all clients.
func (w *crew) start(v *visit) {
	v.at, v.ready = 0, 0
	if len(w.runners) == 0 {
		return
	}
	w.busy.Lock()
	w.open(v)
	w.left.Store(int32(len(w.runners)))
	for _, r := range w.runners {
		r.visits <- v
	}
}

// next waits until the next client, in ascending order, has done its part of a visit, while
// others are still at work. After the last it returns false.
func (w *crew) next(v *visit) (client int, ok bool) {
	if len(w.runners) == 0 {
		return w.nextHere(v)
	}
	if w.near && v.at > 0 {
		w.shards.Breathe() // nobody should run out of work over the last reply
	}
	for v.at == w.waiting.arrived() {
		w.count(v, v.at)
		if part := w.waiting.take(0, 1); len(part) > 0 {
			w.here.attend(v, part)
			w.waiting.give(0, part)
			w.shards.Breathe()
			if w.unwanted() {
				w.waiting.drop()
			}
			continue
		}
		if w.left.Load() > 0 {
			w.shards.Await(w.news)
		} else if v.at == w.waiting.arrived() {
			w.busy.Unlock()
			w.pause()
			return 0, false
		}
	}
	v.at++
	return v.at - 1, true
}

// nextHere is next where all clients are in this process.
func (w *crew) nextHere(v *visit) (client int, ok bool) {
	if v.at == v.ready {
		if v.ready > 0 {
			w.count(v, v.ready)
			w.pause()
		}
		part := w.all[v.ready:min(v.ready+w.turn(), len(w.all))]
		if len(part) == 0 {
			return 0, false
		}
		w.here.attend(v, part)
		v.ready += len(part)
	}
	v.at++
	return v.at - 1, true
}

// play plays a visit whose replies nobody waits for one by one.
func (w *crew) play(v *visit) {
	w.start(v)
	for _, ok := w.next(v); ok; _, ok = w.next(v) {
	}
}

// count tells how many clients have done their part of a visit.
func (w *crew) count(v *visit, done int) {
	if w.counted != nil {
		w.counted(v.lane, done)
	}
}

// tell says that a runner has got on.
func (w *crew) tell() {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// turn is how many clients do their part without a pause: of those who take their time
// four to a processor. Others may have to be let in meanwhile, and what few have
// answered is still near the processor when the server takes it in.
func (w *crew) turn() int {
	if w.slow {
		return 4 * runtime.GOMAXPROCS(0)
	}
	return len(w.all)
}

// abandonment is what a lane panics with whose visit was broken off: no server need
// know what to do without replies.
type abandonment struct{}

// pause lets others in, and breaks the visit off if nobody wants the run any more.
func (w *crew) pause() {
	if w.rest != nil {
		w.rest()
	}
	if w.unwanted() {
		w.abandoned.Store(true)
		panic(abandonment{})
	}
}

func (w *crew) unwanted() bool { return w.quit != nil && w.quit() != nil }

// foresees reports whether shards may begin with a visit before its time.
func (w *crew) foresees(v *visit) bool {
	return w.alone && len(w.runners) > 0 && !v.protocol.Keep && v.device == nil
}

// foresee lets shards begin with a visit that the only lane will make next, most
// likely, so that they have something to do while the server is at work. Models
// stay as they are until then. If another visit is made, their answers are thrown
// away. What clients remember goes with a visit, and would be long to compare. If
// the server has long to do, they get more of it at a time.
func (w *crew) foresee(v *visit, long bool) {
	w.waiting.open()
	w.early = true
	in := third
	if long {
		in = half
	}
	for _, r := range w.runners {
		r.foresee(v, in)
	}
}

// open lays out the clients for a visit, unless that was foreseen.
func (w *crew) open(v *visit) {
	if w.early {
		w.early = false
		if !slices.ContainsFunc(w.runners, func(r *runner) bool { return !r.foresaw(v) }) {
			return
		}
	}
	w.waiting.open()
	for _, r := range w.runners {
		r.forget()
		r.begin(v)
	}
}

// leave ends the clients of this process.
func (w *crew) leave() {
	w.left.Store(int32(len(w.runners)))
	for _, r := range w.runners {
		close(r.visits)
	}
	for w.left.Load() > 0 {
		w.shards.Await(w.news)
	}
	w.here.leave()
}
