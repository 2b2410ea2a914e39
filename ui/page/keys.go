package page

import "flockscope/ui/host"

// Key is a key that no control took.
type Key struct {
	Key   string
	Shift bool
}

func (m Key) update(s *State) { s.effects.Handled = s.key(m.Key, m.Shift) }

// key reports whether a key meant anything.
func (a *State) key(key string, shift bool) bool {
	step := 1
	if shift {
		step = 10
	}
	switch key {
	case " ", "k":
		Play{}.update(a)
	case "ArrowRight":
		Step{step}.update(a)
	case "ArrowLeft":
		Step{-step}.update(a)
	case ".":
		StepPhase{1}.update(a)
	case ",":
		StepPhase{-1}.update(a)
	case "]":
		Jump{1}.update(a)
	case "[":
		Jump{-1}.update(a)
	case "Home":
		Seek{0}.update(a)
	case "End":
		Seek{a.Rounds()}.update(a)
	case "r":
		Seek{0}.update(a)
	case "R":
		NewSeeds{}.update(a)
	case "s":
		if !a.Runs.Stoppable() && !a.Runs.Stopped() {
			return false
		}
		StopOrRun{}.update(a)
	case "g":
		TogglePin{}.update(a)
	case "z":
		a.Zoom = !a.Zoom
		a.effects.Redraw(host.Shell | host.Figures | host.Link)
	case "m":
		ToggleMap3D{}.update(a)
	case "1", "2", "3", "4":
		if lane := int(key[0] - '1'); lane < len(a.Config.Lanes()) {
			Focus{lane}.update(a)
		}
	case "t":
		a.OpenShownTable()
	case "?":
		OpenSheet{"keys"}.update(a)
	case "Escape":
		return !a.closeOverlay() && a.clearSelection()
	default:
		return false
	}
	return true
}

// CloseOverlay closes the innermost of what lies over the page.
type CloseOverlay struct{}

func (CloseOverlay) update(s *State) { s.closeOverlay() }

// closeOverlay reports whether there was anything to close.
func (a *State) closeOverlay() bool {
	switch {
	case a.Adding:
		a.Adding = false
	case a.Tuning >= 0:
		a.Tuning = -1
	case a.Drawer:
		a.Drawer = false
	case a.Phases.At > 0:
		a.Phases.At = 0
		a.effects.Redraw(host.Figures)
	default:
		return false
	}
	a.effects.Redraw(host.Shell)
	return true
}
