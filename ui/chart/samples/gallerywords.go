package samples

import (
	"slices"
	"strconv"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Describe gives the groups, and the data and labels of the client in focus.
func (g *Gallery) Describe(v *chart.View) string {
	if v.Run == nil {
		return say.Text("Data: nothing computed yet.")
	}
	h := v.Run.Header
	p := &h.DataPreview.Gallery
	text := say.Count(h.Clients, "client")
	if p.HasImages() {
		text = say.Textf("%s with images of %d × %d pixels in %s", text, p.Width, p.Height,
			say.Count(len(p.Classes), "class"))
	} else {
		text = say.Textf("%s, whose samples are not images", text)
	}
	if h.HasTruth() && h.Groups > 1 {
		text = say.Textf("%s, in %s", text, say.Count(h.Groups, "group"))
		if len(p.Groups) == h.Groups && h.Groups <= 12 {
			g.arrange(v)
			var groups []string
			for _, from := range g.from {
				i := g.clients[from]
				groups = append(groups, say.Textf("%s (%s)", v.GroupName(v.Group(i)), say.Message(v.Shape(i).String())))
			}
			text = say.Textf("%s: %s", text, say.Join(groups, ", "))
		}
	}
	text = say.Textf("Data: %s.", text)
	if i := v.Focus(); i >= 0 && p.HasImages() {
		text = say.Textf("%s %s", text, describeClient(v, p, i))
	}
	return text
}

// describeClient describes a client, its data and its labels.
func describeClient(v *chart.View, p *trace.Gallery, i int) string {
	named := v.Group(i) >= 0 && v.Group(i) < len(p.Groups)
	sees, holds := summaryOf(p, i).Transform, summaryOf(p, i).Samples
	text := say.Textf("Client %d", i+1)
	switch does := sees != "" || holds > 0 || v.Classifies(); {
	case named && does:
		text = say.Textf("Client %d, %s,", i+1, v.GroupName(v.Group(i)))
	case named:
		text = say.Textf("%s, %s", text, v.GroupName(v.Group(i)))
	}
	if sees != "" {
		text = say.Textf("%s sees %s", text, say.Message(sees))
	}
	switch samples := say.Count(holds, "sample"); {
	case holds > 0 && sees != "":
		text = say.Textf("%s and trains on %s", text, samples)
	case holds > 0:
		text = say.Textf("%s trains on %s", text, samples)
	}
	switch names := listLabels(p, i); {
	case v.Classifies() && (sees != "" || holds > 0):
		text = say.Textf("%s and labels its images %s", text, names)
	case v.Classifies():
		text = say.Textf("%s labels its images %s", text, names)
	}
	return say.Textf("%s.", text)
}

// Table lists the clients with their data and models, without empty columns.
func (g *Gallery) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "in common", "model", "labels"}
	if v.Run == nil {
		return head, nil
	}
	if len(v.Run.Header.DataPreview.Gallery.Clients) > 0 {
		head = append(head, "sees", "samples", "of each class")
	}
	g.arrange(v)
	f, p := v.Frame(), &v.Run.Header.DataPreview.Gallery
	differ := slices.ContainsFunc(p.Clients, func(one trace.ClientSummary) bool { return one.Transform != "" })
	named := differ && namedByView(v)
	for _, i := range g.clients {
		row := []string{chart.Client(i), v.ClientGroup(i), "", "none", ""}
		if n := v.Group(i); n >= 0 && n < len(p.Groups) {
			row[2] = v.GroupName(n)
		}
		if f != nil && chart.ModelOf(f, i) >= 0 {
			row[3] = v.Letter(chart.ModelOf(f, i))
		}
		if p.HasImages() && v.Classifies() {
			row[4] = listLabels(p, i)
		}
		if len(p.Clients) > 0 {
			one := summaryOf(p, i)
			sees := one.Transform
			switch {
			case sees != "" || !differ:
			case named:
				sees = viewOf(p.Groups[v.Group(i)])
			default:
				sees = "as they are"
			}
			row = append(row, say.Text(sees), strconv.Itoa(one.Samples), g.listClasses(p, i))
		}
		rows = append(rows, row)
	}
	return withoutEmptyColumns(head, rows)
}

// namedByView reports whether groups are named after how their clients see their samples. Then
// the group that sees them unchanged is named so, too: 0° beside 90°.
func namedByView(v *chart.View) bool {
	p := &v.Run.Header.DataPreview.Gallery
	for i := range p.Clients {
		n := v.Group(i)
		if n < 0 || n >= len(p.Groups) {
			return false
		}
		sees, group := p.Clients[i].Transform, viewOf(p.Groups[n])
		if sees != "" && sees.String() != group.String() && !startsWith(sees, group) {
			return false
		}
	}
	return true
}

// viewOf returns the part of a group's name that says how its clients see their samples.
func viewOf(group say.Message) say.Message {
	first, _, parted := group.Cut(", ")
	for parted {
		first, _, parted = first.Cut(", ")
	}
	return first
}

// withoutEmptyColumns returns a table without the columns that are empty or unknown for all
// clients.
func withoutEmptyColumns(head []string, rows [][]string) ([]string, [][]string) {
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

// listLabels lists the labels of a client's images.
func listLabels(p *trace.Gallery, client int) string {
	var names []string
	for n := range p.Each {
		name := labelOf(p, client, n)
		if meant := trueLabel(p, client, n); meant != "" {
			name = say.Textf("%s (wrong, should be %s)", name, meant)
		}
		names = append(names, name)
	}
	return say.List(names)
}

// listClasses lists a client's classes with their numbers of samples.
func (g *Gallery) listClasses(p *trace.Gallery, client int) string {
	var names []string
	for class, n := range summaryOf(p, client).PerClass {
		if n > 0 {
			names = append(names, strconv.Itoa(n)+" × "+say.Text(p.Name(client, class)))
		}
	}
	return say.Join(names, ", ")
}
