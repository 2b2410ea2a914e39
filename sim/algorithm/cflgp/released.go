package cflgp

import (
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// released is CFL-GP as in the authors' program. It compares gradients of each client's own model, clusters before the
// update, and keeps one block per client. It finds less than the paper's algorithm.
type released struct {
	period int
	k      int  // models in use
	search bool // K is unknown: this variant does not search for it, and all clients keep one model

	clustering
	models    models
	newcomers newcomers
	stop      stopRule
}

// Start assigns model 0 to all clients.
func (s *released) Start(env *fl.Env, label []int) {
	s.clustering.start(env)
	s.models.start(env)
	s.newcomers.start(env)
	if s.k = env.Models; s.search {
		s.k = 1
	}
	clear(label)
}

func (s *released) Round(r *fl.Round) {
	s.stop.begin(r)
	if s.newcomers.atOnce || s.stop.over {
		s.newcomers.place(r, &s.clustering, s.k, 1)
	}
	clusters := !s.stop.over && r.T%s.period == 0
	s.First(r, r.T)
	if clusters { // first, because it decides which model an update moves
		r.Ask()
		s.blend(r)
		s.cluster(r, s.k)
	} else {
		for i := range r.Replies() {
			r.Accumulate(i, s.models.weights[i])
		}
	}
	s.models.move(r)
	s.stop.check(r, &s.clustering, clusters)
}

// First asks all clients for updates of their models.
func (s *released) First(r *fl.Round, _ int) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
	}
}

// blend is the program's version of lines 8 and 9: gradients of the models that the client has trained, in one block,
// with β = 1/(⌊(t+1)/KP⌋ + 1), which is 1 for about the first K clusterings.
func (s *released) blend(r *fl.Round) {
	beta := 1 / float64((r.T+1)/(s.k*s.period)+1)
	for _, i := range r.Replied {
		if gradient := s.compared.part(r, r.Update(i, 0)); numeric.IsFinite(gradient) {
			if beta == 1 { // what was there is forgotten
				s.memory.counts[i], s.memory.averaged[i] = 0, 0
			}
			s.memory.mix(i, 0, beta, gradient)
			s.memory.known[i] = true
		}
	}
	s.memory.update(0)
}
