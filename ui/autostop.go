package ui

import "flockscope/ui/notices"

// A run in which nothing changes any more need not be watched to its end.

// autoStopRound is where playing the run on screen stops by itself, 0 for nowhere.
func (a *App) autoStopRound() int {
	if a.NoAutoStop {
		return 0
	}
	return a.autoStop.Round(a.Run)
}

// autoStopNotice says that playing has stopped, while it stands where it did.
func (a *App) autoStopNotice() notices.Notice {
	if !a.stoppedEarly || a.Playing || a.Round != a.autoStopRound() || a.Round == 0 {
		return notices.Notice{}
	}
	return notices.Notice{Text: "Nothing changes any more. Stopped at round " + itoa(a.Round) + ".",
		Ways: []notices.Way{{Words: "Continue", Do: func() { a.Start(a.Host.Now(), 0) }}}}
}
