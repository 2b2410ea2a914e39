package engine

import "sync"

// span is the clients from (included) to to (not included).
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// pool is the clients whose part of a visit nobody does yet. Everybody has a row
// of them and takes from its front; whose row is at its end helps the one that
// has most left, from the end of that one's row. So most clients stay where
// their samples are drawn already.
//
// Rows are as long as what everybody came to in the last visit: whoever is
// faster begins with more.
type pool struct {
	mu    sync.Mutex
	rows  []span
	taken []int // by everybody, in this visit
}

// share lays equal rows out.
func (p *pool) share(n, parties int) {
	p.taken = make([]int, parties)
	p.rows = make([]span, parties)
	for i := range parties {
		p.taken[i] = (i+1)*n/parties - i*n/parties
	}
}

// open lays everybody's row out anew.
func (p *pool) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := 0
	for i, n := range p.taken {
		p.rows[i] = span{at, at + n}
		p.taken[i] = 0
		at += n
	}
}

// take returns clients for a party to work at, none if all are taken. Number 0,
// which is asked by nobody and need not wait for messages, takes one; others take
// a part of what is left, so that there are few messages and yet nobody is left
// with much in the end. Whoever is at work still gets none when few are left:
// somebody else may be free sooner.
func (p *pool) take(party int, atWork bool) span {
	p.mu.Lock()
	defer p.mu.Unlock()
	if atWork && p.left() <= 2*len(p.rows) {
		return span{}
	}
	owner := party
	for i, row := range p.rows {
		if p.rows[party].len() == 0 && row.len() > p.rows[owner].len() {
			owner = i
		}
	}
	row := &p.rows[owner]
	n := 1
	if party > 0 {
		n = (row.len() + 2) / 3
	}
	n = min(n, row.len())
	p.taken[party] += n
	if owner == party {
		row.from += n
		return span{row.from - n, row.from}
	}
	row.to -= n
	return span{row.to, row.to + n}
}

// left is the number of clients that nobody has taken.
func (p *pool) left() int {
	n := 0
	for _, row := range p.rows {
		n += row.len()
	}
	return n
}
