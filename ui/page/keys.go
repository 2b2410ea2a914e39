package page

import (
	"flockscope/sim/registry"
	"flockscope/ui/host"
)

// PressKey: the user presses a key that no control handles.
type PressKey struct {
	Key   string
	Shift bool
}

func (m PressKey) update(s *State) { s.effects.Handled = s.handleKey(m.Key, m.Shift) }

// handleKey reports whether the key has a meaning.
func (s *State) handleKey(key string, shift bool) bool {
	if s.Lecture.On {
		return s.lectureKey(key)
	}
	step := 1
	if shift {
		step = 10
	}
	switch key {
	case " ", "k":
		TogglePlay{}.update(s)
	case "ArrowRight":
		StepRound{step}.update(s)
	case "ArrowLeft":
		StepRound{-step}.update(s)
	case ".":
		StepPhase{1}.update(s)
	case ",":
		StepPhase{-1}.update(s)
	case "]":
		JumpToEvent{1}.update(s)
	case "[":
		JumpToEvent{-1}.update(s)
	case "Home":
		Seek{0}.update(s)
	case "End":
		Seek{s.Rounds()}.update(s)
	case "r":
		Seek{0}.update(s)
	case "R":
		NewSeeds{}.update(s)
	case "s":
		if !s.Runs.Stoppable() && !s.Runs.Stopped() {
			return false
		}
		StopOrRun{}.update(s)
	case "f":
		return s.toggleLiars()
	case "g":
		TogglePin{}.update(s)
	case "z":
		s.Zoom = !s.Zoom
		s.effects.Redraw(host.Shell | host.Figures | host.Link)
	case "m":
		ToggleMap3D{}.update(s)
	case "1", "2", "3", "4", "5", "6":
		ShowPhase{registry.Phase(key[0] - '1')}.update(s)
	case "l":
		FocusLane{(s.Lane + 1) % len(s.Config.Lanes())}.update(s)
	case "w":
		WatchRound{}.update(s)
	case "L":
		StartLecture{}.update(s)
	case "x":
		ToggleExact{}.update(s)
	case "t":
		s.OpenShownTable()
	case "?":
		OpenSheet{"keys"}.update(s)
	case "Escape":
		return !s.closeOverlay() && s.clearSelection()
	default:
		return false
	}
	return true
}

// CloseOverlay: the user closes the topmost overlay of the page.
type CloseOverlay struct{}

func (CloseOverlay) update(s *State) { s.closeOverlay() }

// closeOverlay reports whether an overlay was open.
func (s *State) closeOverlay() bool {
	switch {
	case s.Adding:
		s.Adding = false
	case s.SettingsLane >= 0:
		s.SettingsLane = -1
	case s.Drawer:
		s.Drawer = false
	case s.Phases.At > 0:
		EndPhases{}.update(s)
	default:
		return false
	}
	s.effects.Redraw(host.Shell)
	return true
}
