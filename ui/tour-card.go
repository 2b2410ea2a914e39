package ui

// TourCard is the present stop.
type TourCard struct {
	App *App
}

func (c *TourCard) stop() *Stop { return &Stops[c.App.Tour.At] }

func (c *TourCard) progress() string { return itoa(c.App.Tour.At+1) + " of " + itoa(len(Stops)) }

func (c *TourCard) last() bool { return c.App.Tour.At == len(Stops)-1 }

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
