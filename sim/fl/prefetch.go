package fl

// Idle workers can begin with the next round before the server asks for it. What they will be
// asked is a guess. A wrong one costs work that is thrown away, and changes no result.

// Prefetcher is a Server whose rounds do not all begin alike, and which can tell what it asks
// first in the next one. For others the guess is that round T+1 begins like round T.
type Prefetcher interface {
	// First asks what is asked first in round t: the present one, or the one after it as
	// things stand. It asks nothing if that cannot be told.
	First(r *Round, t int)
}

// ModelsFinal says that no model changes any more in this round, although the server still has
// much to do. Without it, that is known when Round returns.
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

// ask asks what the next round probably begins with.
func (r *Round) ask() (asked bool) {
	r.guessed = true
	if r.Prefetcher != nil {
		r.Prefetcher.First(r, r.T+1)
	} else {
		r.repeat()
	}
	for i := range r.Exchange.Tasks {
		asked = asked || !r.Exchange.Tasks[i].Empty()
	}
	return asked
}

// request is what a client was asked first, as far as it can be guessed from.
type request uint8

const (
	nothing request = iota
	losses
	bestUpdate
	ownUpdate // of the model that its label names
	special   // anything else, which is not asked again by a guess
)

// remember keeps what this round asks first.
func (r *Round) remember() {
	for i := range r.Exchange.Tasks {
		r.first[i] = r.kind(i, &r.Exchange.Tasks[i])
	}
}

func (r *Round) kind(i int, t *Task) request {
	switch {
	case t.Empty():
		return nothing
	case t.Call > 0 || t.Feature > 0:
		return special
	case len(t.Updates) == 1 && t.Updates[0] == r.Label[i] && !t.Best && !t.Losses:
		return ownUpdate
	case len(t.Updates) > 0:
		return special
	case t.Best && !t.Losses:
		return bestUpdate
	case t.Losses && !t.Best:
		return losses
	}
	return special
}

// repeat asks once more what this round asked first.
func (r *Round) repeat() {
	for i, kind := range r.first {
		switch kind {
		case losses:
			r.AskLosses(i)
		case bestUpdate:
			r.AskBest(i)
		case ownUpdate:
			r.AskUpdate(i, r.Label[i])
		}
	}
}
