package algorithm

import (
	"slices"

	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// looks are the steps of expectation maximisation by which a test client finds its
// weights. The models stand still meanwhile, so that few are enough; the authors'
// code of FedRC takes one in every round of the run.
const looks = 20

// welcome finds weights for a test client as f and w find them for others, starting
// from equal ones for the models alive.
func welcome(weights []float32, alive []int, losses [][]float32, b model.Batch, f formulation, w weighing, shares []float32) {
	n := len(alive)
	fit, gamma := make([][]float32, n), make([][]float32, n)
	per := len(shares) / n
	for a, k := range alive {
		fit[a] = losses[k]
		f.affinity(fit[a], b, shares[a*per:(a+1)*per])
	}
	omega, score := make([]float32, n), make([]float64, n, 3*n)
	uniform(omega)
	for range looks {
		for a := range gamma {
			gamma[a] = append(gamma[a][:0], fit[a]...)
		}
		w.weigh(gamma, omega, nil, score)
	}
	clear(weights)
	for a, k := range alive {
		weights[k] = omega[a]
	}
}

// Welcome is FedEM's E-step and M-step.
func (s *fedem) Welcome(weights []float32, losses [][]float32, b model.Batch) {
	welcome(weights, s.all, losses, b, labelGivenInput{}, clientWise{}, nil)
}

// Welcome is FedRC's, with the classes' shares that clients are told next.
func (s *fedrc) Welcome(weights []float32, losses [][]float32, b model.Batch) {
	welcome(weights, s.all, losses, b, informationRatio{}, clientWise{}, s.classes.shares)
}

// Welcome is that of the first two tiers, among the clusters alive.
func (s *hcfl) Welcome(weights []float32, losses [][]float32, b model.Batch) {
	var shares []float32
	if s.form.counts() && len(s.classes.sum) > 0 {
		per := len(s.classes.sum) / s.env.Models
		for _, k := range s.alive {
			shares = slices.Concat(shares, s.classes.shares[k*per:(k+1)*per])
		}
	}
	welcome(weights, s.alive, losses, b, s.form, s.weigh, shares)
}

var (
	_ fl.Host = (*fedem)(nil)
	_ fl.Host = (*fedrc)(nil)
	_ fl.Host = (*hcfl)(nil)
)
