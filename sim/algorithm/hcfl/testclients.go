package hcfl

import (
	"slices"

	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// steps is the number of steps of expectation maximisation by which a test client finds its weights. The models do not
// change meanwhile, so that few are enough; the authors' code of FedRC takes one in every round of the run.
const steps = 20

// weighTest finds weights for a test client by the tiers f and w, as for other clients, starting from equal weights for
// the active models, and sets dst, one row per model, to those of the samples of then. known are the Gaussians of
// inputs; empty if inputs are not used.
func weighTest(dst []float32, active []int, losses [][]float32, b, then model.Batch, f formulation, w weighing,
	shares, known []float32) {
	n, models := len(active), len(losses)
	fit, gamma := make([][]float32, n), make([][]float32, n)
	per := len(shares) / n
	for a, k := range active {
		fit[a] = losses[k]
		f.affinity(fit[a], b, shares[a*per:(a+1)*per])
	}
	o, pairs := clientDensity{inputDensity: f.inputs()}, []float32(nil)
	if known != nil {
		pairs = make([]float32, models*o.count)
		numeric.SetEqual(pairs, o.count)
		o.begin(pairs, known, active)
		o.project(b)
		o.logDensities()
	}
	omega, score := make([]float32, n), make([]float64, n, 3*n)
	numeric.Uniform(omega)
	for range steps {
		for a := range gamma {
			gamma[a] = append(gamma[a][:0], fit[a]...)
			if known != nil {
				o.addTo(gamma[a], a)
			}
		}
		w.weigh(gamma, omega, nil, score)
		if known != nil {
			for a, k := range active {
				o.share(pairs[k*o.count:(k+1)*o.count], gamma[a], a)
			}
			o.begin(pairs, known, active)
		}
	}
	weights := make([]float32, models)
	for a, k := range active {
		weights[k] = omega[a]
	}
	if known == nil {
		numeric.Repeat(dst, weights)
		return
	}
	o.project(then)
	o.logDensities()
	o.predictWeights(dst, weights, active, score)
}

// WeighTest applies FedEM's E-step and M-step.
func (s *fedem) WeighTest(dst []float32, losses [][]float32, b, then model.Batch) {
	weighTest(dst, s.all, losses, b, then, labelGivenInput{}, clientWise{}, nil, nil)
}

// WeighTest applies FedRC's steps, with the class shares that clients would be sent next.
func (s *fedrc) WeighTest(dst []float32, losses [][]float32, b, then model.Batch) {
	weighTest(dst, s.all, losses, b, then, informationRatio{}, clientWise{}, s.classes.shares, nil)
}

// WeighTest applies the first two tiers, among the active clusters. Before there are Gaussians, inputs are not used.
func (s *hcfl) WeighTest(dst []float32, losses [][]float32, b, then model.Batch) {
	var shares []float32
	if s.form.counts() && len(s.classes.sum) > 0 {
		per := len(s.classes.sum) / s.env.Models
		for _, k := range s.active {
			shares = slices.Concat(shares, s.classes.shares[k*per:(k+1)*per])
		}
	}
	weighTest(dst, s.active, losses, b, then, s.form, s.weigh, shares, s.inputs.gaussians)
}

var (
	_ fl.TestWeigher = (*fedem)(nil)
	_ fl.TestWeigher = (*fedrc)(nil)
	_ fl.TestWeigher = (*hcfl)(nil)
	_ fl.Broadcaster = (*hcfl)(nil)
)
