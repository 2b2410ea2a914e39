package samples

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/english"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Describe says who sees what, and what the client in focus calls it.
func (g *Gallery) Describe(v *chart.View) string {
	if v.Run == nil {
		return "Data: nothing computed yet."
	}
	h := v.Run.Header
	p := &h.Scenery.Gallery
	text := "Data: " + english.Count(h.Clients, "client")
	if p.Holds() {
		text += fmt.Sprintf(" with pictures of %d × %d pixels in %s", p.Width, p.Height,
			english.Count(len(p.Classes), "class"))
	} else {
		text += ", whose samples are no pictures"
	}
	if h.HasTruth() && h.Groups > 1 {
		text += ", in " + english.Count(h.Groups, "group")
		if len(p.Groups) == h.Groups && h.Groups <= 12 {
			g.arrange(v)
			for n, from := range g.from {
				sep := ", "
				if n == 0 {
					sep = ": "
				}
				i := g.clients[from]
				text += sep + p.Groups[v.Group(i)] + " (" + v.Shape(i).String() + ")"
			}
		}
	}
	if i := v.Subject(); i >= 0 && p.Holds() {
		text += ". Client " + chart.Client(i)
		if n := v.Group(i); n >= 0 && n < len(p.Groups) {
			text += ", " + p.Groups[n] + ","
		}
		var does []string
		if sees := portrait(p, i).Sees; sees != "" {
			does = append(does, "sees "+sees)
		}
		if holds := portrait(p, i).Holds; holds > 0 {
			does = append(does, "trains on "+english.Count(holds, "sample"))
		}
		if v.Classifies() {
			does = append(does, "calls its pictures "+picturesCalled(p, i))
		}
		text = strings.TrimRight(text+" "+strings.Join(does, " and "), ", ")
	}
	return text + "."
}

// Table lists the clients, what they hold and the model they were given, as far as
// there is anything to say.
func (g *Gallery) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "in common", "model", "calls its pictures"}
	if v.Run == nil {
		return head, nil
	}
	if len(v.Run.Header.Scenery.Gallery.Portraits) > 0 {
		head = append(head, "sees", "samples", "of each class")
	}
	g.arrange(v)
	f, p := v.Frame(), &v.Run.Header.Scenery.Gallery
	differ := slices.ContainsFunc(p.Portraits, func(one trace.Portrait) bool { return one.Sees != "" })
	named := differ && namedBySight(v)
	for _, i := range g.clients {
		row := []string{chart.Client(i), v.ClientGroup(i), "", "none", ""}
		if n := v.Group(i); n >= 0 && n < len(p.Groups) {
			row[2] = p.Groups[n]
		}
		if f != nil && chart.ModelOf(f, i) >= 0 {
			row[3] = v.Letter(chart.ModelOf(f, i))
		}
		if p.Holds() && v.Classifies() {
			row[4] = picturesCalled(p, i)
		}
		if len(p.Portraits) > 0 {
			one := portrait(p, i)
			sees := one.Sees
			switch {
			case sees != "" || !differ:
			case named:
				sees = sight(v.GroupName(v.Group(i)))
			default:
				sees = "as they are"
			}
			row = append(row, sees, strconv.Itoa(one.Holds), g.holds(p, i))
		}
		rows = append(rows, row)
	}
	return filled(head, rows)
}

// namedBySight reports whether groups are named after how their clients see their
// samples. Then the name of a group that sees them as they are says so, too: it is 0°
// where others see theirs at 90°.
func namedBySight(v *chart.View) bool {
	p := &v.Run.Header.Scenery.Gallery
	for i := range p.Portraits {
		n := v.Group(i)
		if n < 0 {
			return false
		}
		sees, group := p.Portraits[i].Sees, sight(v.GroupName(n))
		if sees != "" && sees != group && !strings.HasPrefix(sees, group+" ") { // "noise 5" is of "noise"
			return false
		}
	}
	return true
}

// sight is the part of a group's name that says how its clients see their samples.
func sight(group string) string {
	first, _, _ := strings.Cut(group, ", ")
	return first
}

// filled returns a table without the columns in which nothing is known of anybody.
func filled(head []string, rows [][]string) ([]string, [][]string) {
	known := func(row []string, column int) bool { return row[column] != "" && row[column] != "unknown" }
	for column := len(head) - 1; column >= 0; column-- {
		if slices.ContainsFunc(rows, func(row []string) bool { return known(row, column) }) {
			continue
		}
		head = slices.Delete(head, column, column+1)
		for n := range rows {
			rows[n] = slices.Delete(rows[n], column, column+1)
		}
	}
	return head, rows
}

// picturesCalled lists what a client calls its pictures.
func picturesCalled(p *trace.Gallery, client int) string {
	var names []string
	for n := range p.Each {
		name := called(p, client, n)
		if meant := meant(p, client, n); meant != "" {
			name += " (by mistake for " + meant + ")"
		}
		names = append(names, name)
	}
	return english.List(names)
}

// holds lists the classes of which a client has samples, with their numbers.
func (g *Gallery) holds(p *trace.Gallery, client int) string {
	var names []string
	for class, n := range portrait(p, client).Of {
		if n > 0 {
			names = append(names, strconv.Itoa(n)+" × "+p.Name(client, class))
		}
	}
	return strings.Join(names, ", ")
}
