package engine

import (
	"math"

	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/workload"
)

// bench is a place to work at: the scratch memory that one client needs while
// it answers. Nothing on it outlasts a visit but samples that may be drawn
// again to the same bits.
type bench struct {
	data   workload.Workload
	model  model.Model
	seed   uint64 // of the data
	batch  int    // samples of a minibatch, b
	draw   int    // samples drawn a round: the most that any lane needs
	stream rng.Stream

	chancy  workload.Chancy // the data, where there are chances
	chances *chances        // nil where there are none
	shelf   *shelf          // nil where a bench is one client's own

	told  int     // updates that the client at work has made in this visit
	known int     // the model whose loss the last of them told, or nobodys
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
	worn   []float32 // the model that a client uses in place of the one it was given
	place  place

	// Of a client that asks all models.
	weights, answers []float32
}

func newBench(data workload.Workload, set *settings) *bench {
	return &bench{data: data, model: model.Fresh(data.Model()), seed: set.dataSeed, batch: set.batch, draw: set.draw(), client: nobodys}
}

// lay draws the samples of a client's round. All lanes of a round meet the same
// samples. The minibatch is the first b of them and the probe sample the first
// `probe`, so with equal sizes they are one sample, as in IFCA's minibatch
// variant.
func (b *bench) lay(client, round int) {
	if b.client == client && b.round == round {
		return
	}
	b.client, b.round = client, round
	if b.shelf != nil && b.shelf.take(&b.samples, client, round) {
		return
	}
	if b.chances == nil {
		b.stream.Reset(b.seed, rng.Samples, round, client)
		b.data.Draw(&b.samples, client, b.draw, &b.stream)
		return
	}
	chance, there := b.chances.at(client, round)
	if !there {
		b.stream.Reset(b.seed, rng.Samples, round, client)
		b.chancy.Chance(chance, &b.stream)
	}
	b.chancy.Form(&b.samples, client, chance)
}

// answer does one client's part of a visit.
func (b *bench) answer(client int, v *visit) {
	if v.exam != nil {
		b.examine(client, v)
		return
	}
	task, reply := &v.exchange.Tasks[client], &v.exchange.Replies[client]
	asked := task.Losses || task.Best
	if !asked && task.Empty() && !v.look {
		return
	}
	b.told, b.known = 0, nobodys
	b.lay(client, v.round)
	n := 0
	if task.Best {
		b.best(client, v)
		n++
	}
	for _, k := range task.Updates {
		b.updateOf(client, v, k, n)
		n++
	}
	if !task.Best && (asked || v.look) {
		b.score(client, v, asked)
	}
	if task.Feature > 0 {
		b.featureOf(client, v, task.Feature-1)
	}
	if task.Call > 0 {
		reply.Answer = v.device.Do(reply.Answer[:0], task.Call, task.With, b.as(client, v))
	}
}

// as returns the bench as a device sees it.
func (b *bench) as(client int, v *visit) *place {
	b.place.bench, b.place.at, b.place.v = b, client, v
	return &b.place
}

// best picks the best model and makes the update of that.
func (b *bench) best(client int, v *visit) {
	reply, guess := &v.exchange.Replies[client], nobodys
	if v.protocol.Right {
		b.score(client, v, true)
		reply.Best = b.rightest(v)
		b.updateOf(client, v, reply.Best, 0)
		return
	}
	if b.tells(v) { // most clients pick what they picked last
		guess = reply.Best
		b.updateOf(client, v, guess, 0)
	}
	b.score(client, v, true)
	if reply.Best = argmin(reply.Losses); reply.Best != guess {
		b.told = 0
		b.updateOf(client, v, reply.Best, 0)
	}
}

