package page

import (
	"strconv"
)

// OutOfMemoryNotice says that an engine ran out of memory: how much a browser provides is unknown in
// advance.
const OutOfMemoryNotice = "This run needs more memory than the browser provides. The settings are unchanged; the run may " +
	"fit with fewer clients or with compression."

// HandleOutOfMemory handles an engine that ran out of memory, and reports whether a request was the
// cause. It cancels that request, since the next engine would fail on it, too, and offers a smaller
// run.
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
	r.forgetEngines()
	return true
}

// smallerRunActions offers settings with which a run needs less memory.
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
