package workers

import (
	"slices"
	"sync"
)

// queue has the clients that no worker has taken yet. Each worker has a row of clients, in
// ascending order, and takes from its front; a worker with an empty row takes from the longest one
// (work stealing). So replies arrive in about the order of the clients, in which the pool returns
// them.
//
// A row has the clients that its worker took in the last job: faster workers begin with more, and
// most clients stay with the worker that has drawn their samples already. At first clients are
// distributed in turn. After a cancelled job, clients that nobody took stay in their rows.
type queue struct {
	mu       sync.Mutex
	rows     [][]int // clients not taken yet, by worker
	taken    [][]int // clients taken in this job, by worker
	space    [][]int // memory for the rows
	busy     []int   // clients that a worker has taken but not finished
	finished []bool  // whether each client has finished
	front    int     // all clients before this one have finished
}

// deal distributes n clients over the workers.
func (p *queue) deal(n, workers int) {
	p.rows, p.taken, p.space = make([][]int, workers), make([][]int, workers), make([][]int, workers)
	p.busy = make([]int, workers)
	for i := range workers {
		p.taken[i], p.space[i] = make([]int, 0, n), make([]int, n)
	}
	for i := range n {
		p.taken[i%workers] = append(p.taken[i%workers], i)
	}
	p.finished = make([]bool, n)
}

// reset fills the rows for the next job.
func (p *queue) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, taken := range p.taken {
		taken = append(taken, p.rows[i]...)
		p.rows[i] = p.space[i][:copy(p.space[i], taken)]
		slices.Sort(p.rows[i])
		p.taken[i] = taken[:0]
	}
	clear(p.busy)
	clear(p.finished)
	p.front = 0
}

// maxTake is the most clients that a worker takes at a time.
const maxTake = 100

// take returns clients for a worker, none if all are taken; they are valid until the next reset.
// Worker 0, this process, takes one at a time, since it waits for no messages. Shards take
// 1/fraction of the rest of the row, so that there are few messages and the last ones are short:
// never more than a fair share of all unfinished clients, and none if they have that already, as
// another worker will be free sooner.
func (p *queue) take(worker, fraction int) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	room := p.fairShare() - p.busy[worker]
	if p.busy[worker] > 0 && room <= 0 {
		return nil
	}
	owner := worker
	for i, row := range p.rows {
		if len(p.rows[worker]) == 0 && len(row) > len(p.rows[owner]) {
			owner = i
		}
	}
	row := p.rows[owner]
	n := 1
	if worker > 0 {
		n = min((len(row)+fraction-1)/fraction, max(room, 1), maxTake)
	}
	n = min(n, len(row))
	part := row[:n]
	p.rows[owner] = row[n:]
	p.taken[worker] = append(p.taken[worker], part...)
	p.busy[worker] += len(part)
	return part
}

// fairShare is the number of unfinished clients per worker.
func (p *queue) fairShare() int {
	n := len(p.rows) - 1
	for i, row := range p.rows {
		n += len(row) + p.busy[i]
	}
	return n / len(p.rows) // rounded up
}

// discard removes the clients that nobody has taken.
func (p *queue) discard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.rows {
		p.rows[i] = nil
	}
}

// done records that a worker has finished some clients.
func (p *queue) done(worker int, part []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[worker] -= len(part)
	for _, i := range part {
		p.finished[i] = true
	}
}

// doneBefore returns the first client that has not finished: all clients before it have.
func (p *queue) doneBefore() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.front < len(p.finished) && p.finished[p.front] {
		p.front++
	}
	return p.front
}
