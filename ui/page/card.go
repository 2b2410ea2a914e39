package page

import "flockscope/sim/say"

// Card describes the focused client, or the selection.
type Card struct {
	Head string
	Rows []string // one per lane
}

// Card returns the card of the focused client or of several selected ones. Its Head is empty when
// there are none.
func (s *State) Card() Card {
	i := s.FocusedClient()
	switch {
	case i < 0 && s.SelectionWords() != "":
		return s.selectionCard()
	case i < 0:
		return Card{}
	}
	h := s.Run.Header
	v := s.view(0)
	c := Card{Head: say.Textf("Client %d", i+1)}
	switch {
	case h.Lies(i):
		c.Head = say.Textf("Client %d, a liar", i+1)
	case h.HasTruth():
		c.Head = say.Textf("Client %d, group %d (%s)", i+1, h.Group[i]+1, say.Message(v.Shape(i).String()))
		if g := int(h.Group[i]); g < len(h.DataPreview.Gallery.Groups) {
			c.Head = say.Textf("%s: %s", c.Head, v.GroupName(g))
		}
	}
	for lane := range h.Lanes {
		if l := s.laneWords(lane); l.Frame != nil {
			c.Rows = append(c.Rows, l.Card(i))
		}
	}
	return c
}
