package samples

import (
	"fmt"

	"flockscope/sim/english"
	"flockscope/ui/chart"
	"flockscope/ui/scene"
)

// Describe says what the lines of the lane have come to.
func (d *Plane) Describe(v *chart.View) string {
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil {
		return "Data: nothing computed yet."
	}
	h := v.Run.Header
	text := fmt.Sprintf("Data, round %d, %s: %s of %s", f.Round, lane.Title,
		english.Count(len(h.Scenery.Points), "sample"), english.Count(h.Clients, "client"))
	if h.HasTruth() {
		text += " in " + english.Count(h.Groups, "group")
	}
	made := v.Made()
	if len(made) > scene.Clusters {
		return text + fmt.Sprintf("; %d models.", len(made))
	}
	for n, k := range made {
		if slope, offset, ok := lineOf(v, f, k); ok {
			sep := "; model"
			if n == 0 {
				sep = ". Model"
			}
			text += fmt.Sprintf("%s %s: slope %s", sep, v.Letter(k), chart.Fixed(float64(slope), 2))
			if lane.Drawn == 2 {
				text += ", offset " + chart.Fixed(float64(offset), 2)
			}
			text += " (" + clientsOrNobody(chart.ClientsOf(f, k)) + ")"
		}
	}
	return text + "."
}

func clientsOrNobody(n int) string {
	if n == 0 {
		return "nobody"
	}
	return english.Count(n, "client")
}

// Table lists the models and the true lines.
func (d *Plane) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"line", "slope", "offset", "clients"}
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil {
		return head, nil
	}
	for _, k := range v.Made() {
		if slope, offset, ok := lineOf(v, f, k); ok {
			rows = append(rows, []string{"model " + v.Letter(k), chart.Fixed(float64(slope), 3),
				chart.Fixed(float64(offset), 3),
				clientsOrNobody(chart.ClientsOf(f, k))})
		}
	}
	for g, t := range v.Run.Header.Scenery.Truth {
		if len(v.Run.Header.Scenery.Truth) != v.Run.Header.Groups {
			break // a client may hold samples of two lines
		}
		n := 0
		for _, of := range v.Run.Header.Group {
			if int(of) == g {
				n++
			}
		}
		rows = append(rows, []string{fmt.Sprintf("group %d (%s)", g+1, scene.Shape(g%scene.Shapes)),
			chart.Fixed(float64(t.Slope), 3), chart.Fixed(float64(t.Offset), 3), english.Count(n, "client")})
	}
	return head, rows
}
