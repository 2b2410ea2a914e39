package ui

import (
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// A run in which nothing changes any more need not be watched to its end.

// restful keeps where playing the run on stage stops, once that is known.
type autoStop struct {
	run   *trace.Run
	round int
}

// worthwhile is the least number of rounds that stopping must save.
const worthwhile = 10

// autoStopRound is the round at which playing stops because nothing has changed for a
// while and nothing will until the end; 0 if there is none, or that is not known.
func (a *App) autoStopRound() int {
	if a.NoAutoStop || a.Run == nil || !a.Run.Done() {
		return 0
	}
	if a.autoStop.run != a.Run {
		t := 0
		for lane := range a.Run.Tracks {
			t = max(t, chart.Calm(a.Run, lane))
		}
		if t += chart.Rest; t > a.Rounds()-worthwhile {
			t = 0
		}
		a.autoStop = autoStop{a.Run, t}
	}
	return a.autoStop.round
}

// autoStopNotice says that playing has stopped, while it stands where it did.
func (a *App) autoStopNotice() Notice {
	if !a.stoppedEarly || a.Playing || a.Round != a.autoStopRound() || a.Round == 0 {
		return Notice{}
	}
	return Notice{"Nothing changes any more. Stopped at round " + itoa(a.Round) + ".",
		[]Way{{"Continue", func() { a.Start(a.Host.Now(), 0) }}}}
}
