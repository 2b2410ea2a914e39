package page

import (
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// Changes of the configuration, and their consequences for the page.

// setConfig makes next the configuration and requests its run.
func (s *State) setConfig(next experiment.Config) {
	before := s.Config
	s.Config = next
	s.Settings.ConfigChanged()
	s.jobs().SettingChanged()
	s.jobs().DropStale()
	// A lane keeps its open settings when other lanes are added or removed.
	s.Lane = max(0, s.sameLane(before, s.Lane))
	s.SettingsLane = s.sameLane(before, s.SettingsLane)
	s.Export.LinkStatus, s.Export.LinkText = "", ""
	s.Runs.Request()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// keepRun makes next the configuration and keeps the run, since it is the same experiment.
func (s *State) keepRun(next experiment.Config) {
	s.Config = next
	s.Settings.ConfigChanged()
	s.jobs().SettingChanged()
	s.Lessons.Check() // a drag may have ended
	s.effects.Redraw(host.Shell)
	s.jobs().Dispatch()
}

// sameLane returns the present index of a lane of an earlier configuration: of the lane with the
// same id, else the same index if the number of lanes is unchanged, else −1.
func (s *State) sameLane(before experiment.Config, lane int) int {
	if lane < 0 || lane >= len(before.Lanes()) {
		return -1
	}
	lanes := s.Config.Lanes()
	id := before.Lanes()[lane].ID()
	if i := slices.IndexFunc(lanes, func(l experiment.Lane) bool { return l.ID() == id }); i >= 0 {
		return i
	}
	if lane < len(lanes) && len(lanes) == len(before.Lanes()) {
		return lane
	}
	return -1
}

// chooseForLink chooses what the link of a page leaves open: the client to follow, and the round of a lecture. It waits
// for all rounds that matter, so that the same link shows the same, however fast they arrive.
func (s *State) chooseForLink() {
	needed := s.Round
	if s.Lecture.On {
		needed += nearby
	}
	if !s.opening || s.Run == nil || s.Runs.showsStart() ||
		s.Run.Finished() < min(needed, s.Run.Header.Rounds) && !s.Run.Done() {
		return
	}
	s.opening = false
	if s.Lecture.On {
		s.moveToClustering()
		GoToStop{s.Phases.At}.update(s)
	}
	s.follow()
	s.effects.Redraw(host.Shell | host.Figures)
}

// showRun puts a run on screen.
func (s *State) showRun(run *trace.Run) {
	first := s.Run == nil
	s.Run = run
	if first {
		s.opening = true
	}
	s.chooseForLink()
	there := slices.DeleteFunc(slices.Clone(s.SelectedClients()), func(i int) bool { return i >= run.Header.Clients })
	s.SetSelection(there)
	s.Hover = min(s.Hover, run.Header.Clients-1)
	s.Phases.RequestDetail()
}
