package algorithm

import (
	"slices"
	"sync"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
)

// Operations of FedSoft's device.
const (
	proximalEstimate = iota + 1 // estimate u from the centres and answer with u
	proximalTrain               // train the client's own model and answer with it
)

// proximal is the client's side of FedSoft. A client keeps u, K numbers, and after them a model w of its own, which starts
// as the first centre. It trains w on
//
//	f(w) + (λ/2) Σ_k u_k ‖w − c_k‖²  =  f(w) + (λ/2) U ‖w − c̄‖² + a constant
//
// with U = Σ u_k and c̄ the mean of the centres under u, which is sent, or else computed from the centres.
type proximal struct {
	models int
	lambda float64
	idle   sync.Pool // pool of *proximalGradient
}

func newProximal(models int, lambda float64) *proximal {
	return &proximal{models: models, lambda: lambda}
}

// Do performs one of the two operations.
func (d *proximal) Do(dst []float32, op int, with []float32, at fl.ClientContext) []float32 {
	if op == proximalEstimate {
		from := len(dst)
		dst = append(dst, d.estimate(at)...)
		at.Quantize(dst[from:])
		return dst
	}
	return d.train(dst, with, at)
}

// Personalize returns the client's own model, once it has one.
func (d *proximal) Personalize(dst, given []float32, at fl.ClientContext) {
	if own := *at.State(); len(own) > d.models {
		given = own[d.models:]
	}
	copy(dst, given)
}

// estimate counts the samples for which each centre has the least loss, the first on ties. A centre without samples gets σ.
func (d *proximal) estimate(at fl.ClientContext) []float32 {
	const sigma = 1e-4
	own := at.State()
	if len(*own) == 0 {
		*own = append(slices.Grow(*own, d.models)[:d.models], at.Params(0)...)
	}
	weights := (*own)[:d.models]
	clear(weights)
	b := method.SelectionSamples(at)
	losses := at.Scratch(method.GammaSlot, d.models*b.N)
	for k := range d.models {
		at.Model().Losses(losses[k*b.N:(k+1)*b.N], at.Params(k), b)
	}
	for j := range b.N {
		best := 0
		for k := range d.models {
			if losses[k*b.N+j] < losses[best*b.N+j] {
				best = k
			}
		}
		weights[best]++
	}
	for k, n := range weights {
		weights[k] = max(n/float32(max(b.N, 1)), sigma)
	}
	return weights
}

// train trains the client's own model.
func (d *proximal) train(dst, centre []float32, at fl.ClientContext) []float32 {
	weights, w := (*at.State())[:d.models], (*at.State())[d.models:]
	total := float32(0)
	for _, u := range weights {
		total += u
	}
	if len(centre) == 0 {
		centre = at.Scratch(method.PieceSlot, len(w))
		clear(centre)
		for k, u := range weights {
			kernel.Axpy(centre, u/total, at.Params(k))
		}
	}
	p, _ := d.idle.Get().(*proximalGradient)
	if p == nil {
		p = new(proximalGradient)
		p.gradient = p.compute
	}
	defer d.idle.Put(p)
	p.model, p.centre, p.strength = at.Model(), centre, float32(d.lambda)*total

	update := at.Scratch(method.WeightSlot, len(w))
	at.Update(update, w, p.gradient)
	kernel.Axpy(w, -float32(at.Protocol().Step()), update)
	return appendModel(dst, w, centre, update, at)
}

// appendModel appends a client's own model as it is sent. With clipping, noise or fewer decimals, its difference from a
// model that the server knows is treated as the updates of other methods are; the client's own model does not change.
// buffer is as long as a model.
func appendModel(dst, own, known, buffer []float32, at fl.ClientContext) []float32 {
	from := len(dst)
	dst = append(dst, own...)
	if p := at.Protocol(); p.Clip == 0 && p.Digits < 0 {
		return dst
	}
	copy(buffer, known)
	kernel.Axpy(buffer, -1, own)
	at.Protect(buffer)
	copy(dst[from:], known)
	kernel.Axpy(dst[from:], -1, buffer)
	return dst
}

// proximalGradient computes gradients with the proximal term (strength/2)·‖w − centre‖².
type proximalGradient struct {
	model    model.Model
	centre   []float32
	strength float32
	gradient fl.Gradient
}

// compute computes the gradient of the mean loss and the proximal term.
func (p *proximalGradient) compute(dst, params []float32, b model.Batch, _ []int32) {
	p.model.Gradient(dst, params, b)
	for j, c := range p.centre {
		dst[j] += float32(p.strength * (params[j] - c))
	}
}
