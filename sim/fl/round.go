package fl

import "slices"

// Round is one round of one lane as its server sees it.
type Round struct {
	// T is the round's index from 0, as in the papers.
	T int
	// Bank holds the server's models.
	Bank *Bank
	// Label is the model of each client: on entry that of the last round.
	Label []int

	// News: the server looked at the clients anew and decided who gets
	// which model. Frozen: it decided to do so no more.
	News, Frozen bool

	Exchange *Exchange
	Traffic  *Traffic
	// Send carries the tasks to the clients and waits for every reply.
	Send func()

	onDevice [][]int   // models that each client has received in this round
	sum      []float64 // of gradients, Models × Size
	total    []float64 // of weights, a model
}

// NewRound returns a round over the exchange, to be reused for every T.
func NewRound(x *Exchange, traffic *Traffic, label []int, send func()) *Round {
	r := &Round{Bank: x.Bank, Label: label, Exchange: x, Traffic: traffic, Send: send,
		onDevice: make([][]int, len(label)),
		sum:      make([]float64, len(x.Bank.Params)), total: make([]float64, x.Bank.Models())}
	for i := range r.onDevice {
		r.onDevice[i] = make([]int, 0, maxGradients)
	}
	return r
}

// Begin makes r the round with index t.
func (r *Round) Begin(t int) {
	r.T, r.News, r.Frozen = t, false, false
	for i := range r.onDevice {
		r.onDevice[i] = r.onDevice[i][:0]
	}
	r.clearTasks()
}

func (r *Round) clearTasks() {
	for i := range r.Exchange.Tasks {
		r.Exchange.Tasks[i].clear()
	}
}

// AskLosses asks client i for the losses of all models on its probe sample.
func (r *Round) AskLosses(i int) { r.Exchange.Tasks[i].Losses = true }

// AskBest asks client i to pick its best model and return that model's gradient.
func (r *Round) AskBest(i int) { r.Exchange.Tasks[i].Best = true }

// AskGradient asks client i for the gradient of model k on its minibatch.
func (r *Round) AskGradient(i, k int) {
	t := &r.Exchange.Tasks[i]
	t.Gradients = append(t.Gradients, k)
}

// Ask sends what was asked since the last time, waits for all replies and
// counts the floats: a model goes down once a round and client, losses and
// gradients come up.
func (r *Round) Ask() {
	r.Send()
	d, all := int64(r.Bank.Size), r.Bank.Models()
	for i := range r.Exchange.Tasks {
		t := &r.Exchange.Tasks[i]
		if t.Losses || t.Best {
			r.receive(i, d, all)
		}
		if t.Losses {
			r.Traffic.Up += int64(all)
		}
		if t.Best {
			r.Traffic.Up += d
		}
		for _, k := range t.Gradients {
			if !slices.Contains(r.onDevice[i], everyModel) && !slices.Contains(r.onDevice[i], k) {
				r.onDevice[i] = append(r.onDevice[i], k)
				r.Traffic.Down += d
			}
			r.Traffic.Up += d
		}
	}
	r.clearTasks()
}

// everyModel stands for "all of them" in onDevice.
const everyModel = -1

func (r *Round) receive(i int, d int64, all int) {
	if slices.Contains(r.onDevice[i], everyModel) {
		return
	}
	r.Traffic.Down += d * int64(all-len(r.onDevice[i]))
	r.onDevice[i] = append(r.onDevice[i][:0], everyModel)
}

// Losses returns client i's losses from the last exchange, one a model.
func (r *Round) Losses(i int) []float64 { return r.Exchange.Replies[i].Losses }

// Best returns the model that client i picked.
func (r *Round) Best(i int) int { return r.Exchange.Replies[i].Best }

// Gradient returns the n-th gradient of client i from the last exchange.
func (r *Round) Gradient(i, n int) []float32 { return r.Exchange.Replies[i].Gradients[n] }

// Descend moves every model that has clients along their mean gradient,
//
//	θ_k ← θ_k − rate · Σ w_i g_i / Σ w_i   over clients i with label k
//
// g_i being the first gradient of the last exchange; nil weights are all 1.
// Sums run in client order. A model without clients stays as it is.
//
// The mean, not CFL-GP's printed sum: with a sum the step grows with the
// number of clients, and a constant rate diverges from a few dozen on.
func (r *Round) Descend(rate float64, weights []int) {
	r.gather(weights)
	for k, total := range r.total {
		if total > 0 {
			r.step(k, rate, total)
		}
	}
}

// DescendBy is Descend with a divisor of its own in place of Σ w_i.
func (r *Round) DescendBy(rate, divisor float64) {
	r.gather(nil)
	for k, total := range r.total {
		if total > 0 {
			r.step(k, rate, divisor)
		}
	}
}

// gather sums the clients' gradients and weights for each model.
func (r *Round) gather(weights []int) {
	clear(r.sum)
	clear(r.total)
	d := r.Bank.Size
	for i, k := range r.Label {
		w := 1.0
		if weights != nil {
			w = float64(weights[i])
		}
		sum := r.sum[k*d : (k+1)*d]
		for j, g := range r.Gradient(i, 0) {
			sum[j] += float64(w * float64(g))
		}
		r.total[k] += w
	}
}

func (r *Round) step(k int, rate, divisor float64) {
	params, d := r.Bank.Model(k), r.Bank.Size
	for j, s := range r.sum[k*d : (k+1)*d] {
		params[j] = float32(float64(params[j]) - float64(rate*(s/divisor)))
	}
}
