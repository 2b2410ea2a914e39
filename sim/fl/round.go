package fl

import (
	"cmp"
	"slices"

	"flockscope/sim/kernel"
)

// Round is one round of one lane as its server sees it.
type Round struct {
	// T is the round's index from 0, as in the papers.
	T int
	// Bank holds the server's models.
	Bank *Bank
	// Label is the model of each client: on entry that of the last round.
	Label []int
	// Participants are the clients that take part in this round, ascending. Servers
	// ask nobody else.
	Participants []int
	// Replied are the clients whose replies to the last exchange arrived,
	// ascending: all that were asked something, but for those that dropped
	// out of the round.
	Replied []int

	// Reclustered: the server looked at the clients anew and decided who gets
	// which model. Frozen: it decided to do so no more.
	Reclustered, Stopped bool

	// Spectrum are the singular values, descending, that the server looked
	// at in this round, nil for none, and Directions in how many of their
	// directions it went on. The values belong to the server. They are for
	// the page: nothing in a result hangs on them.
	Spectrum   []float64
	Directions int

	// Step is the factor by which a model follows a mean update.
	Step float64

	// Local: models do not travel (see [Plan]), nor do updates, nor the first
	// Size floats of an answer, which are one.
	Local bool

	Exchange *Exchange
	Traffic  *Traffic
	Clock    *Clock // nil where none runs
	// Send carries the tasks to the clients. It calls arrived for each client, in
	// ascending order, when its reply and those of all before it are there, be it
	// that others are still at work, and returns after the last.
	Send func(arrived func(i int))
	// Opener and Meter are the server, if it is one.
	Opener Opener
	Meter  Meter
	// Early carries the tasks to clients that may begin with them although the
	// round that they are for has not; nil where there are none. long is as for
	// Foretell.
	Early func(long bool)
	// Waited reports whether such clients have nothing to do until they hear from
	// the server; nil where there are none.
	Waited func() bool

	dropped     []bool    // clients that drop out of this round
	replied    []bool    // the same as Answered
	onDevice [][]int   // models that each client has received in this round
	recorder *Recorder // nil but where somebody looks into the round

	arrived  func(i int) // takes a client's reply in
	receiver Receiver    // does something with it then; nil for nothing

	sums   [][]float64 // of the updates of each model's clients; only one until folded
	weight []float64   // of each sum
	accumulated bool        // the sums were made while the replies came in
}

// NewRound returns a round over the exchange, to be reused for every T.
// A mean update is followed by the factor step.
func NewRound(x *Exchange, traffic *Traffic, label []int, step float64, send func(arrived func(i int))) *Round {
	r := &Round{Bank: x.Bank, Label: label, Exchange: x, Traffic: traffic, Send: send,
		Participants: make([]int, len(label)), Replied: make([]int, 0, len(label)), dropped: make([]bool, len(label)), replied: make([]bool, len(label)),
		onDevice: make([][]int, len(label)), Step: step, sums: [][]float64{make([]float64, x.Bank.Size)}, weight: make([]float64, x.Bank.Models())}
	r.arrived = r.arrive
	for i := range r.onDevice {
		r.onDevice[i] = make([]int, 0, 2)
	}
	return r
}

