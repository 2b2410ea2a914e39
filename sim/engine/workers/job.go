package workers

import (
	"sync"
	"sync/atomic"

	"flockscope/sim/fl"
)

// Job is one lane calling on the clients: they read their task, write their
// reply, and the last one to finish lets the lane go on. Which one that is, and
// in which order they work, changes nothing: each writes to its own place.
type Job struct {
	Lane     int
	Exchange *fl.Exchange
	Protocol fl.Protocol
	Device   fl.Device // nil for none
	Round    int
	Sequence int // exchange of the round, from 0
	Probe    int // samples to score models on

	// observed is where the instrument keeps losses for the page, a row of
	// columns a client; nil after the first exchange of a round. The server
	// does not see it and nobody is charged for it. Where look is set all
	// clients fill it, otherwise those whose losses were asked for anyway.
	Observed   []float32
	ObserveAll bool
	Columns    int
	Personal   bool // model i is client i's own: score that one alone
	Local      bool // and never sent

	Evaluation *Evaluation // not nil: clients are examined and asked nothing else
	Broadcast  []float32   // what the server would tell clients now, while they are evaluated (see [fl.Broadcaster])

	at    int // the next client to report
	ready int // clients before this one have done their part, where no shards are

	running sync.Mutex // held while some clients are called
	pending atomic.Int32
	Done    chan struct{} // capacity 1
}
