package clientmap

import (
	"fmt"
	"strconv"

	"flockscope/sim/english"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/scene"
)

// Describe says who is together and who is misplaced.
func (m *Map) Describe(v *chart.View) string {
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil {
		return "Map: nothing computed yet."
	}
	m.match.Find(v, f)
	head := fmt.Sprintf("Map, round %d, %s: ", f.Round, lane.Title)
	if m.in3D(v, f) {
		head = fmt.Sprintf("Map, round %d, %s, in three dimensions, %v: ", f.Round, lane.Title, m.From)
	}
	if len(f.XY) == 0 {
		head += why(v) + " "
	}
	if f.Clusters > scene.Clusters {
		return head + fmt.Sprintf("%s in %d models%s.", english.Count(v.Run.Header.Clients, "client"), f.Clusters,
			m.misplaced(v, f))
	}
	text := ""
	for _, k := range v.ByPlace(modelCount(f)) {
		members := m.members(v, f, k)
		switch {
		case members == "":
			continue
		case text == "":
			text = members + " together as model " + v.Letter(k)
		default:
			text += "; " + members + " as " + v.Letter(k)
		}
	}
	unheard := 0
	for i := range f.Label {
		if !m.match.Heard(i) {
			unheard++
		}
	}
	switch {
	case text == "":
		text = english.Count(v.Run.Header.Clients, "client") + " without a model"
	case unheard > 0:
		text += "; " + english.Count(unheard, "client") + " not heard yet"
	}
	return head + text + m.misplaced(v, f) + "."
}

// members names the clients of model k by shape, "" when there are none.
func (m *Map) members(v *chart.View, f *trace.Frame, k int) string {
	var of [scene.Shapes]int
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
		return english.Count(all, "client")
	}
	var words []string
	for s, n := range of {
		if n > 0 {
			words = append(words, english.Count(n, scene.Shape(s).String()))
		}
	}
	return english.List(words)
}

// misplaced ends the sentence with who is in the wrong place.
func (m *Map) misplaced(v *chart.View, f *trace.Frame) string {
	if !v.Run.Header.HasTruth() || v.IsUnclustered(v.Lane) || len(f.Label) == 0 {
		return ""
	}
	var who []string
	for _, i := range m.Misplaced(v) {
		who = append(who, chart.Client(i))
	}
	switch n := len(who); {
	case n == 0:
		return "; none misplaced"
	case n == 1:
		return "; 1 misplaced: client " + who[0]
	case n <= 6:
		return "; " + strconv.Itoa(n) + " misplaced: clients " + english.List(who)
	default:
		return "; " + strconv.Itoa(n) + " misplaced"
	}
}

// Misplaced returns who is misplaced at the round looked at, in order.
func (m *Map) Misplaced(v *chart.View) []int {
	f := v.Frame()
	if f == nil {
		return nil
	}
	m.match.Find(v, f)
	var who []int
	for i := range f.Label {
		if m.match.Wrong(v, i, chart.ModelOf(f, i)) {
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
			case v.Group(i) < 0 || v.IsUnclustered(v.Lane):
			case !m.match.Heard(i):
				row[3] = "not heard yet"
			case m.match.Wrong(v, i, k):
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
