package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// update computes a client's update of a model, before [Workspace.protect] changes what is sent.
func (b *Workspace) update(dst, params []float32, client int, v *Job, state *[]float32) {
	b.updateBy(dst, params, client, v, v.Protocol.Epochs, state, nil)
}

// updateBy is update with a number of epochs, 0 for a gradient, and with the caller's gradient
// function, unless it is nil.
func (b *Workspace) updateBy(dst, params []float32, client int, v *Job, epochs int, state *[]float32,
	gradient fl.Gradient) {
	switch {
	case epochs > 0:
		b.train(dst, params, client, v, epochs, state, gradient)
	case gradient != nil:
		gradient(dst, params, b.Samples.First(b.batch), nil)
	case v.Protocol.Whole:
		b.loss = b.Model.Gradient(dst, params, b.context(client, v).allSamples())
	default:
		b.loss = b.Model.Gradient(dst, params, b.Samples.First(b.batch))
	}
}

// train trains a model for some epochs on the client's samples, and sets dst to params minus the
// trained parameters. The order of samples is the same for all models of a round, as if the client
// trained them side by side.
func (b *Workspace) train(dst, params []float32, client int, v *Job, epochs int, state *[]float32,
	gradient fl.Gradient) {
	p := &v.Protocol
	b.Trained, b.Gradient = trace.Resize(b.Trained, len(params)), trace.Resize(b.Gradient, len(params))
	copy(b.Trained, params)
	b.SetOptimiser(p.Optimiser)
	if p.Keep && state != nil {
		b.optimiser.Restore(*state)
	}
	b.Stream.Reset(b.seed, rng.Training, v.Round, client)
	for range epochs {
		b.Epoch(client, float32(p.Rate), gradient)
	}
	if p.Keep && state != nil {
		*state = append((*state)[:0], b.optimiser.State()...)
	}
	copy(dst, params)
	kernel.Axpy(dst, -1, b.Trained)
}

// Epoch trains on all samples of a client once, in random order; if every round has new samples, on
// one new minibatch.
func (b *Workspace) Epoch(client int, rate float32, gradient fl.Gradient) {
	finite, ok := b.data.(workload.Finite)
	if !ok {
		b.data.Draw(&b.piece, client, b.batch, &b.Stream)
		b.poison(&b.piece, client)
		b.step(rate, nil, gradient)
		return
	}
	n := finite.Holds(client)
	b.order = trace.Resize(b.order, n)
	for i := range b.order {
		b.order[i] = int32(i)
	}
	for i := range n {
		j := i + b.Stream.IntN(n-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
	for from := 0; from < n; from += b.batch {
		which := b.order[from:min(from+b.batch, n)]
		finite.Take(&b.piece, client, which)
		if a, ok := b.data.(workload.Augmenter); ok {
			a.Augment(&b.piece, from, b.Stream)
		}
		b.poison(&b.piece, client)
		b.step(rate, which, gradient)
	}
}

func (b *Workspace) step(rate float32, which []int32, gradient fl.Gradient) {
	if gradient != nil {
		gradient(b.Gradient, b.Trained, b.piece, which)
	} else {
		b.Model.Gradient(b.Gradient, b.Trained, b.piece)
	}
	if net, ok := b.Model.(*model.Network); ok {
		net.Track(b.Trained, b.Gradient)
	}
	b.optimiser.Step(b.Trained, b.Gradient, rate)
}

// SetOptimiser gives the workspace a fresh optimiser of a kind.
func (b *Workspace) SetOptimiser(kind string) {
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
