package ui

import "flockscope/ui/host"

// tourPage is the page as the tour sees it.
type tourPage struct{ *App }

func (p tourPage) LookedAt() int    { return p.Round }
func (p tourPage) Settings() string { return p.Config.String() }
func (p tourPage) Tune(lane int)    { p.Tuning = lane }

// StartTour begins the tour of the page.
func (a *App) StartTour() {
	a.Sheet, a.Player.Playing, a.Drawer = "", false, false
	a.Tour.Start(tourPage{a})
	a.Host.Change(host.Shell)
}

// TourTo goes to a stop; past the last one the tour ends.
func (a *App) TourTo(n int) {
	a.Tour.To(n, tourPage{a})
	a.Host.Change(host.Shell)
}

// EndTour ends it.
func (a *App) EndTour() { a.TourTo(-1) }

// Tried reports whether what a stop has to try was tried.
func (a *App) Tried() bool { return a.Tour.Tried(tourPage{a}) }

// TourKey acts on a key in the tour's card.
func (a *App) TourKey(key string) bool {
	switch key {
	case "Escape":
		a.EndTour()
	case "ArrowRight":
		a.TourTo(a.Tour.At + 1)
	case "ArrowLeft":
		a.TourTo(max(a.Tour.At-1, 0))
	default:
		return false
	}
	return true
}
