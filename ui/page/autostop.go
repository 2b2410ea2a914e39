package page

import (
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart/progress"
)

// minSavedRounds is the minimum number of rounds that auto-stop must save.
const minSavedRounds = 10

// AutoStop computes where playing a run stops because nothing changes any more, and caches the
// result of the last run.
type AutoStop struct {
	run   *trace.Run
	round int
}

// Round returns the round at which playing stops: nothing has changed for some rounds and nothing
// changes until the end. It is 0 if there is none or the run is not complete.
func (s *AutoStop) Round(run *trace.Run) int {
	if run == nil || !run.Done() {
		return 0
	}
	if s.run != run {
		t := 0
		for lane := range run.Tracks {
			t = max(t, progress.ConvergedFrom(run, lane))
		}
		if t += progress.ConvergedRounds; t > run.Header.Rounds-minSavedRounds {
			t = 0
		}
		*s = AutoStop{run, t}
	}
	return s.round
}

// autoStopRound returns where playing the run on screen stops, 0 for the end.
func (p *Player) autoStopRound() int {
	if p.page.NoAutoStop {
		return 0
	}
	return p.autoStop.Round(p.page.Run)
}

// Notice returns the notice that playing has stopped, as long as the stop round is shown.
func (p *Player) Notice() Notice {
	if !p.stoppedEarly || p.Playing || p.page.Round != p.autoStopRound() || p.page.Round == 0 {
		return Notice{}
	}
	return Notice{Text: say.Messagef("Nothing changes any more. Stopped at round %d.", p.page.Round),
		Actions: []Action{{Label: "Continue", Do: TogglePlay{}}}}
}
