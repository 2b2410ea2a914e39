package page

import "flockscope/ui/host"

const (
	noNetwork  = "No network. Everything still works."
	newVersion = "The server has a new version of Flockscope. Reload the page to use it; " +
		"until then this version goes on."
)

// Replaced says that the server has another version of the site than this page is of.
func (a *State) Replaced() { a.Notify(newVersion) }

// Network says whether there is one. kept is whether the page would open
// without it.
func (a *State) Network(up, kept bool) {
	switch {
	case up:
		a.Withdraw(noNetwork)
		a.effects.Redraw(host.Shell)
	case kept:
		a.Notify(noNetwork)
	}
}
