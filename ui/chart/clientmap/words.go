package clientmap

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Describe lists the clusters and the misplaced clients.
func (m *Map) Describe(v *chart.View) string {
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil {
		return say.Text("Map: nothing computed yet.")
	}
	text := say.Textf("%s.", m.DescribeClusters(v))
	if len(f.XY) == 0 {
		text = say.Textf("%s %s", noMapReason(v), text)
	}
	if m.in3D(v, f) {
		return say.Textf("Map, round %d, %s, in three dimensions, %s: %s", f.Round, v.Title(v.Lane), m.From.String(),
			text)
	}
	return say.Textf("Map, round %d, %s: %s", f.Round, v.Title(v.Lane), text)
}

// DescribeClusters says which clients of the shown round have the same models, and which are misplaced.
func (m *Map) DescribeClusters(v *chart.View) string {
	f := v.Frame()
	m.match.Find(v, f)
	parts := m.describeClusters(v, f)
	if wrong := m.describeMisplaced(v, f); wrong != "" {
		parts = append(parts, wrong)
	}
	return say.Join(parts, "; ")
}

// describeClusters says which clients have the same models, and how many have not taken part yet.
func (m *Map) describeClusters(v *chart.View, f *trace.Frame) (parts []string) {
	clients := say.Count(v.Run.Header.Clients, "client")
	if f.Clusters > scene.Clusters {
		return append(parts, say.Textf("%s in %d models", clients, f.Clusters))
	}
	for _, k := range v.ByAlias(modelCount(f)) {
		members := m.members(v, f, k)
		switch {
		case members == "":
			continue
		case len(parts) == 0:
			parts = append(parts, say.Textf("%s together as model %s", members, v.Letter(k)))
		default:
			parts = append(parts, say.Textf("%s as %s", members, v.Letter(k)))
		}
	}
	unheard := 0
	for i := range f.Label {
		if !m.match.Participated(i) {
			unheard++
		}
	}
	switch {
	case len(parts) == 0:
		parts = append(parts, say.Textf("%s without a model", clients))
	case unheard > 0:
		parts = append(parts, say.Textf("%s yet to participate", say.Count(unheard, "client")))
	}
	return parts
}

// members counts the clients of model k by shape, "" if there are none.
func (m *Map) members(v *chart.View, f *trace.Frame, k int) string {
	var of [scene.Shapes + 1]int
	all := 0
	for i := range f.Label {
		if m.match.Given(f, i) == k {
			of[v.Shape(i)]++
			all++
		}
	}
	if all == 0 {
		return ""
	}
	if !v.Run.Header.HasTruth() {
		return say.Count(all, "client")
	}
	var words []string
	for s, n := range of {
		if n > 0 {
			words = append(words, say.Count(n, scene.Shape(s).String()))
		}
	}
	return say.List(words)
}

// describeMisplaced lists the misplaced clients, "" where no client can be misplaced.
func (m *Map) describeMisplaced(v *chart.View, f *trace.Frame) string {
	if !v.Run.Header.HasTruth() || v.IsUnclustered(v.Lane) || len(f.Label) == 0 {
		return ""
	}
	var who []string
	for _, i := range m.Misplaced(v) {
		who = append(who, chart.Client(i))
	}
	switch n := len(who); {
	case n == 0:
		return say.Text("none misplaced")
	case n == 1:
		return say.Textf("%d misplaced: client %s", n, who[0])
	case n <= 6:
		return say.Textf("%d misplaced: clients %s", n, say.List(who))
	default:
		return say.Textf("%d misplaced", n)
	}
}

// Misplaced returns the misplaced clients of the shown round, in order.
func (m *Map) Misplaced(v *chart.View) []int {
	f := v.Frame()
	if f == nil {
		return nil
	}
	m.match.Find(v, f)
	var who []int
	for i := range f.Label {
		if m.match.Misplaced(v, i, chart.ModelOf(f, i)) {
			who = append(who, i)
		}
	}
	return who
}

// Table lists the clients: number, group, model, whether misplaced, position.
func (m *Map) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "model", "placed", "x", "y"}
	f := v.Frame()
	if f == nil {
		return head, nil
	}
	m.match.Find(v, f)
	for i := range v.Run.Header.Clients {
		row := []string{chart.Client(i), v.ClientGroup(i), "none", "", "", ""}
		if k := chart.ModelOf(f, i); k >= 0 {
			row[2] = v.Letter(k)
			switch {
			case v.Group(i) < 0 || v.Run.Header.Lies(i) || v.IsUnclustered(v.Lane):
			case !m.match.Participated(i):
				row[3] = "yet to participate"
			case m.match.Misplaced(v, i, k):
				row[3] = "misplaced"
			default:
				row[3] = "right"
			}
		}
		if len(f.XY) > 2*i+1 {
			row[4], row[5] = chart.Number(float64(f.XY[2*i])), chart.Number(float64(f.XY[2*i+1]))
		}
		rows = append(rows, row)
	}
	return head, rows
}
