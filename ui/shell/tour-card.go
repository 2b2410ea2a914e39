package shell

import (
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// TourCard is the present stop.
type TourCard struct {
	App *App
}

func (c *TourCard) stop() *page.TourStop { return &page.TourStops[c.App.Lessons.Tour.Stop] }

func (c *TourCard) progress() string {
	return say.Textf("%d of %d", c.App.Lessons.Tour.Stop+1, len(page.TourStops))
}

func (c *TourCard) last() bool { return c.App.Lessons.Tour.Stop == len(page.TourStops)-1 }

func (c *TourCard) nextWords() string {
	if c.last() {
		return "Done"
	}
	return "Next"
}

// tryPath is a circle, with a tick once the user has tried it.
func (c *TourCard) tryPath() string {
	if c.App.Lessons.TryDone() {
		return ticked
	}
	return unticked
}

// triedWords say that the stop was tried.
func (c *TourCard) triedWords() string {
	if c.App.Lessons.TryDone() {
		return "Done."
	}
	return ""
}
