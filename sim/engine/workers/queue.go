package workers

import (
	"slices"
	"sync"
)

// queue is the clients whose part of a job nobody does yet. Everybody has a row
// of them, in ascending order, and takes from its front; whose row is at its end
// helps the one that has most left. So replies come in about the order of the clients,
// in which they are wanted.
//
// A row is what its owner did in the last job: whoever is faster begins with
// more, and most clients stay where their samples are drawn already. At first the
// clients are dealt out like cards, so that the replies of all arrive in about
// the order of the clients. Of a job that came to nothing, what nobody took is
// its owner's again.
type queue struct {
	mu       sync.Mutex
	rows     [][]int // what nobody has taken, by party
	taken    [][]int // in this job, by party
	space    [][]int // where rows lie
	busy     []int   // clients that a party has taken and not done yet
	finished []bool  // clients that have done their part
	front    int     // clients before this one have
}

// deal deals n clients out.
func (p *queue) deal(n, parties int) {
	p.rows, p.taken, p.space = make([][]int, parties), make([][]int, parties), make([][]int, parties)
	p.busy = make([]int, parties)
	for i := range parties {
		p.taken[i], p.space[i] = make([]int, 0, n), make([]int, n)
	}
	for i := range n {
		p.taken[i%parties] = append(p.taken[i%parties], i)
	}
	p.finished = make([]bool, n)
}

// reset lays everybody's row out anew.
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

// maxTake is the most clients that a party takes at a time.
const maxTake = 100

// take returns clients for a party to work at, none if all are taken; they stay
// valid until the pool is opened again. Number 0, which is asked by nobody and
// need not wait for messages, takes one; others take one in so many of what is left,
// so that there are few messages, and yet nobody is left with much in the end: never
// more than makes their part of all that is not done, and none if they have that
// already, as somebody else will be free sooner.
func (p *queue) take(party, in int) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	room := p.fairShare() - p.busy[party]
	if p.busy[party] > 0 && room <= 0 {
		return nil
	}
	owner := party
	for i, row := range p.rows {
		if len(p.rows[party]) == 0 && len(row) > len(p.rows[owner]) {
			owner = i
		}
	}
	row := p.rows[owner]
	n := 1
	if party > 0 {
		n = min((len(row)+in-1)/in, max(room, 1), maxTake)
	}
	n = min(n, len(row))
	part := row[:n]
	p.rows[owner] = row[n:]
	p.taken[party] = append(p.taken[party], part...)
	p.busy[party] += len(part)
	return part
}

// fairShare is a party's part of the clients that are not done, if all are as fast.
func (p *queue) fairShare() int {
	n := len(p.rows) - 1
	for i, row := range p.rows {
		n += len(row) + p.busy[i]
	}
	return n / len(p.rows)
}

// discard leaves what nobody has taken to nobody.
func (p *queue) discard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.rows {
		p.rows[i] = nil
	}
}

// done notes that clients that a party took have done their part.
func (p *queue) done(party int, part []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[party] -= len(part)
	for _, i := range part {
		p.finished[i] = true
	}
}

// doneBefore returns up to which client, not included, all have done their part.
func (p *queue) doneBefore() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.front < len(p.finished) && p.finished[p.front] {
		p.front++
	}
	return p.front
}
