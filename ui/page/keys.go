package page

import "flockscope/ui/host"

// Key acts on a key that no control took, and reports whether it meant
// anything.
func (a *State) Key(key string, shift bool) bool {
	step := 1
	if shift {
		step = 10
	}
	switch key {
	case " ", "k":
		a.Player.PlayNow()
	case "ArrowRight":
		a.Player.Step(step)
	case "ArrowLeft":
		a.Player.Step(-step)
	case ".":
		a.Phases.Step(1)
	case ",":
		a.Phases.Step(-1)
	case "]":
		a.Player.Jump(1)
	case "[":
		a.Player.Jump(-1)
	case "Home":
		a.Player.Seek(0)
	case "End":
		a.Player.Seek(a.Rounds())
	case "r":
		a.Player.Seek(0)
	case "R":
		a.Settings.NewSeeds()
	case "s":
		if !a.Runs.Stoppable() && !a.Runs.Stopped() {
			return false
		}
		a.Runs.StopOrRun()
	case "g":
		a.Pinned.Toggle()
	case "z":
		a.Zoom = !a.Zoom
		a.effects.Redraw(host.Shell | host.Figures | host.Link)
	case "m":
		a.ToggleMap3D()
	case "1", "2", "3", "4":
		if lane := int(key[0] - '1'); lane < len(a.Config.Lanes()) {
			a.Focus(lane)
		}
	case "t":
		a.OpenShownTable()
	case "?":
		a.OpenSheet("keys")
	case "Escape":
		return !a.CloseOverlay() && a.LetGo()
	default:
		return false
	}
	return true
}

// CloseOverlay closes the innermost of what lies over the page, and reports
// whether there was anything.
func (a *State) CloseOverlay() bool {
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
