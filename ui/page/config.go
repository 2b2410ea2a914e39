package page

import (
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// Changes of the configuration: what follows from them on the page.

// become makes next the configuration and asks for its run, whatever was asked
// for before.
func (a *State) become(next experiment.Config) {
	before := a.Config
	a.Config = next
	a.Settings.Changed()
	a.jobs().Changed()
	a.jobs().DropStale()
	// What is open for a lane stays with that lane when others come and go.
	a.Lane = max(0, a.sameLane(before, a.Lane))
	a.Tuning = a.sameLane(before, a.Tuning)
	a.Export.Copied, a.Export.LinkText = "", ""
	a.Runs.Request()
	a.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// settle makes next the configuration, whose run is the one that there is.
func (a *State) settle(next experiment.Config) {
	a.Config = next
	a.Settings.Changed()
	a.jobs().Changed()
	a.Lessons.Check() // a drag may have ended here
	a.effects.Redraw(host.Shell)
	a.jobs().Dispatch()
}

// sameLane returns where a lane of an earlier configuration stands now: by its
// name, else in its place, else −1.
func (a *State) sameLane(before experiment.Config, lane int) int {
	if lane < 0 || lane >= len(before.Lanes()) {
		return -1
	}
	lanes := a.Config.Lanes()
	id := before.Lanes()[lane].ID()
	if i := slices.IndexFunc(lanes, func(l experiment.Lane) bool { return l.ID() == id }); i >= 0 {
		return i
	}
	if lane < len(lanes) && len(lanes) == len(before.Lanes()) {
		return lane
	}
	return -1
}

// showRun puts a run on screen.
func (a *State) showRun(run *trace.Run) {
	a.Run, a.names.aliases = run, a.names.aliases[:0]
	a.Keep(slices.DeleteFunc(slices.Clone(a.Chosen()), func(i int) bool { return i >= run.Header.Clients }))
	a.Hover = min(a.Hover, run.Header.Clients-1)
	a.Phases.Ask()
}