// rightest returns the model with the most right answers on the minibatch, the first of
// equals; where nothing is classified, that of the least loss there.
func (b *bench) rightest(v *visit) (best int) {
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

// tells reports whether a model's update is a gradient on the very samples that
// models are scored on, so that its loss comes with it.
func (b *bench) tells(v *visit) bool {
	n := b.samples.N
	return v.protocol.Epochs == 0 && !v.protocol.Whole && min(v.probe, n) == min(b.batch, n)
}

// score evaluates the models on the probe sample.
func (b *bench) score(client int, v *visit, asked bool) {
	probe := b.samples.First(v.probe)
	bank, reply := v.exchange.Bank, &v.exchange.Replies[client]
	loss := func(k int) float64 {
		if k == b.known {
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
func (b *bench) updateOf(client int, v *visit, k, n int) {
	reply := &v.exchange.Replies[client]
	dst := v.exchange.Buffer(client, n)
	state := &reply.OptimiserState
	if n > 0 {
		state = nil // what it remembers comes from its own model
	}
	b.learn(dst, v.exchange.Bank.Model(k), client, v, state)
	if b.tells(v) {
		b.known = k
	}
}

// featureOf makes the client's update of model k at the coordinates of features.
func (b *bench) featureOf(client int, v *visit, k int) {
	x := v.exchange
	feature := x.FeatureBuffer(client)
	dst := feature
	if x.Coordinates != nil {
		b.update = room(b.update, x.Bank.Size)
		dst = b.update
	}
	b.learn(dst, x.Bank.Model(k), client, v, nil)
	if x.Coordinates != nil {
		x.Select(feature, dst)
	}
}

// learn turns a model into an update, as the protocol says.
func (b *bench) learn(dst, params []float32, client int, v *visit, state *[]float32) {
	b.learnBy(dst, params, client, v, v.protocol.Epochs, state, nil)
}

// learnBy is learn with so many epochs, 0 for a gradient, and with a gradient of the
// caller's own, unless it is nil.
func (b *bench) learnBy(dst, params []float32, client int, v *visit, epochs int, state *[]float32, gradient fl.Gradient) {
	switch {
	case epochs > 0:
		b.train(dst, params, client, v, epochs, state, gradient)
	case gradient != nil:
		gradient(dst, params, b.samples.First(b.batch), nil)
	case v.protocol.Whole:
		b.loss = b.model.Gradient(dst, params, b.as(client, v).everything())
	default:
		b.loss = b.model.Gradient(dst, params, b.samples.First(b.batch))
	}
	b.veil(dst, client, v)
	if v.protocol.Digits >= 0 {
		kernel.Trunc(dst, v.protocol.Digits)
	}
}

// train goes through the client's samples for some epochs from params, and sets
// dst to params minus what it arrived at. The order of samples is the same for
// all models of a round, as if the client trained them side by side.
func (b *bench) train(dst, params []float32, client int, v *visit, epochs int, state *[]float32, gradient fl.Gradient) {
	p := &v.protocol
	b.trained, b.gradient = room(b.trained, len(params)), room(b.gradient, len(params))
	copy(b.trained, params)
	b.choose(p.Optimiser)
	if p.Keep && state != nil {
		b.optimiser.Restore(*state)
	}
	b.stream.Reset(b.seed, rng.Training, v.round, client)
	for range epochs {
		b.epoch(client, float32(p.Rate), gradient)
	}
	if p.Keep && state != nil {
		*state = append((*state)[:0], b.optimiser.State()...)
	}
	copy(dst, params)
	kernel.Axpy(dst, -1, b.trained)
}

// epoch steps through all samples of a client once, in random order; where a
// client has no fixed samples, through one fresh minibatch.
func (b *bench) epoch(client int, rate float32, gradient fl.Gradient) {
	finite, ok := b.data.(workload.Finite)
	if !ok {
		b.data.Draw(&b.piece, client, b.batch, &b.stream)
		b.step(rate, nil, gradient)
		return
	}
	n := finite.Holds(client)
	b.order = room(b.order, n)
	for i := range b.order {
		b.order[i] = int32(i)
	}
	for i := range n {
		j := i + b.stream.IntN(n-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
	for from := 0; from < n; from += b.batch {
		which := b.order[from:min(from+b.batch, n)]
		finite.Take(&b.piece, client, which)
		b.step(rate, which, gradient)
	}
}

func (b *bench) step(rate float32, which []int32, gradient fl.Gradient) {
	if gradient != nil {
		gradient(b.gradient, b.trained, b.piece, which)
	} else {
		b.model.Gradient(b.gradient, b.trained, b.piece)
	}
	b.optimiser.Step(b.trained, b.gradient, rate)
}

// choose puts a fresh optimiser of a kind on the bench.
func (b *bench) choose(kind string) {
	if b.kind == kind {
		b.optimiser.Reset()
		return
	}
	b.kind = kind
	switch kind {
	case "momentum":
		b.optimiser = model.Momentum(0.9)
	case "adam":
		b.optimiser = model.Adam()
	default:
		b.optimiser = model.SGD()
	}
}

// examine tests the client's model on what the client holds back.
func (b *bench) examine(client int, v *visit) {
	e := v.exam
	if all, ok := v.device.(fl.Ensemble); ok {
		b.examineAll(client, v, all)
		return
	}
	params := v.exchange.Bank.Model(e.label[client])
	if _, ok := v.device.(fl.Personal); ok {
		params = b.wear(client, params, v)
	}
	b.data.(workload.Tested).Exam(&b.piece, client)
	if e.classes == 0 {
		e.loss[client] = b.model.Loss(params, b.piece)
		return
	}
	e.loss[client] = b.model.(*model.Network).Confusion(e.sheet(client), params, b.piece)
	e.mark(client, b.piece.N)
}

// wear returns what a client makes of the model that it was given: its device is
// [fl.Personal].
func (b *bench) wear(client int, given []float32, v *visit) []float32 {
	b.worn = room(b.worn, len(given))
	b.lay(client, v.round)
	v.device.(fl.Personal).Personalize(b.worn, given, b.as(client, v))
	return b.worn
}

// examineAll is examine where a client weighs the answers of all models.
func (b *bench) examineAll(client int, v *visit, all fl.Ensemble) {
	e, net := v.exam, b.model.(*model.Network)
	b.lay(client, v.round)
	b.data.(workload.Tested).Exam(&b.piece, client)
	b.weights = room(b.weights, v.exchange.Bank.Models()*b.piece.N)
	all.Weigh(b.weights, b.piece, b.as(client, v))
	b.blend(net, v, b.piece)
	e.loss[client] = net.LossOf(b.answers, b.piece)
	if e.classes > 0 {
		net.ConfusionOf(e.sheet(client), b.answers, b.piece)
		e.mark(client, b.piece.N)
	}
}

// blend sets answers to what the models answer to samples, under the weights on the
// bench.
func (b *bench) blend(net *model.Network, v *visit, samples model.Batch) {
	n := samples.N
	b.answers = room(b.answers, n*net.Outputs())
	clear(b.answers)
	for k := range v.exchange.Bank.Models() {
		net.Blend(b.answers, b.weights[k*n:(k+1)*n], v.exchange.Bank.Model(k), samples)
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

// room returns s with length n, keeping its memory where it suffices.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
