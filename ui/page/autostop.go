package page

import (
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart/progress"
)

// minSavedRounds is the least number of rounds that stopping must save.
const minSavedRounds = 10

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
			t = max(t, progress.ConvergedFrom(run, lane))
		}
		if t += progress.ConvergedRounds; t > run.Header.Rounds-minSavedRounds {
			t = 0
		}
		*s = AutoStop{run, t}
	}
	return s.round
}

// autoStopRound is where playing the run on screen stops by itself, 0 for nowhere.
func (p *Player) autoStopRound() int {
	if p.page.NoAutoStop {
		return 0
	}
	return p.autoStop.Round(p.page.Run)
}

// Notice says that playing has stopped, while it stands where it did.
func (p *Player) Notice() Notice {
	if !p.stoppedEarly || p.Playing || p.page.Round != p.autoStopRound() || p.page.Round == 0 {
		return Notice{}
	}
	return Notice{Text: say.Messagef("Nothing changes any more. Stopped at round %d.", p.page.Round),
		Actions: []Action{{Label: "Continue", Do: TogglePlay{}}}}
}
