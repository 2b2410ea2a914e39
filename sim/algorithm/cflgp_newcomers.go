package algorithm

import (
	"slices"

	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/fl"
)

// newcomers are clients that first take part when the others are clustered already. The paper
// does not say what to do with them. They can send their gradients of all models at once, and
// are then given the model of the nearest mean features.
type newcomers struct {
	atOnce bool // they do; else only when clustering is over, as nothing else would place them
	blocks int  // models whose gradients they send; 0 for those in use

	means grouping.Means // of the features of each model's clients
	lost  []bool         // newcomers whose gradients are not finite
}

func (n *newcomers) start(env *fl.Env) { n.lost = make([]bool, env.Clients) }

// admit places the newcomers of this round.
func (s *cflgp) admit(r *fl.Round) {
	n := &s.newcomers
	if s.clusterings == 0 || !n.atOnce && !s.stop.over ||
		!slices.ContainsFunc(r.Participants, func(i int) bool { return !s.known[i] }) {
		return
	}
	blocks := s.models
	if n.blocks > 0 {
		blocks = n.blocks
	}
	clear(n.lost)
	for k := range blocks {
		for _, i := range r.Participants {
			if !s.known[i] {
				r.AskFeature(i, k)
			}
		}
		r.Ask()
		for _, i := range r.Replied {
			n.lost[i] = !s.take(i, k, r.Feature(i)) || n.lost[i]
		}
		s.memory.mixed(k)
	}
	s.memory.features(&s.features, s.models)
	n.means.Fit(&s.features, r.Label, s.models, func(i int) bool { return s.known[i] })
	for _, i := range r.Replied {
		if !n.lost[i] {
			r.Label[i] = n.means.Nearest(s.features.Row(i))
			s.known[i], r.Reclustered = true, true
		}
	}
}
