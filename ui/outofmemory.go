package ui

import "flockscope/ui/notices"

// noRoom is said when an engine has ended for want of memory: estimates do not
// know what a browser will give.
const noRoom = "This run needs more memory than the browser gives. The settings are as they were; with fewer clients, or with compression, it may fit."

// Exhausted tells that an engine has ended for want of memory, and reports whether
// that was over something that was asked for. That is given up, since it would be
// the end of the next engine too, and a smaller run is offered.
func (a *App) Exhausted() bool {
	_, computing := a.UnderWay()
	switch {
	case a.Files.OutOfMemory():
	case computing:
		a.Stop()
		a.dropRefusal()
		a.requests.refusal = noRoom
		a.Notify(noRoom, a.smaller()...)
	default:
		return false
	}
	a.Engines, a.requests.at = 1, 0
	a.Phases.Forget()
	return true
}

// smaller offers what makes a run need less memory.
func (a *App) smaller() []notices.Way {
	var out []notices.Way
	offer := func(key string, value int) {
		if next, err := a.Config.With(key, itoa(value)); err == nil && next.Reads(key) && next.String() != a.Config.String() {
			out = append(out, a.offerSetting(key, itoa(value)))
		}
	}
	v := a.Config.Values(-1)
	if clients := v.Int("C"); clients >= 4 {
		offer("C", clients/2)
	}
	const ratio = 100
	if v.Int("cr") < ratio {
		offer("cr", ratio)
	}
	return out
}
