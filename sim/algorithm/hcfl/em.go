package hcfl

import (
	"slices"
	"sync"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/exact"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// Operations of the devices of FedEM and FedRC.
const emTrain = 1 // one E-step, one M-step, and the update of every model

// em is the client's side of FedEM and FedRC: expectation maximisation with the server's K models as the components of a
// mixture. A client keeps its mixture weights ω, and answers with one update per model, trained under the responsibilities
// of its samples; with counts, it appends K × classes numbers, the mass of each class in each model, and with sendsWeights
// K weights.
//
// It is sent the share C of each class in each model, or nothing.
type em struct {
	models       int
	counts       bool
	sendsWeights bool      // the server weights updates by ω, so clients send ω
	idle         sync.Pool // pool of *estep
}

// Do is a client's part of a round.
func (d *em) Do(dst []float32, _ int, with []float32, at fl.ClientContext) []float32 {
	e, _ := d.idle.Get().(*estep)
	if e == nil {
		e = newEstep(d.models)
	}
	defer d.idle.Put(e)
	e.begin(at, with)

	held := method.SelectionSamples(at)
	e.gamma, e.samples = at.Scratch(method.GammaSlot, d.models*held.N), held.N
	e.expect(e.gamma, held)
	e.maximise(*at.State())

	size := at.Model().Size()
	from := len(dst)
	dst = slices.Grow(dst, d.models*size)[:from+d.models*size]
	var masses []float32
	if d.counts {
		masses = e.masses(at.Scratch(method.MassSlot, d.models*method.ClassesOf(at)), held)
	}
	for k := range d.models {
		e.training = k
		update := dst[from+k*size : from+(k+1)*size]
		at.Update(update, at.Params(k), e.gradient)
		at.Protect(update)
	}
	from = len(dst)
	dst = append(dst, masses...)
	if d.sendsWeights {
		dst = append(dst, *at.State()...)
	}
	at.Quantize(dst[from:])
	return dst
}

// ByInput reports whether weights depend on inputs; here they do not.
func (d *em) ByInput() bool { return false }

// Weigh is how a client predicts: Σ_k ω_k p(y given x; θ_k).
func (d *em) Weigh(dst []float32, _ model.Batch, at fl.ClientContext) {
	numeric.SetEqual(dst, d.models)
	if own := *at.State(); len(own) > 0 {
		numeric.Repeat(dst, own)
	}
}

// estep is the work of one client in one round.
type estep struct {
	at        fl.ClientContext
	models    int
	classes   int
	prior     []float64 // log ω_k
	logShares []float64 // log C_yk, one row of classes per model; empty if classes are not used
	score     []float64 // scores of one sample, by model

	gamma    []float32 // γ_jk of the samples of the E-step, one row per model
	samples  int
	training int // the model that is being trained

	gradient fl.Gradient
}

func newEstep(models int) *estep {
	e := &estep{models: models, prior: make([]float64, models), score: make([]float64, models)}
	e.gradient = e.weighted // bound once, because a method value allocates
	return e
}

// begin reads the client's weights, which are uniform at first, and the shares of the classes.
func (e *estep) begin(at fl.ClientContext, shares []float32) {
	e.at, e.classes = at, method.ClassesOf(at)
	own := at.State()
	if len(*own) != e.models {
		*own = slices.Grow((*own)[:0], e.models)[:e.models]
		numeric.Uniform(*own)
	}
	for k, w := range *own {
		e.prior[k] = exact.Log(max(float64(w), numeric.MinWeight))
	}
	e.logShares = e.logShares[:0]
	for _, c := range shares {
		e.logShares = append(e.logShares, exact.Log(max(float64(c), numeric.MinWeight)))
	}
}

// expect is the E-step: it sets gamma, one row per model, to
//
//	γ_jk = softmax_k( log ω_k − ℓ_jk − log C_yk )
//
// for the samples j of a batch.
func (e *estep) expect(gamma []float32, b model.Batch) {
	for k := range e.models {
		e.at.Model().Losses(gamma[k*b.N:(k+1)*b.N], e.at.Params(k), b)
	}
	for j := range b.N {
		for k := range e.score {
			affinity := -numeric.Finite(gamma[k*b.N+j])
			if len(e.logShares) > 0 {
				affinity -= e.logShares[k*e.classes+int(b.Y[j])]
			}
			e.score[k] = e.prior[k] + float64(float32(affinity))
		}
		numeric.Softmax(e.score)
		for k, p := range e.score {
			gamma[k*b.N+j] = float32(p)
		}
	}
}

// maximise is the M-step: it sets weights to ω_k = mean_j γ_jk.
func (e *estep) maximise(weights []float32) {
	for k := range weights {
		sum := 0.0
		for _, g := range e.gamma[k*e.samples : (k+1)*e.samples] {
			sum += float64(g)
		}
		weights[k] = float32(sum / float64(max(e.samples, 1)))
	}
}

// masses sets dst to F_kc = Σ γ_jk over the samples of class c, one row of classes per model.
func (e *estep) masses(dst []float32, b model.Batch) []float32 {
	clear(dst)
	if e.classes == 0 {
		return dst
	}
	for k := range e.models {
		for j, y := range b.Y[:b.N] {
			dst[k*e.classes+int(y)] += e.gamma[k*b.N+j]
		}
	}
	return dst
}

// weighted is the gradient of (1/N) Σ_j γ_jk ℓ_jk for the model in training. It divides by the number of samples, not by the
// sum of responsibilities: a client with small responsibilities for a model moves it little. Samples that were not in the
// E-step get their responsibilities here.
func (e *estep) weighted(dst, params []float32, b model.Batch, samples []int32) {
	epochs := e.at.Protocol().Epochs
	gamma, weights := e.gamma[e.training*e.samples:(e.training+1)*e.samples], []float32(nil)
	switch {
	case samples == nil && epochs == 0 && b.N <= e.samples: // the first of the samples of the E-step
		weights = gamma[:b.N]
	case samples == nil:
		piece := e.at.Scratch(method.PieceSlot, e.models*b.N)
		if e.training == 0 || epochs > 1 { // with one batch per model, it is the same for all models
			e.expect(piece, b)
		}
		weights = piece[e.training*b.N : (e.training+1)*b.N]
	default:
		weights = e.at.Scratch(method.WeightSlot, b.N)
		for i, j := range samples {
			weights[i] = gamma[j]
		}
	}
	e.at.Model().Weighted(dst, params, b, weights)
}

// mixtures holds the weights of all clients for the page, one row per client. Clients of FedEM and FedRC send them only
// if updates are weighted by them.
type mixtures struct{ clusterer.Matrix }

func newMixtures(clients, models int) *mixtures {
	m := new(mixtures)
	m.Reshape(clients, models)
	for j := range m.Data {
		m.Data[j] = 1 / float64(models)
	}
	return m
}

// set copies a client's weights, and returns the model with the largest weight, the first on ties.
func (m *mixtures) set(client int, weights []float32) (largest int) {
	row := m.Row(client)
	for k, w := range weights {
		row[k] = float64(w)
		if row[k] > row[largest] {
			largest = k
		}
	}
	return largest
}
