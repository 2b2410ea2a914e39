package ui

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Several clients in the light at once. One selection is what it always was:
// Selected is its client while it has one, Several are its clients while it has
// more.

// Chosen are the clients that are selected, by number.
func (a *App) Chosen() []int {
	if a.Selected >= 0 {
		return []int{a.Selected}
	}
	return a.Several
}

// Choose selects these clients and no others.
func (a *App) Choose(clients []int) {
	a.keep(clients)
	a.askDetail()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// Brush selects clients while the pointer draws around them.
func (a *App) Brush(clients []int) {
	a.keep(clients)
	a.Host.Change(host.Figures) // the words follow at the end, so that nothing moves below the pointer
}

// keep makes clients the selection.
func (a *App) keep(clients []int) {
	a.Selected, a.Several = -1, nil
	switch clients = union(clients, nil); len(clients) {
	case 0:
	case 1:
		a.Selected = clients[0]
	default:
		a.Several = clients
	}
}

// union are the clients of both, each once, by number.
func union(a, b []int) []int {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Toggle adds a client to the selection, or takes it out.
func (a *App) Toggle(client int) {
	chosen := slices.Clone(a.Chosen())
	if i := slices.Index(chosen, client); i >= 0 {
		a.Choose(slices.Delete(chosen, i, i+1))
		return
	}
	a.Choose(append(chosen, client))
}

// LetGo empties the selection, and reports whether there was any.
func (a *App) LetGo() bool {
	if len(a.Chosen()) == 0 {
		return false
	}
	a.Choose(nil)
	return true
}

// Speaker is the client whose numbers are shown where one has to speak for all.
func (a *App) Speaker() int {
	if chosen := a.Chosen(); len(chosen) > 0 {
		return chosen[0]
	}
	return 0
}

// ClientList writes clients as a link has them: numbers from 1, and ranges of
// them, "3,5-8".
func ClientList(clients []int) string {
	var b strings.Builder
	for i := 0; i < len(clients); i++ {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(itoa(clients[i] + 1))
		from := i
		for i+1 < len(clients) && clients[i+1] == clients[i]+1 {
			i++
		}
		if i > from {
			b.WriteString("-" + itoa(clients[i]+1))
		}
	}
	return b.String()
}

// mostListed is the largest number of a client in a link.
const mostListed = 1 << 16

// readClients reads what clientList writes, nil for what makes no sense.
func readClients(text string) []int {
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

// severalCard says who is selected: how many of each group, and with which models
// and in which wrong places in each lane.
func (a *App) severalCard() Card {
	c := Card{Head: a.SelectionWords()}
	if h := a.Run.Header; h.HasTruth() {
		v := a.view(0)
		groups := a.tally(h.Groups, func(i int) int { return int(h.Group[i]) }, func(g, n int) string {
			return chart.Count(n, "client") + " of " + v.GroupName(g)
		})
		c.Rows = append(c.Rows, strings.Join(groups, "; ")+".") // names have commas
	}
	for lane := range a.Run.Header.Lanes {
		if f := a.ShownFrame(lane); f != nil {
			c.Rows = append(c.Rows, a.severalRow(lane, f))
		}
	}
	return c
}

func (a *App) severalRow(lane int, f *trace.Frame) string {
	v := a.view(lane)
	info := &a.Run.Header.Lanes[lane]
	if info.Columns == 1 && info.Models > 1 {
		return info.Title + ": a model of its own for each"
	}
	models := a.tally(info.Models, func(i int) int { return int(f.Label[i]) }, func(k, n int) string {
		return itoa(n) + " with model " + v.Letter(k)
	})
	text := info.Title + ": " + strings.Join(models, ", ")
	if !a.hasVerdict(lane) {
		return text
	}
	wrong := 0
	several := a.present()
	for _, i := range new(chart.Map).Misplaced(&v) {
		if _, in := slices.BinarySearch(several, i); in {
			wrong++
		}
	}
	return text + "; " + itoa(wrong) + " misplaced"
}

// tally counts the selected clients by what they are of, 0 to n−1, and says so of
// the most frequent few.
func (a *App) tally(n int, of func(client int) int, say func(k, count int) string) []string {
	const most = 4
	counts, order := make([]int, n), make([]int, n)
	for _, i := range a.present() {
		if k := of(i); k >= 0 && k < n {
			counts[k]++
		}
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return counts[y] - counts[x] })
	var words []string
	for _, k := range order {
		if counts[k] == 0 {
			break
		}
		if len(words) == most {
			words = append(words, "…")
			break
		}
		words = append(words, say(k, counts[k]))
	}
	return words
}

// present are the selected clients, if several, that the run on screen has.
func (a *App) present() []int {
	n, _ := slices.BinarySearch(a.Several, a.Run.Header.Clients)
	return a.Several[:n]
}

// SelectionWords say how many clients are selected, "" while they are not several.
func (a *App) SelectionWords() string {
	if a.Run == nil || len(a.present()) == 0 {
		return ""
	}
	return itoa(len(a.present())) + " of " + chart.Count(a.Run.Header.Clients, "client") + " selected"
}
