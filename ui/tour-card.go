package ui

// TourCard is the present stop.
type TourCard struct {
	App *App
}

func (c *TourCard) stop() *stop { return &stops[c.App.tour.at] }

func (c *TourCard) progress() string { return itoa(c.App.tour.at+1) + " of " + itoa(len(stops)) }

func (c *TourCard) last() bool { return c.App.tour.at == len(stops)-1 }

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
