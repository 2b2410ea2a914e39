package engine

import (
	"sync"

	"flockscope/sim/experiment"
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
	// gone. One that takes its place knows nothing yet. The reply is good
	// until shard i is asked again.
	Answer(i int) (Received, error)
}

// crew is everybody who does the work of clients: those of this process, and
// shards. With C clients and n shards each has every C/(n+1) of them in a row.
type crew struct {
	here   *flock
	shards Shards
	query  string
	cuts   []int   // shard i has the clients from cuts[i] to cuts[i+1]
	ready  []bool  // whether shard i knows the run
	knows  []uint8 // of which lanes it knows what is set once, a bit a lane

	// A shard that is lost leaves its clients here.
	data  workload.Workload
	set   *settings
	lanes int
	stand []*flock // in for the clients of shard i

	busy    sync.Mutex // lanes take turns
	request writer
}

// newCrew shares the clients of a run out, if there are shards and the work is
// worth the way.
func newCrew(c experiment.Config, data workload.Workload, set *settings, lanes int, shards Shards) *crew {
	w := &crew{query: c.String(), data: data, set: set, lanes: lanes}
	n, clients := 0, data.Clients()
	if shards != nil && data.Model().Size() >= worthwhile {
		n = min(shards.Count(), clients-1)
	}
	w.shards, w.ready, w.knows, w.stand = shards, make([]bool, n), make([]uint8, n), make([]*flock, n)
	for i := range n + 1 {
		w.cuts = append(w.cuts, (i+1)*clients/(n+1))
	}
	w.here = newFlock(data, set, lanes, 0, w.cuts[0])
	return w
}

// worthwhile is the number of parameters below which a client answers faster
// than a message travels.
const worthwhile = 1000

// attend has all clients do their part of a visit, and waits for it.
func (w *crew) attend(v *visit) {
	if len(w.stand) == 0 {
		w.here.attend(v)
		return
	}
	w.busy.Lock()
	defer w.busy.Unlock()
	for i := range w.stand {
		w.ask(i, v)
	}
	w.here.attend(v)
	for i := range w.stand {
		if reply, err := w.shards.Answer(i); err != nil || !unpackReplies(reply, v, w.cuts[i], w.cuts[i+1]) {
			w.lose(i, v)
		}
	}
}

// ask sends shard i its part of a visit, and before that whatever it does not
// know yet.
func (w *crew) ask(i int, v *visit) {
	p := &w.request
	p.reset()
	p.flag(!w.ready[i])
	if !w.ready[i] {
		p.text(w.query)
		p.int(w.cuts[i])
		p.int(w.cuts[i+1])
		w.ready[i], w.knows[i] = true, 0
	}
	new := w.knows[i]>>v.lane&1 == 0
	p.flag(new)
	if new {
		w.knows[i] |= 1 << v.lane
		p.int(v.lane)
		p.int(v.exchange.Bank.Models())
		p.int(len(v.exchange.Coordinates))
		for _, at := range v.exchange.Coordinates {
			p.int(int(at))
		}
	}
	packVisit(p, v, w.cuts[i], w.cuts[i+1])
	w.shards.Ask(i, p.Parcel)
}

// lose does the part of a shard that is gone, or talks nonsense, here. Whoever
// takes its place is told everything anew with the next visit.
func (w *crew) lose(i int, v *visit) {
	w.ready[i] = false
	if w.stand[i] == nil {
		w.stand[i] = newFlock(w.data, w.set, w.lanes, w.cuts[i], w.cuts[i+1])
	}
	w.stand[i].attend(v)
}

// leave ends the clients of this process.
func (w *crew) leave() {
	w.here.leave()
	for _, f := range w.stand {
		if f != nil {
			f.leave()
		}
	}
}
