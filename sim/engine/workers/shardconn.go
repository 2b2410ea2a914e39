package workers

import "bytes"

// shardConn is the pool's connection to one shard. It has a goroutine for the whole run, so that the next request is
// already waiting when the shard has replied.
type shardConn struct {
	pool  *Pool
	shard int
	jobs  chan *Job

	started    bool   // the run's query was sent to the shard
	knownLanes uint8  // lanes opened at the shard, one bit each
	sent       []bool // models sent to the shard for this job
	request    encoder
	pending    [][]int // clients of each open request, the oldest first
	stale      int     // number of earlier open requests whose replies are discarded

	guess    []byte  // prefetched tasks
	tasksNow encoder // tasks to compare with the guess
}

// worker returns the shard's index in the queue.
func (r *shardConn) worker() int { return r.shard + 1 }

// maxRequests is the number of open requests of a shard: one that it works at, and others to
// continue with while a reply is on its way or waits to be read.
const maxRequests = 3

// A shard takes a third of its row at a time, so that replies arrive soon, or half of it while the
// server is busy. Near shards take one client at a time, which balances the load best. Prefetched
// work is requested client by client for near shards, so that each reply is sent while it is in the
// processor's cache and its buffer is reused.
const thirds, halves, ones = 3, 2, 1 << 30

// run does the shard's part of each job, until there are no more jobs. Then it reads the replies of prefetched work, so
// that no request stays open.
func (r *shardConn) run() {
	for v := range r.jobs {
		r.serve(v)
		r.finish()
	}
	r.discard()
	r.drain()
	r.finish()
}

// finish notes that the connection has finished a job.
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
		if r.pool.isCancelled() {
			r.pool.queue.discard()
		} else {
			r.pool.yield() // a paused run gives the shard nothing more
		}
	}
}

// begin resets the models sent, for a new job.
func (r *shardConn) begin(v *Job) {
	r.sent = r.sent[:0]
	for range v.Exchange.Bank.Models() {
		r.sent = append(r.sent, false)
	}
}

// fill sends the shard requests until it has maxRequests, each for 1/fraction of the rest of its
// row.
func (r *shardConn) fill(v *Job, fraction int) {
	for len(r.pending) < maxRequests && r.take(v, fraction) {
	}
}

// take requests 1/fraction of the rest of the shard's row, and reports whether any clients were left.
func (r *shardConn) take(v *Job, fraction int) bool {
	part := r.pool.queue.take(r.worker(), fraction)
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

// prefetch begins a job in advance.
func (r *shardConn) prefetch(v *Job, fraction int) {
	r.begin(v)
	for range maxRequests {
		r.take(v, fraction)
	}
	tasks, _ := r.tasks(v)
	r.guess = append(r.guess[:0], tasks...)
}

// guessed reports whether the prefetched requests are those of a job.
func (r *shardConn) guessed(v *Job) bool {
	tasks, short := r.tasks(v)
	return short && bytes.Equal(tasks, r.guess)
}

// tasks returns the tasks of a job for the clients of open requests, without the models, and
// whether they are short enough to compare.
func (r *shardConn) tasks(v *Job) (tasks []byte, short bool) {
	r.tasksNow.reset()
	for _, part := range r.pending {
		packTasks(&r.tasksNow, v, part)
	}
	return r.tasksNow.Small, len(r.tasksNow.Long) == 0
}

// discard marks the replies to open requests to be thrown away.
func (r *shardConn) discard() {
	r.stale += len(r.pending)
	r.pending = r.pending[:0]
}

// drain reads the replies that are thrown away.
func (r *shardConn) drain() {
	for ; r.stale > 0; r.stale-- {
		if _, err := r.pool.shards.Answer(r.shard); err != nil {
			r.started, r.stale = false, 1
		}
	}
}

// send sends the shard a part of a job, after the query of the run and the data of the lane if it
// has not received them yet.
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

// fallBack does the work of open requests in this process, after the shard has stopped or sent an
// invalid reply. The shard, or the one that replaces it, receives everything again with the next
// job.
func (r *shardConn) fallBack(v *Job, gone bool) {
	for range r.pending[1:] {
		if !gone { // discard the shard's other replies
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
