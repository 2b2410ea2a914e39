package page

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/host"
)

// SelectClients: the user selects these clients and no others.
type SelectClients struct{ Clients []int }

func (m SelectClients) update(s *State) {
	s.SetSelection(m.Clients)
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// SelectWhileDragging: the user drags a rectangle around clients.
type SelectWhileDragging struct{ Clients []int }

func (m SelectWhileDragging) update(s *State) {
	s.SetSelection(m.Clients)
	s.effects.Redraw(host.Figures) // texts follow at the end of the drag, so the layout is stable meanwhile
}

// ToggleClient: the user adds a client to the selection, or removes it.
type ToggleClient struct{ Client int }

func (m ToggleClient) update(s *State) {
	SelectClients{s.Toggled(m.Client)}.update(s)
}

// ClearSelection: the user clears the selection.
type ClearSelection struct{}

func (ClearSelection) update(s *State) { s.effects.Handled = s.clearSelection() }

// clearSelection reports whether a client was selected.
func (s *State) clearSelection() bool {
	if len(s.SelectedClients()) == 0 {
		return false
	}
	SelectClients{nil}.update(s)
	return true
}

// selectionCard describes several selected clients: how many of each group and, per lane, of each
// model and how many are misplaced.
func (s *State) selectionCard() Card {
	c := Card{Head: s.SelectionWords()}
	if h := s.Run.Header; h.HasTruth() {
		v := s.view(0)
		groups := s.countSelected(h.Groups+1, v.Group, func(g, n int) string {
			if n == 1 {
				return say.Textf("%d client of %s", n, v.GroupName(g))
			}
			return say.Textf("%d clients of %s", n, v.GroupName(g))
		})
		c.Rows = append(c.Rows, say.Textf("%s.", say.Join(groups, "; "))) // group names contain commas
	}
	for lane := range s.Run.Header.Lanes {
		if f := s.ShownFrame(lane); f != nil {
			c.Rows = append(c.Rows, s.selectionRow(lane, f))
		}
	}
	return c
}

// selectionRow describes the selected clients in a lane.
func (s *State) selectionRow(lane int, f *trace.Frame) string {
	v := s.view(lane)
	info := &s.Run.Header.Lanes[lane]
	if info.Columns == 1 && info.Models > 1 {
		return say.Textf("%s: a model of its own for each", say.Message(info.Title))
	}
	models := s.countSelected(info.Models, func(i int) int { return int(f.Label[i]) }, func(k, n int) string {
		return say.Textf("%d with model %s", n, v.Letter(k))
	})
	text := say.Textf("%s: %s", say.Message(info.Title), say.Join(models, ", "))
	if !s.hasVerdict(lane) {
		return text
	}
	wrong := 0
	several := s.selectedInRun()
	for _, i := range new(clientmap.Map).Misplaced(&v) {
		if _, in := slices.BinarySearch(several, i); in {
			wrong++
		}
	}
	return say.Textf("%s; %d misplaced", text, wrong)
}

// countSelected counts the selected clients by category, 0 to n−1, and describes the most frequent
// ones.
func (s *State) countSelected(n int, of func(client int) int, words func(k, count int) string) []string {
	const most = 4
	counts, order := make([]int, n), make([]int, n)
	for _, i := range s.selectedInRun() {
		if k := of(i); k >= 0 && k < n {
			counts[k]++
		}
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return counts[y] - counts[x] })
	var out []string
	for _, k := range order {
		if counts[k] == 0 {
			break
		}
		if len(out) == most {
			out = append(out, "…")
			break
		}
		out = append(out, words(k, counts[k]))
	}
	return out
}

// selectedInRun returns the clients of a selection of several that the run on screen has.
func (s *State) selectedInRun() []int {
	n, _ := slices.BinarySearch(s.Multiple, s.Run.Header.Clients)
	return s.Multiple[:n]
}

// SelectionWords says how many clients are selected, "" for at most one.
func (s *State) SelectionWords() string {
	if s.Run == nil || len(s.selectedInRun()) == 0 {
		return ""
	}
	return say.Textf("%d of %s selected", len(s.selectedInRun()), say.Count(s.Run.Header.Clients, "client"))
}

// Selection is the selected clients, by number from 0, and the one under the pointer.
type Selection struct {
	Selected int   // the only selected client, −1 for none or several
	Multiple []int // the selected clients in ascending order, if several
	Hover    int   // client under the pointer, −1 for none
}

// SelectedClients returns the selected clients in ascending order.
func (s *Selection) SelectedClients() []int {
	if s.Selected >= 0 {
		return []int{s.Selected}
	}
	return s.Multiple
}

// SetSelection selects clients.
func (s *Selection) SetSelection(clients []int) {
	s.Selected, s.Multiple = -1, nil
	switch clients = union(clients, nil); len(clients) {
	case 0:
	case 1:
		s.Selected = clients[0]
	default:
		s.Multiple = clients
	}
}

// union are the clients of both, each once, by number.
func union(a, b []int) []int {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Toggled returns the selected clients with one more, or without it.
func (s *Selection) Toggled(client int) []int {
	chosen := slices.Clone(s.SelectedClients())
	if i := slices.Index(chosen, client); i >= 0 {
		return slices.Delete(chosen, i, i+1)
	}
	return append(chosen, client)
}

// ClientsText formats clients for a link: numbers from 1 and ranges, "3,5-8".
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

// maxClientNumber is the maximum number of a client in a link.
const maxClientNumber = 1 << 16

// parseClients reads a text of [ClientsText], nil if it is invalid.
func parseClients(text string) []int {
	var out []int
	for _, part := range strings.Split(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil || from < 1 || to < from || to > maxClientNumber || len(out) > maxClientNumber {
			return nil
		}
		for n := from; n <= to; n++ {
			out = append(out, n-1)
		}
	}
	return out
}
