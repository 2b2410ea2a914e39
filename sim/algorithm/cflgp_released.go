package algorithm

import (
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// cflgpReleased is CFL-GP as the authors' program has it. It compares gradients of each
// client's own model, clusters before the update, and keeps one block per client. It finds
// less than the paper's algorithm.
type cflgpReleased struct{ *cflgp }

// Start has all clients begin with model 0.
func (s *cflgpReleased) Start(env *fl.Env, label []int) {
	s.cflgp.Start(env, label)
	s.newcomers.blocks = 1
	clear(label)
}

func (s *cflgpReleased) Round(r *fl.Round) {
	s.stop.begin(r)
	s.admit(r)
	clustering := s.clusters(r.T)
	s.First(r, r.T)
	if clustering { // which decides which model an update moves
		r.Ask()
		s.blend(r)
		s.cluster(r)
	} else {
		for i := range r.Replies() {
			r.Accumulate(i, s.weights[i])
		}
	}
	s.move(r)
	s.stop.check(s.cflgp, r, clustering)
}

func (s *cflgpReleased) clusters(t int) bool { return !s.stop.over && t%s.period == 0 }

// First asks all clients for updates of their models.
func (s *cflgpReleased) First(r *fl.Round, _ int) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
	}
}

// blend is what the program has for Algorithm 2: gradients of whichever model a client
// trains, in one block, with β = 1/(⌊(t+1)/KP⌋ + 1), which is 1 for the first K clusterings or
// so.
func (s *cflgpReleased) blend(r *fl.Round) {
	beta := 1 / float64((r.T+1)/(s.models*s.period)+1)
	for _, i := range r.Replied {
		if gradient := s.compared.part(r, r.Update(i, 0)); numeric.IsFinite(gradient) {
			s.memory.mix(i, 0, beta, gradient)
			s.known[i] = true
		}
	}
	s.memory.mixed(0)
}