// Begin makes r the round with index t. Everybody takes part, unless Attend says
// otherwise.
func (r *Round) Begin(t int) {
	r.T, r.Reclustered, r.Stopped = t, false, false
	r.Spectrum, r.Directions = nil, 0
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

// Attend sets who takes part in the round, in ascending order, and which of
// these receive what is sent but are not heard of again.
func (r *Round) Attend(here []int, lost []bool) {
	r.Participants = append(r.Participants[:0], here...)
	copy(r.dropped, lost)
}

// Dropped reports whether client i drops out of this round.
func (r *Round) Dropped(i int) bool { return r.dropped[i] }

func (r *Round) clearTasks() {
	for i := range r.Exchange.Tasks {
		r.Exchange.Tasks[i].clear()
	}
}

// AskLosses asks client i for the losses of all models on its probe sample.
func (r *Round) AskLosses(i int) { r.Exchange.Tasks[i].Losses = true }

// AskBest asks client i to pick its best model and return its update of that.
func (r *Round) AskBest(i int) { r.Exchange.Tasks[i].Best = true }

// AskUpdate asks client i for its update of model k.
func (r *Round) AskUpdate(i, k int) {
	t := &r.Exchange.Tasks[i]
	t.Updates = append(t.Updates, k)
}

// AskFeature asks client i for its update of model k at the coordinates of
// features.
func (r *Round) AskFeature(i, k int) { r.Exchange.Tasks[i].Feature = k + 1 }

// AskCall asks the device of client i to do something of the algorithm's own (see
// [Device]): op, which is not 0, with these floats, and with these models at hand.
// The floats are kept until the client has answered.
func (r *Round) AskCall(i, op int, with []float32, models ...int) {
	t := &r.Exchange.Tasks[i]
	t.Call, t.With, t.Models = op, with, append(t.Models[:0], models...)
}

// Ask sends what was asked since the last time, waits for all replies and
// counts the floats: a model goes down once a round and client, losses, updates
// and answers come up, unless the client drops out or misses the deadline.
func (r *Round) Ask() { r.AskFor(nil) }

// A Receiver does with a reply what can be done with it alone.
type Receiver interface {
	// Receive is called for each client that answers, in ascending order, as
	// early as can be: others may still be at work. It may not change the models.
	Receive(r *Round, i int)
}

// AskFor is Ask for a receiver.
func (r *Round) AskFor(receiver Receiver) {
	r.Replied, r.receiver, r.accumulated = r.Replied[:0], receiver, false
	clear(r.weight)
	r.Send(r.arrived)
	if r.Clock != nil {
		r.Clock.pass()
	}
	if r.recorder != nil {
		r.noteAsk(r.recorder)
	}
	r.clearTasks()
}

// Foretell lets clients begin with the next round, if the server is an [Opener]. Models
// must stay as they are from then on. A server that moves none any more but has still
// much to do says so itself, long if that is as much as clients have to do; for others
// it is said when their round is over. Whatever else comes to be asked in the end,
// nothing in a result changes.
func (r *Round) Foretell(long bool) {
	if r.Early == nil || r.Opener == nil || r.recorder != nil {
		return
	}
	r.Opener.Open(r, r.T+1)
	if slices.ContainsFunc(r.Exchange.Tasks, func(t Task) bool { return !t.Empty() }) {
		r.Early(long)
	}
	r.clearTasks()
}

// Hurried reports whether clients wait for what is foretold: what need not be done
// before is better put off. It says nothing about a result.
func (r *Round) Hurried() bool { return r.Waited != nil && r.Waited() }

// arrive takes in the reply of client i, and counts what went down to it and
// came up.
func (r *Round) arrive(i int) {
	t := &r.Exchange.Tasks[i]
	r.replied[i] = false
	if t.Empty() {
		return
	}
	down := r.received(i, t)
	r.Traffic.Down += down
	if r.dropped[i] {
		if r.Clock != nil {
			r.Clock.miss()
		}
		return
	}
	up := r.sent(i, t)
	if r.Clock != nil && down+up > 0 && r.Clock.late(i, down, up) {
		r.dropped[i] = true
		return
	}
	r.Traffic.Up += up
	r.replied[i] = true
	r.Replied = append(r.Replied, i)
	if r.receiver != nil {
		r.receiver.Receive(r, i)
	}
}

// received returns the floats that go down to client i for a task.
func (r *Round) received(i int, t *Task) (floats int64) {
	if t.Call > 0 {
		floats += int64(len(t.With))
		if r.Meter != nil {
			floats -= r.Meter.FreeDown(r, i)
		}
	}
	if r.Local {
		return floats
	}
	if t.Losses || t.Best {
		floats += r.deliverAll(i)
	}
	for _, k := range t.Updates {
		floats += r.deliver(i, k)
	}
	if t.Feature > 0 {
		floats += r.deliver(i, t.Feature-1)
	}
	if t.Call > 0 {
		for _, k := range t.Models {
			floats += r.deliver(i, k)
		}
	}
	return floats
}

// sent returns the floats that client i sends up in answer to a task.
func (r *Round) sent(i int, t *Task) (floats int64) {
	d := int64(r.Bank.Size)
	if t.Losses {
		floats += int64(r.Bank.Models())
	}
	if t.Feature > 0 {
		floats += int64(r.Exchange.Width())
	}
	if t.Call > 0 {
		floats += int64(len(r.Exchange.Replies[i].Answer))
		if r.Meter != nil {
			floats -= r.Meter.FreeUp(r, i)
		}
	}
	if r.Local {
		if t.Call > 0 {
			floats -= d
		}
		return floats
	}
	if t.Best {
		floats += d
	}
	return floats + d*int64(len(t.Updates))
}

// everyModel stands for "all of them" in onDevice.
const everyModel = -1

// deliver sends model k down to client i unless it is there, and returns the
// floats that takes.
func (r *Round) deliver(i, k int) int64 {
	if slices.Contains(r.onDevice[i], everyModel) || slices.Contains(r.onDevice[i], k) {
		return 0
	}
	r.onDevice[i] = append(r.onDevice[i], k)
	return int64(r.Bank.Size)
}

// deliverAll is deliver for all models.
func (r *Round) deliverAll(i int) int64 {
	if slices.Contains(r.onDevice[i], everyModel) {
		return 0
	}
	floats := int64(r.Bank.Size * (r.Bank.Models() - len(r.onDevice[i])))
	r.onDevice[i] = append(r.onDevice[i][:0], everyModel)
	return floats
}

// Losses returns client i's losses from the last exchange, one a model.
func (r *Round) Losses(i int) []float64 { return r.Exchange.Replies[i].Losses }

// Best returns the model that client i picked.
func (r *Round) Best(i int) int { return r.Exchange.Replies[i].Best }

// Update returns the n-th update of client i from the last exchange.
func (r *Round) Update(i, n int) []float32 { return r.Exchange.Replies[i].Updates[n] }

// Answer returns what client i answered to AskCall.
func (r *Round) Answer(i int) []float32 { return r.Exchange.Replies[i].Answer }

// Feature returns what client i answered to AskFeature.
func (r *Round) Feature(i int) []float32 { return r.Exchange.Replies[i].Feature }

// Accumulate adds the first update of client i, who has just answered, with weight w to
// the sum of its model. Descend and DescendBy then take these sums and look at no
// labels and weights of their own.
func (r *Round) Accumulate(i int, w float64) {
	if !r.accumulated {
		r.accumulated = true
		for k := len(r.sums); k < r.Bank.Models(); k++ {
			r.sums = append(r.sums, make([]float64, r.Bank.Size))
		}
	}
	r.add(r.Label[i], w, r.Update(i, 0))
}

// Release says that the updates and the feature of client i have served, and are not
// looked at any more. Who does so as early as can be lets a run do with less memory.
func (r *Round) Release(i int) {
	if !r.recorder.Follows(i) { // it takes down what that client answered when all have
		r.Exchange.Release(i)
	}
}

// add adds w·u to the sum of model k.
func (r *Round) add(k int, w float64, u []float32) {
	if r.weight[k] == 0 {
		clear(r.sums[k])
	}
	kernel.Accumulate(r.sums[k], w, u)
	r.weight[k] += w
}

// ApplyMean moves every model that has clients along their mean update,
//
//	θ_k ← θ_k − step · Σ w_i u_i / Σ w_i   over clients i with label k
//
// u_i being the first update of those who answered the last exchange and w_i ≥ 0 what
// each client counts; nil weights are all 1. Sums run in client order. A model without clients stays as it is.
//
// The mean, not CFL-GP's printed sum, which is DescendBy(1): with a sum the step
// grows with the number of clients, and a constant rate diverges from a few dozen on.
func (r *Round) ApplyMean(weights []float64) {
	r.applyAll(weights, 0)
}

// ApplySum is Descend with a divisor of its own, above 0, in place of Σ w_i.
func (r *Round) ApplySum(divisor float64) {
	r.applyAll(nil, divisor)
}

// applyAll is DescendBy with weights; a divisor of 0 stands for their sum.
func (r *Round) applyAll(weights []float64, divisor float64) {
	for k := range r.Bank.Models() {
		sum := k
		if !r.accumulated { // one after the other, all in one place
			sum = 0
			r.weight[0] = 0
			for _, i := range r.Replied {
				if r.Label[i] == k {
					w := 1.0
					if weights != nil {
						w = weights[i]
					}
					r.add(0, w, r.Update(i, 0))
				}
			}
		}
		if w := r.weight[sum]; w > 0 {
			r.apply(k, r.sums[sum], cmp.Or(divisor, w))
		}
	}
}

func (r *Round) apply(k int, sum []float64, divisor float64) {
	if rec := r.recorder; rec != nil && r.Label[rec.Client] == k {
		r.noteStep(rec, k, sum, divisor)
		return
	}
	kernel.Descend(r.Bank.Model(k), sum, r.Step, divisor)
}

// noteStep is step with a note.
func (r *Round) noteStep(rec *Recorder, k int, sum []float64, divisor float64) {
	old, mean := Weights("old", r.Bank.Model(k)), Weights("mean", sum)
	for j := range mean.Numbers {
		mean.Numbers[j] /= divisor
	}
	kernel.Descend(r.Bank.Model(k), sum, r.Step, divisor)
	rec.Note(StepDescend, Whole("k", k), Number("step", r.Step), old, mean, Weights("new", r.Bank.Model(k)))
}

// ApplyWeighted moves model k along the weighted mean of any updates, in client
// order: update returns what client i adds, and with which weight, 0 for nothing.
func (r *Round) ApplyWeighted(k int, update func(i int) (u []float32, weight float64)) {
	r.weight[0] = 0
	for _, i := range r.Replied {
		if u, w := update(i); w != 0 {
			r.add(0, w, u)
		}
	}
	if r.weight[0] > 0 {
		r.apply(k, r.sums[0], r.weight[0])
	}
}
