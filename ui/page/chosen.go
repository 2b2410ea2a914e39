// Package selection is the clients that a person has selected, and the one pointed at.
package page

import (
	"slices"
	"strconv"
	"strings"
)

// Selection is the clients that are selected, by number from 0, and the one under the
// pointer.
type Selection struct {
	Selected int   // client, −1 for none or several
	Several  []int // clients, by number, when more than one is selected
	Hover    int   // client under the pointer, −1 for none
}

// Chosen are the clients that are selected, by number.
func (s *Selection) Chosen() []int {
	if s.Selected >= 0 {
		return []int{s.Selected}
	}
	return s.Several
}

// Keep makes clients the selection.
func (s *Selection) Keep(clients []int) {
	s.Selected, s.Several = -1, nil
	switch clients = union(clients, nil); len(clients) {
	case 0:
	case 1:
		s.Selected = clients[0]
	default:
		s.Several = clients
	}
}

// union are the clients of both, each once, by number.
func union(a, b []int) []int {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Toggled are the selected clients with one more, or without it.
func (s *Selection) Toggled(client int) []int {
	chosen := slices.Clone(s.Chosen())
	if i := slices.Index(chosen, client); i >= 0 {
		return slices.Delete(chosen, i, i+1)
	}
	return append(chosen, client)
}

// Speaker is the client whose numbers are shown where one has to speak for all.
func (s *Selection) Speaker() int {
	if chosen := s.Chosen(); len(chosen) > 0 {
		return chosen[0]
	}
	return 0
}

// ClientsText writes clients as a link has them: numbers from 1, and ranges of
// them, "3,5-8".
func ClientsText(clients []int) string {
	var b strings.Builder
	for i := 0; i < len(clients); i++ {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(clients[i] + 1))
		from := i
		for i+1 < len(clients) && clients[i+1] == clients[i]+1 {
			i++
		}
		if i > from {
			b.WriteString("-" + strconv.Itoa(clients[i]+1))
		}
	}
	return b.String()
}

// mostListed is the largest number of a client in a link.
const mostListed = 1 << 16

// parseClients reads what [ClientsText] writes, nil for what makes no sense.
func parseClients(text string) []int {
	var out []int
	for _, part := range strings.Split(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil || from < 1 || to < from || to > mostListed || len(out) > mostListed {
			return nil
		}
		for n := from; n <= to; n++ {
			out = append(out, n-1)
		}
	}
	return out
}
