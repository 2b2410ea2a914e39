package cflgp

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
)

// models says how the models start and how they follow their clusters' updates.
type models struct {
	counting method.Counting
	sum      bool   // a cluster's gradients are added up, not averaged
	alike    bool   // models start as copies of one
	trunk    *trunk // nil: no part of the models is common

	weights []float64 // of each client in a mean
	typical float64   // the mean of these
}

func (m *models) start(env *fl.Env) {
	m.weights = m.counting.Of(env.Samples)
	m.typical = 0
	for _, w := range m.weights {
		m.typical += w / float64(env.Clients)
	}
	if m.alike {
		method.StartAlike(env.Exchange.Bank)
	}
	if m.trunk != nil {
		m.trunk.start(env)
		m.trunk.join(env.Exchange.Bank, nil, nil)
	}
}

// move is line 4 of Algorithm 1. The paper prints the sum; its code, and the default here, is the mean.
func (m *models) move(r *fl.Round) {
	if m.sum { // over clients, whatever these count by
		r.ApplySum(m.typical)
	} else {
		r.ApplyMean(m.weights)
	}
	if m.trunk != nil {
		m.trunk.join(r.Bank, r.Label, m.weights)
	}
}
