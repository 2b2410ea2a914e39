package workers

import (
	"sync"
	"sync/atomic"

	"flockscope/sim/fl"
)

// Job is one exchange of a lane with the clients: each client reads its task and writes its reply, and the last one to
// finish signals the lane. The order in which they work changes nothing: each writes to its own place.
type Job struct {
	Lane     int
	Exchange *fl.Exchange
	Protocol fl.Protocol
	Device   fl.Device // nil for none
	Round    int
	Sequence int // index of the exchange in the round, from 0
	Probe    int // number of samples on which models are scored

	// Observed receives losses for the page, a row of Columns per client; nil after the first
	// exchange of a round. The server does not see them, and they count as no traffic. With
	// ObserveAll all clients set their row, otherwise only those that were asked for losses.
	Observed   []float32
	ObserveAll bool
	Columns    int
	// As in [fl.Plan]. Of models that belong to clients, only a client's own is scored.
	Personal, Local, SharesTrunk bool

	Evaluation *Evaluation // if not nil, clients are evaluated, and there are no tasks
	Broadcast  []float32   // floats that the server would send now, for an evaluation (see [fl.Broadcaster])

	// With remote clients: Dropped reports which have dropped out of the round before the job, and Lost has those whose
	// replies to it did not arrive, by client.
	Dropped func(i int) bool
	Lost    []bool

	nextClient int // next client to report
	ready      int // without shards: all clients before this one have finished

	running sync.Mutex // held while clients of this process work
	pending atomic.Int32
	Done    chan struct{} // capacity 1
}
