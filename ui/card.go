package ui

import (
	"fmt"

	"flockscope/ui/chart"
)

// Card is what is known of the client in focus.
type Card struct {
	Head string
	Rows []string // one a lane
}

// Card returns the card of the client in focus, or of several that are
// selected; its Head is empty when there are none.
func (a *App) Card() Card {
	i := a.Subject()
	switch {
	case i < 0 && a.SelectionWords() != "":
		return a.severalCard()
	case i < 0:
		return Card{}
	}
	h := a.Run.Header
	v := a.view(0)
	c := Card{Head: "Client " + chart.Client(i)}
	if h.HasTruth() {
		c.Head += fmt.Sprintf(", group %d (%s)", h.Group[i]+1, v.Shape(i))
		if g := int(h.Group[i]); g < len(h.Scenery.Gallery.Groups) {
			c.Head += ": " + v.GroupName(g)
		}
	}
	for lane := range h.Lanes {
		if l := a.laneWords(lane); l.Frame != nil {
			c.Rows = append(c.Rows, l.Card(i))
		}
	}
	return c
}
