package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
)

// fedavg is FedAvg: in its gradient form FedSGD, and with model averaging its
// Algorithm 1; both weigh client k by n_k/n. The "Global" baseline of CFL-GP counts
// every client once.
type fedavg struct {
	counting method.Counting
	weights  []float64 // what each client counts
}

func (s *fedavg) Start(env *fl.Env, label []int) {
	clear(label)
	s.weights = s.counting.Of(env.Samples)
}

func (s *fedavg) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskUpdate(i, 0)
	}
	for i := range r.Replies() {
		r.Accumulate(i, s.weights[i])
	}
	r.ApplyMean(nil)
}
