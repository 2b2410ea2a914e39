package fl

import "iter"

// Round is one round of one lane, as its algorithm sees it.
type Round struct {
	// T is the index of the round, from 0, as in the papers.
	T int
	// Bank holds the server's models.
	Bank *Bank
	// Label is the model of each client: on entry that of the last round.
	Label []int
	// Participants are the clients that take part in this round, ascending. An algorithm asks no others.
	Participants []int
	// Replied are the clients whose replies to the last exchange arrived, ascending: all that were asked something, except
	// those that dropped out of the round.
	Replied []int

	// Reclustered: the algorithm compared the clients anew and decided which model each of them gets. Stopped: it decided
	// not to do so again.
	Reclustered, Stopped bool

	// Spectrum are the singular values, descending, that the algorithm computed in this round, nil for none, and Directions
	// is the number of their directions that it used. The values belong to the algorithm. They are for the page: no result
	// depends on them.
	Spectrum   []float64
	Directions int

	// Step: a model moves by step × mean update.
	Step float64

	// Local: models and updates are not sent (see [Plan]), nor are the first Size floats of an answer, which are a model.
	Local bool

	Exchange *Exchange
	Traffic  *Traffic
	// Computed is the multiply-adds of all clients so far: forward and backward passes of models over samples (see
	// [model.Model]). A client that drops out has computed. The rules are the same for every method:
	//
	//   - Losses cost a forward pass for each model and sample, also where one of them comes with a gradient here.
	//   - Evaluations, and losses for the page alone, do not count.
	//   - What a client does besides with its numbers does not count: steps of the optimiser, decompositions and densities
	//     of its samples. Nor does the server's work.
	Computed int64
	Clock    *Clock // nil if time is not simulated
	Clients  Clients
	// Meter and Prefetcher are the algorithm, if it implements them; nil otherwise.
	Meter      Meter
	Prefetcher Prefetcher

	dropped  []bool    // clients that drop out of this round
	replied  []bool    // clients in Replied
	onDevice [][]int   // models that each client has received in this round
	recorder *Recorder // nil except while a round is explained

	balance rebalancing
	average *Average

	sums        [][]float64 // weighted sum of the updates for each model; only one until accumulated
	weight      []float64   // total weight of each sum
	accumulated bool        // the sums were computed while the replies arrived

	exchanges int       // number of exchanges in this round so far
	first     []request // first request to each client in this round
	guess     func() bool
	guessed   bool // the tasks are a guess
}

// Clients is how a round reaches its clients. Package engine implements it with goroutines
// and shards.
type Clients interface {
	// Send hands out the tasks of the exchange.
	Send()
	// Next waits until the next client, in ascending order, has done its task. After the
	// last it returns false.
	Next() (client int, ok bool)
	// Prefetch lets idle workers begin with the requests that guess makes; guess reports whether it made any. long: the
	// algorithm will now compute for about as long as a client works on a task.
	Prefetch(guess func() bool, long bool)
}

// NewRound returns a round over the exchange, to be reused for every T. Models are moved by step × mean update.
func NewRound(x *Exchange, traffic *Traffic, label []int, step float64, clients Clients) *Round {
	n := len(label)
	r := &Round{Bank: x.Bank, Label: label, Exchange: x, Traffic: traffic, Clients: clients, Step: step,
		Participants: make([]int, n), Replied: make([]int, 0, n), dropped: make([]bool, n), replied: make([]bool, n),
		onDevice: make([][]int, n), sums: [][]float64{make([]float64, x.Bank.Size)},
		weight: make([]float64, x.Bank.Models()), first: make([]request, n), average: NewAverage(Rule{}, n)}
	r.guess = r.askNext
	for i := range r.onDevice {
		r.onDevice[i] = make([]int, 0, 2)
	}
	return r
}

// Begin makes r the round with index t. All clients take part, unless SetParticipants says otherwise.
func (r *Round) Begin(t int) {
	r.T, r.Reclustered, r.Stopped = t, false, false
	r.Spectrum, r.Directions, r.exchanges = nil, 0, 0
	r.Participants, r.Replied, r.accumulated = r.Participants[:0], r.Replied[:0], false
	for i := range r.Label {
		r.Participants = append(r.Participants, i)
		r.dropped[i], r.replied[i] = false, false
	}
	for i := range r.onDevice {
		r.onDevice[i] = r.onDevice[i][:0]
	}
	r.clearTasks()
}

// SetParticipants sets which clients take part in the round, in ascending order, and which of them drop out: these receive
// what is sent but never reply.
func (r *Round) SetParticipants(participants []int, dropped []bool) {
	r.Participants = append(r.Participants[:0], participants...)
	copy(r.dropped, dropped)
}

// Dropped reports whether client i drops out of this round.
func (r *Round) Dropped(i int) bool { return r.dropped[i] }

