package page

import "flockscope/ui/host"

const (
	noNetwork  = "No network. Everything still works."
	newVersion = "The server has a new version of Flockscope. Reload the page to use it; " +
		"until then this version goes on."
)

// Replaced says that the server has another version of the site than this page is of.
type Replaced struct{}

func (Replaced) update(s *State) { s.Notify(newVersion) }

// Network says whether there is one. kept is whether the page would open
// without it.
type Network struct{ Up, Kept bool }

func (m Network) update(s *State) {
	switch {
	case m.Up:
		s.Withdraw(noNetwork)
		s.effects.Redraw(host.Shell)
	case m.Kept:
		s.Notify(noNetwork)
	}
}
