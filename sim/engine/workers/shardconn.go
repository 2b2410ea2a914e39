package workers

import "bytes"

// shardConn goes between the pool and one shard. It is a goroutine for the life of
// a run, so that a shard finds its next request there when it has answered one.
type shardConn struct {
	pool  *Pool
	shard int
	jobs  chan *Job

	started    bool   // whether the shard knows the run
	knownLanes uint8  // of which lanes it knows what is set once, a bit a lane
	sent       []bool // models that it has been given for this job
	request    encoder
	pending    [][]int // clients that it has not answered for yet, the oldest first
	stale      int     // requests before these whose answers are of no use any more

	guess    []byte  // what clients were told before their time
	tasksNow encoder // what they would be told
}

// worker is its number in the pool.
func (r *shardConn) worker() int { return r.shard + 1 }

// maxRequests is how many requests a shard may have: one to work at, and others to go on
// with while an answer travels, or until somebody looks for it.
const maxRequests = 3

// thirds and half are how much of its row a shard gets at a time: little is soon back,
// much lasts until there is time for it again. Where nothing travels, it gets one
// client at a time, so that nobody is left with much in the end; and whatever it is to
// do before its time it is asked client by client, so that each answer is sent while
// it is near the processor, and its place serves the next.
const thirds, halves, ones = 3, 2, 1 << 30

// run does the shard's part of jobs until there are no more. What was prefetched
// is heard then, so that the shard owes nobody an answer.
func (r *shardConn) run() {
	for v := range r.jobs {
		r.serve(v)
		r.finish()
	}
	r.discard()
	r.drain()
	r.finish()
}

// finish says that the connection has nothing left to do.
func (r *shardConn) finish() {
	r.pool.remaining.Add(-1)
	r.pool.signal()
}

func (r *shardConn) serve(v *Job) {
	r.drain()
	for {
		r.fill(v, r.pool.fraction)
		if len(r.pending) == 0 {
			return
		}
		reply, err := r.pool.shards.Answer(r.shard)
		part := r.pending[0]
		if err != nil || !unpackReplies(reply, v, part) {
			r.fallBack(v, err != nil)
			return
		}
		r.pool.queue.done(r.worker(), part)
		r.pool.signal()
		r.pending = append(r.pending[:0], r.pending[1:]...)
	}
}

// begin makes ready for a job of which nothing has been asked yet.
func (r *shardConn) begin(v *Job) {
	r.sent = r.sent[:0]
	for range v.Exchange.Bank.Models() {
		r.sent = append(r.sent, false)
	}
}

// fill asks the shard for as much as it may have, each time for one in so many of
// what is left of its row.
func (r *shardConn) fill(v *Job, in int) {
	for len(r.pending) < maxRequests && r.take(v, in) {
	}
}

// take asks the shard for one in so many of what is left of its row, and reports
// whether there was something.
func (r *shardConn) take(v *Job, in int) bool {
	part := r.pool.queue.take(r.worker(), in)
	if len(part) == 0 {
		return false
	}
	if !r.pool.nearShards {
		r.send(v, part)
		return true
	}
	for i := range part {
		r.send(v, part[i:i+1])
	}
	return true
}

// prefetch begins a job before its time.
func (r *shardConn) prefetch(v *Job, in int) {
	r.begin(v)
	for range maxRequests {
		r.take(v, in)
	}
	told, _ := r.tasks(v)
	r.guess = append(r.guess[:0], told...)
}

// guessed reports whether the shard has been asked what a job asks.
func (r *shardConn) guessed(v *Job) bool {
	told, short := r.tasks(v)
	return short && bytes.Equal(told, r.guess)
}

// tasks returns what a job tells the clients that the shard has been asked for, all
// but the models, and whether that is short enough to compare.
func (r *shardConn) tasks(v *Job) (told []byte, short bool) {
	r.tasksNow.reset()
	for _, part := range r.pending {
		packTasks(&r.tasksNow, v, part)
	}
	return r.tasksNow.Small, len(r.tasksNow.Long) == 0
}

// discard takes back what has been asked: the answers are of no use.
func (r *shardConn) discard() {
	r.stale += len(r.pending)
	r.pending = r.pending[:0]
}

// drain hears answers that are of no use.
func (r *shardConn) drain() {
	for ; r.stale > 0; r.stale-- {
		if _, err := r.pool.shards.Answer(r.shard); err != nil {
			r.started, r.stale = false, 1
		}
	}
}

// send sends the shard a part of a job, and before that whatever it does not
// know yet.
func (r *shardConn) send(v *Job, part []int) {
	r.pending = append(r.pending, part)
	p := &r.request
	p.reset()
	p.flag(!r.started)
	if !r.started {
		p.text(r.pool.query)
		r.started, r.knownLanes = true, 0
	}
	new := r.knownLanes>>v.Lane&1 == 0
	p.flag(new)
	if new {
		r.knownLanes |= 1 << v.Lane
		p.int(v.Lane)
		p.int(v.Exchange.Bank.Models())
		p.int(len(v.Exchange.Coordinates))
		for _, at := range v.Exchange.Coordinates {
			p.int(int(at))
		}
	}
	packTasks(p, v, part)
	packModels(p, v, part, r.sent)
	r.pool.shards.Ask(r.shard, p.Message)
}

// fallBack does here what a shard has not done that is gone, or talks nonsense. It,
// or whoever takes its place, is told everything anew with the next job.
func (r *shardConn) fallBack(v *Job, gone bool) {
	for range r.pending[1:] {
		if !gone { // what it says now nobody asked for
			_, err := r.pool.shards.Answer(r.shard)
			gone = err != nil
		}
	}
	r.started = false
	for _, part := range r.pending {
		r.pool.local.run(v, part)
		r.pool.queue.done(r.worker(), part)
	}
	r.pending = r.pending[:0]
}
