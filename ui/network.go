package ui

import "flockscope/ui/host"

const noNetwork = "No network. Everything still works."

// Network says whether there is one. kept is whether the page would open
// without it.
func (a *App) Network(up, kept bool) {
	switch {
	case up:
		a.Withdraw(noNetwork)
		a.Host.Change(host.Shell)
	case kept:
		a.Notify(noNetwork)
	}
}
