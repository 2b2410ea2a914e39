package algorithm

import (
	"slices"

	"flockscope/sim/fl"
)

// stopRule ends CFL-GP's clustering.
type stopRule struct {
	patience int // rounds without a move until clustering stops; 0 for never
	end      int // the round in which it stops, T_cl; 0 for never

	unchanged int // rounds since a client was last moved
	over      bool
}

// begin stops clustering in round T_cl.
func (s *stopRule) begin(r *fl.Round) {
	if s.end > 0 && r.T >= s.end && !s.over {
		s.over, r.Stopped = true, true
	}
}

// check is the rule of appendix F, before F.1: labels that stay the same for T/10 rounds stay
// for good; for a whole period P at least, so that one clustering has confirmed another.
func (s *stopRule) check(c *cflgp, r *fl.Round, clustering bool) {
	if s.patience == 0 || s.over || c.clusterings == 0 {
		return
	}
	if clustering && !slices.Equal(c.previous, r.Label) {
		s.unchanged = 0
		return
	}
	if s.unchanged++; s.unchanged >= s.patience {
		s.over, r.Stopped = true, true
	}
}