// Drop makes client i drop out of the rest of the round.
func (r *Round) Drop(i int) { r.dropped[i] = true }

func (r *Round) clearTasks() {
	for i := range r.Exchange.Tasks {
		r.Exchange.Tasks[i].clear()
	}
}

// AskLosses asks client i for the losses of all models on its probe sample.
func (r *Round) AskLosses(i int) { r.Exchange.Tasks[i].Losses = true }

// AskBestUpdate asks client i to pick its best model (see [Task]) and return its update of that.
func (r *Round) AskBestUpdate(i int) { r.Exchange.Tasks[i].PickBest = true }

// AskUpdate asks client i for its update of model k.
func (r *Round) AskUpdate(i, k int) {
	t := &r.Exchange.Tasks[i]
	t.Updates = append(t.Updates, k)
}

// AskFeature asks client i for its update of model k at the coordinates of features.
func (r *Round) AskFeature(i, k int) { r.Exchange.Tasks[i].Feature = k + 1 }

// AskCall asks the device of client i to perform operation op, which is not 0, with these floats and models (see
// [Device]). The floats must not change until the client has replied.
func (r *Round) AskCall(i, op int, with []float32, models ...int) {
	t := &r.Exchange.Tasks[i]
	t.Call, t.With, t.Models = op, with, append(t.Models[:0], models...)
}

// Ask sends the requests made since the last exchange, waits for all replies, and counts the floats: a model goes down
// once per round and client; losses, updates and answers come up, unless the client drops out or misses the deadline. The
// replies are valid until the next exchange.
func (r *Round) Ask() {
	r.send()
	for i, ok := r.Clients.Next(); ok; i, ok = r.Clients.Next() {
		r.receive(i)
	}
	r.finish()
}

// Replies is [Round.Ask] for an algorithm that needs each reply only once. It yields the clients that reply, in ascending
// order, each as soon as it and those before it have replied, while others still work:
//
//	for i := range r.Replies() {
//		r.Accumulate(i, 1)
//	}
//	r.ApplyMean(nil)
//
// Updates and features are valid within the loop's body: other clients then reuse their memory. The body must not change
// the models.
func (r *Round) Replies() iter.Seq[int] {
	return func(yield func(int) bool) { r.replies(yield) }
}

func (r *Round) replies(yield func(int) bool) {
	r.send()
	wanted := true
	for i, ok := r.Clients.Next(); ok; i, ok = r.Clients.Next() {
		if !r.receive(i) {
			continue
		}
		wanted = wanted && yield(i)
		// The followed client's reply is recorded when all have arrived.
		if !r.recorder.Follows(i) && !r.keepsReplies() {
			r.Exchange.Release(i)
		}
	}
	r.finish()
}

// send sends the tasks.
func (r *Round) send() {
	if r.exchanges++; r.exchanges == 1 && r.Prefetcher == nil {
		r.keepFirst()
	}
	r.Replied, r.accumulated, r.balance.done, r.balance.accumulatedFirst = r.Replied[:0], false, false, false
	clear(r.weight)
	r.Clients.Send()
}

// finish ends an exchange.
func (r *Round) finish() {
	if r.Clock != nil {
		r.Clock.end()
	}
	if r.recorder != nil {
		r.noteAsk(r.recorder)
	}
	r.clearTasks()
}

// receive counts the floats sent to client i and back, and reports whether it replied.
func (r *Round) receive(i int) bool {
	t := &r.Exchange.Tasks[i]
	r.replied[i] = false
	if t.Empty() {
		return false
	}
	r.Computed += r.Exchange.Replies[i].Computed
	down := r.floatsDown(i, t)
	r.Traffic.Down += down
	if r.dropped[i] {
		if r.Clock != nil {
			r.Clock.waitForDeadline()
		}
		return false
	}
	up := r.floatsUp(i, t)
	if r.Clock != nil && down+up > 0 && r.Clock.misses(i, down, up) {
		r.dropped[i] = true
		return false
	}
	r.Traffic.Up += up
	r.replied[i] = true
	r.Replied = append(r.Replied, i)
	return true
}

// Losses returns client i's losses from the last exchange, one per model.
func (r *Round) Losses(i int) []float64 { return r.Exchange.Replies[i].Losses }

// Picked returns the model that client i picked after AskBestUpdate.
func (r *Round) Picked(i int) int { return r.Exchange.Replies[i].Picked }

// Update returns the n-th update of client i from the last exchange.
func (r *Round) Update(i, n int) []float32 { return r.Exchange.Replies[i].Updates[n] }

// Answer returns what client i answered to AskCall.
func (r *Round) Answer(i int) []float32 { return r.Exchange.Replies[i].Answer }

// Feature returns what client i answered to AskFeature.
func (r *Round) Feature(i int) []float32 { return r.Exchange.Replies[i].Feature }
