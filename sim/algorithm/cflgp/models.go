package cflgp

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
)

// models defines how the models start and how they are moved by their clusters' updates.
type models struct {
	counting  method.Counting
	sum       bool   // gradients of a cluster are added up, not averaged
	sameStart bool   // models start as copies of one model
	trunk     *trunk // nil if no part of the models is shared
	falls     bool   // the learning rate falls after round last, as in Proposition 1
	last      int

	rate    float64   // before it falls
	weights []float64 // weight of each client in a mean
	typical float64   // mean of the weights
}

func (m *models) start(env *fl.Env) {
	m.weights = m.counting.Of(env.Samples)
	m.typical = 0
	for _, w := range m.weights {
		m.typical += w / float64(env.Clients)
	}
	if m.sameStart {
		method.StartAlike(env.Exchange.Bank)
	}
	if m.trunk != nil {
		m.trunk.start(env)
		m.trunk.join(env.Exchange.Bank, nil, nil)
	}
}

// move is line 4 of Algorithm 1. The paper prints the sum; its code, and the default here, is the mean.
func (m *models) move(r *fl.Round) {
	if m.falls { // 1/(μ·|S_k|·max(t − T_cl + 1, 1)), with the mean of |S_k| gradients and 1/μ as the learning rate
		if m.rate == 0 {
			m.rate = r.Step
		}
		r.Step = m.rate / float64(max(r.T-m.last+1, 1))
	}
	if m.sum { // over clients, whatever their weights
		r.ApplySum(m.typical)
	} else {
		r.ApplyMean(m.weights)
	}
	if m.trunk != nil {
		m.trunk.join(r.Bank, r.Label, m.weights)
	}
}
