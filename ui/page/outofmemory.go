package page

import (
	"strconv"
)

// OutOfMemoryNotice is said when an engine has ended for want of memory: estimates do not
// know what a browser will give.
const OutOfMemoryNotice = "This run needs more memory than the browser provides. The settings are unchanged; the run may " +
	"fit with fewer clients or with compression."

// HandleOutOfMemory tells that an engine has ended for want of memory, and reports whether
// that was over something that was asked for. That is given up, since it would be
// the end of the next engine too, and a smaller run is offered.
func (r *Runs) HandleOutOfMemory() bool {
	_, computing := r.ComputingFor()
	switch {
	case r.page.Files.HandleOutOfMemory():
	case computing:
		r.Stop()
		r.withdrawRefusal()
		r.refusal = OutOfMemoryNotice
		r.page.Notify(OutOfMemoryNotice, r.smallerRunActions()...)
	default:
		return false
	}
	r.machine.Engines, r.enginesUsed = 1, 0
	r.page.Phases.ForgetRequest()
	return true
}

// smallerRunActions offers what makes a run need less memory.
func (r *Runs) smallerRunActions() []Action {
	var out []Action
	offer := func(key string, value int) {
		if next, err := r.page.Config.With(key, strconv.Itoa(value)); err == nil && next.Reads(key) &&
			next.String() != r.page.Config.String() {
			out = append(out, r.page.Settings.settingAction(key, strconv.Itoa(value)))
		}
	}
	v := r.page.Config.Values(-1)
	if clients := v.Int("C"); clients >= 4 {
		offer("C", clients/2)
	}
	const ratio = 100
	if v.Int("cr") < ratio {
		offer("cr", ratio)
	}
	return out
}
