package cflgp

import (
	"slices"

	"flockscope/sim/fl"
)

// stopRule decides when clustering stops.
type stopRule struct {
	patience int // rounds without a change of labels until clustering stops; 0 for never
	end      int // T_cl: the round in which clustering stops; 0 for never

	unchanged int // rounds since labels last changed
	over      bool
}

// begin stops clustering in round T_cl.
func (s *stopRule) begin(r *fl.Round) {
	if s.end > 0 && r.T >= s.end && !s.over {
		s.over, r.Stopped = true, true
	}
}

// check is the rule of appendix F, before F.1: clustering stops when labels have stayed the same for T/10 rounds, and
// for at least one period P, so that one clustering has confirmed another. clustered reports whether clients were
// clustered in this round.
func (s *stopRule) check(r *fl.Round, c *clustering, clustered bool) {
	if s.patience == 0 || s.over || c.times == 0 {
		return
	}
	if clustered && !slices.Equal(c.previous, r.Label) {
		s.unchanged = 0
		return
	}
	if s.unchanged++; s.unchanged >= s.patience {
		s.over, r.Stopped = true, true
	}
}
