package engine

import (
	"math"

	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/workload"
)

// workspace is a place to work at: the scratch memory that one client needs while
// it answers. Nothing on it outlasts a visit but samples that may be drawn
// again to the same bits.
type workspace struct {
	data   workload.Workload
	model  model.Model
	seed   uint64 // of the data
	batch  int    // samples of a minibatch, b
	draw   int    // samples drawn a round: the most that any lane needs
	stream rng.Stream

	shared  workload.Chancy // the data, where there are chances
	draws *sharedDraws        // nil where there are none
	cache   *prefetchCache          // nil where a bench is one client's own

	updatesMade  int     // updates that the client at work has made in this visit
	lossOf int     // the model whose loss the last of them told, or nobodys
	loss  float64 // of that

	client, round int // whose samples lie here, and of which round
	samples       model.Batch

	// Of local training.
	piece     model.Batch
	order     []int32
	trained   []float32
	gradient  []float32
	optimiser *model.Optimiser
	kind      string

	update []float32 // whole, of which a part is sent
	personal   []float32 // the model that a client uses in place of the one it was given
	clientContext  clientContext

	// Of a client that asks all models.
	weights, answers []float32
}

func newWorkspace(data workload.Workload, set *settings) *workspace {
	return &workspace{data: data, model: model.Fresh(data.Model()), seed: set.dataSeed, batch: set.batch, draw: set.draw(), client: noClient}
}

// sample draws the samples of a client's round. All lanes of a round meet the same
// samples. The minibatch is the first b of them and the probe sample the first
// `probe`, so with equal sizes they are one sample, as in IFCA's minibatch
// variant.
func (b *workspace) sample(client, round int) {
	if b.client == client && b.round == round {
		return
	}
	b.client, b.round = client, round
	if b.cache != nil && b.cache.take(&b.samples, client, round) {
		return
	}
	if b.draws == nil {
		b.stream.Reset(b.seed, rng.Samples, round, client)
		b.data.Draw(&b.samples, client, b.draw, &b.stream)
		return
	}
	chance, there := b.draws.at(client, round)
	if !there {
		b.stream.Reset(b.seed, rng.Samples, round, client)
		b.shared.Chance(chance, &b.stream)
	}
	b.shared.Form(&b.samples, client, chance)
}

// answer does one client's part of a visit.
func (b *workspace) answer(client int, v *job) {
	if v.evaluation != nil {
		b.evaluate(client, v)
		return
	}
	task, reply := &v.exchange.Tasks[client], &v.exchange.Replies[client]
	asked := task.Losses || task.Best
	if !asked && task.Empty() && !v.observeAll {
		return
	}
	b.updatesMade, b.lossOf = 0, noClient
	b.sample(client, v.round)
	n := 0
	if task.Best {
		b.best(client, v)
		n++
	}
	for _, k := range task.Updates {
		b.updateOf(client, v, k, n)
		n++
	}
	if !task.Best && (asked || v.observeAll) {
		b.score(client, v, asked)
	}
	if task.Feature > 0 {
		b.featureOf(client, v, task.Feature-1)
	}
	if task.Call > 0 {
		reply.Answer = v.device.Do(reply.Answer[:0], task.Call, task.With, b.context(client, v))
	}
}

// context returns the bench as a device sees it.
func (b *workspace) context(client int, v *job) *clientContext {
	b.clientContext.workspace, b.clientContext.client, b.clientContext.job = b, client, v
	return &b.clientContext
}

// best picks the best model and makes the update of that.
func (b *workspace) best(client int, v *job) {
	reply, guess := &v.exchange.Replies[client], noClient
	if v.protocol.Right {
		b.score(client, v, true)
		reply.Best = b.rightest(v)
		b.updateOf(client, v, reply.Best, 0)
		return
	}
	if b.lossComesAlong(v) { // most clients pick what they picked last
		guess = reply.Best
		b.updateOf(client, v, guess, 0)
	}
	b.score(client, v, true)
	if reply.Best = argmin(reply.Losses); reply.Best != guess {
		b.updatesMade = 0
		b.updateOf(client, v, reply.Best, 0)
	}
}

// rightest returns the model with the most right answers on the minibatch, the first of
// equals; where nothing is classified, that of the least loss there.
func (b *workspace) rightest(v *job) (best int) {
	batch, bank, most := b.samples.First(b.batch), v.exchange.Bank, math.Inf(-1)
	net, _ := b.model.(*model.Network)
	tested, _ := b.data.(workload.Tested)
	for k := range bank.Models() {
		var good float64
		if net != nil && tested != nil && tested.Classes() > 0 {
			good = float64(net.Correct(bank.Model(k), batch))
		} else {
			good = -b.model.Loss(bank.Model(k), batch)
		}
		if good > most {
			best, most = k, good
		}
	}
	return best
}

// lossComesAlong reports whether a model's update is a gradient on the very samples that
// models are scored on, so that its loss comes with it.
func (b *workspace) lossComesAlong(v *job) bool {
	n := b.samples.N
	return v.protocol.Epochs == 0 && !v.protocol.Whole && min(v.probe, n) == min(b.batch, n)
}

// score evaluates the models on the probe sample.
func (b *workspace) score(client int, v *job, asked bool) {
	probe := b.samples.First(v.probe)
	bank, reply := v.exchange.Bank, &v.exchange.Replies[client]
	loss := func(k int) float64 {
		if k == b.lossOf {
			return b.loss
		}
		return b.model.Loss(bank.Model(k), probe)
	}
	if v.personal && !asked {
		v.observed[client] = float32(loss(client))
		return
	}
	for k := range reply.Losses {
		reply.Losses[k] = loss(k)
	}
	if v.observed != nil {
		row := v.observed[client*v.columns : (client+1)*v.columns]
		for k, l := range reply.Losses {
			row[k] = float32(l)
		}
	}
}

// updateOf makes the client's n-th update, of model k.
func (b *workspace) updateOf(client int, v *job, k, n int) {
	reply := &v.exchange.Replies[client]
	dst := v.exchange.Buffer(client, n)
	state := &reply.OptimiserState
	if n > 0 {
		state = nil // what it remembers comes from its own model
	}
	b.learn(dst, v.exchange.Bank.Model(k), client, v, state)
	if b.lossComesAlong(v) {
		b.lossOf = k
	}
}

// featureOf makes the client's update of model k at the coordinates of features.
func (b *workspace) featureOf(client int, v *job, k int) {
	x := v.exchange
	feature := x.FeatureBuffer(client)
	dst := feature
	if x.Coordinates != nil {
		b.update = grow(b.update, x.Bank.Size)
		dst = b.update
	}
	b.learn(dst, x.Bank.Model(k), client, v, nil)
	if x.Coordinates != nil {
		x.Select(feature, dst)
	}
}

// argmin returns the place of the least value, the first on ties. One that is not a
// number is no value.
func argmin(values []float64) int {
	best := 0
	for k, v := range values {
		if v < values[best] || math.IsNaN(values[best]) && !math.IsNaN(v) {
			best = k
		}
	}
	return best
}

// grow returns s with length n, keeping its memory where it suffices.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
