package fl

// Idle workers can begin with the next round before the algorithm asks for it. What clients will be asked is a guess. A
// wrong guess costs work that is discarded, and changes no result.

// Prefetcher is an Algorithm whose rounds do not all begin in the same way, and which knows the first requests of the
// next one. For others the guess is that round T+1 begins like round T.
type Prefetcher interface {
	// First makes the first requests of round t: the current round, or the one after it if nothing changes until then.
	// It makes none if they are not known.
	First(r *Round, t int)
}

// ModelsFinal declares that no model changes any more in this round, although the algorithm still has much to compute.
// Without it, models are final when Round returns.
func (r *Round) ModelsFinal() { r.Prefetch(true) }

// Prefetch lets idle workers begin with the next round; long is as for [Clients]. The engine
// calls it when a round is over.
func (r *Round) Prefetch(long bool) {
	if r.recorder != nil {
		return
	}
	if r.Clients.Prefetch(r.guess, long); r.guessed {
		r.guessed = false
		r.clearTasks()
	}
}

// askNext makes the requests that the next round probably begins with, and reports whether there are any.
func (r *Round) askNext() (asked bool) {
	r.guessed = true
	if r.Prefetcher != nil {
		r.Prefetcher.First(r, r.T+1)
	} else {
		r.repeatFirst()
	}
	for i := range r.Exchange.Tasks {
		asked = asked || !r.Exchange.Tasks[i].Empty()
	}
	return asked
}

// request is the first request to a client in a round, as far as it helps to guess the next.
type request uint8

const (
	noRequest request = iota
	losses
	bestUpdate
	ownUpdate    // its update of the model of its label
	otherRequest // anything else; not guessed
)

// keepFirst keeps the first requests of this round.
func (r *Round) keepFirst() {
	for i := range r.Exchange.Tasks {
		r.first[i] = r.kindOf(i, &r.Exchange.Tasks[i])
	}
}

func (r *Round) kindOf(i int, t *Task) request {
	switch {
	case t.Empty():
		return noRequest
	case t.Call > 0 || t.Feature > 0:
		return otherRequest
	case len(t.Updates) == 1 && t.Updates[0] == r.Label[i] && !t.PickBest && !t.Losses:
		return ownUpdate
	case len(t.Updates) > 0:
		return otherRequest
	case t.PickBest && !t.Losses:
		return bestUpdate
	case t.Losses && !t.PickBest:
		return losses
	}
	return otherRequest
}

// repeatFirst makes the first requests of this round again.
func (r *Round) repeatFirst() {
	for i, kind := range r.first {
		switch kind {
		case losses:
			r.AskLosses(i)
		case bestUpdate:
			r.AskBestUpdate(i)
		case ownUpdate:
			r.AskUpdate(i, r.Label[i])
		}
	}
}
