package shell

import (
	"flockscope/ui"
)

// TourCard is the present stop.
type TourCard struct {
	App *ui.App
}

func (c *TourCard) stop() *ui.Stop { return &ui.Stops[c.App.Tour.At] }

func (c *TourCard) progress() string {
	return itoa(c.App.Tour.At+1) + " of " + itoa(len(ui.Stops))
}

func (c *TourCard) last() bool { return c.App.Tour.At == len(ui.Stops)-1 }

func (c *TourCard) nextWords() string {
	if c.last() {
		return "Done"
	}
	return "Next"
}

// tryPath is a circle, with a tick once it was tried.
func (c *TourCard) tryPath() string {
	if c.App.Tried() {
		return ticked
	}
	return unticked
}
