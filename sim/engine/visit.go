package engine

import (
	"sync"
	"sync/atomic"

	"flockscope/sim/fl"
)

// job is one lane calling on the clients: they read their task, write their
// reply, and the last one to finish lets the lane go on. Which one that is, and
// in which order they work, changes nothing: each writes to its own place.
type job struct {
	lane     int
	exchange *fl.Exchange
	protocol fl.Protocol
	device   fl.Device // nil for none
	round    int
	sequence     int // exchange of the round, from 0
	probe    int // samples to score models on

	// observed is where the instrument keeps losses for the page, a row of
	// columns a client; nil after the first exchange of a round. The server
	// does not see it and nobody is charged for it. Where look is set all
	// clients fill it, otherwise those whose losses were asked for anyway.
	observed []float32
	observeAll     bool
	columns  int
	personal bool // model i is client i's own: score that one alone
	local     bool // and never sent

	evaluation *evaluation // not nil: clients are examined and asked nothing else

	at    int // the next client to report
	ready int // clients before this one have done their part, where no shards are

	running   sync.Mutex // held while some clients are called
	pending atomic.Int32
	done    chan struct{} // capacity 1
}
