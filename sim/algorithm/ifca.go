package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
)

// ifca is Algorithm 1: Option I with gradient averaging, Option II with model
// averaging. Clients keep their losses to themselves and send only the choice and
// the update. Both options of the paper count every client once; its code for FEMNIST
// counts samples.
type ifca struct {
	byAll    bool
	counting method.Counting
	weights  []float64 // what each client counts
	// losses are what the clients decided by. The server never sees them;
	// they are kept for the map.
	losses clusterer.Matrix
}

func (s *ifca) Start(env *fl.Env, label []int) {
	clear(label)
	s.weights = s.counting.Of(env.Samples)
	s.losses.Reshape(env.Clients, env.Models)
}

func (s *ifca) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskBest(i)
	}
	all := 0.0 // the weights of those that reply
	for i := range r.Replies() {
		r.Label[i] = r.Best(i)
		r.Accumulate(i, s.weights[i])
		copy(s.losses.Row(i), r.Losses(i))
		all += s.weights[i]
	}
	r.Reclustered = true
	if s.byAll {
		r.ApplySum(all)
	} else {
		r.ApplyMean(nil)
	}
}

// Embedding returns the clients' losses.
func (s *ifca) Embedding() *clusterer.Matrix {
	return &s.losses
}
