package player

import (
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// worthwhile is the least number of rounds that stopping must save.
const worthwhile = 10

// AutoStop says where playing a run stops because nothing changes any more. It keeps the
// answer of the last run.
type AutoStop struct {
	run   *trace.Run
	round int
}

// Round is the round at which playing stops because nothing has changed for a while and
// nothing will until the end; 0 if there is none, or that is not known yet.
func (s *AutoStop) Round(run *trace.Run) int {
	if run == nil || !run.Done() {
		return 0
	}
	if s.run != run {
		t := 0
		for lane := range run.Tracks {
			t = max(t, chart.Calm(run, lane))
		}
		if t += chart.Rest; t > run.Header.Rounds-worthwhile {
			t = 0
		}
		*s = AutoStop{run, t}
	}
	return s.round
}
