package lane

import (
	"fmt"
	"math"
	"strconv"

	"flockscope/sim/english"
	"flockscope/ui/chart"
)

// Describe says how far the models are from the best ones, or where they are.
func (g *Models) Describe(v *chart.View) string {
	lane, f := v.LaneHeader(), v.Frame()
	if !draws(v) || f == nil || len(f.Models) < lane.Models*lane.Drawn {
		return "Models: too large to draw here."
	}
	g.plane.learn(v)
	text := fmt.Sprintf("Models, round %d, %s: ", f.Round, lane.Title)
	if i := v.Subject(); i >= 0 {
		k := chart.ModelOf(f, i)
		text += "client " + chart.Client(i) + " has model " + v.Letter(k)
		if d, ok := miss(v, f.Models, lane.Drawn, k, v.Group(i)); ok {
			text += ", " + chart.Number(d) + " from the best one for its group"
		}
		return text + "."
	}
	const most = 8
	shown := 0
	made := v.Made()
	for _, k := range made {
		n := chart.ClientsOf(f, k)
		if n == 0 && len(made) > most {
			continue
		}
		if shown++; shown > most {
			text += "; and others"
			break
		}
		if shown > 1 {
			text += "; "
		}
		text += v.Letter(k) + ", " + english.Count(n, "client")
		if n == 0 {
			text = text[:len(text)-len("0 clients")] + "nobody's"
		}
		if near, d, ok := nearest(v, f.Models, lane.Drawn, k); ok {
			text += ", " + chart.Number(d) + " from the best model of group " + strconv.Itoa(near+1)
		}
	}
	if lane.Drawn > 2 {
		text += fmt.Sprintf("; the plane keeps %s of the spread", chart.Percent(g.plane.kept))
	}
	return text + "."
}

// miss is how far model k is from the best one of a group.
func miss(v *chart.View, models []float32, size, k, group int) (float64, bool) {
	truth := v.Run.Header.Scenery.Truth
	if group < 0 || group >= len(truth) || size > 2 || k < 0 || len(models) < (k+1)*size {
		return 0, false
	}
	d := float64(models[k*size] - truth[group].Slope)
	if size == 2 {
		d = math.Hypot(d, float64(models[k*size+1]-truth[group].Offset))
	}
	return math.Abs(d), !math.IsNaN(d)
}

// nearest returns the group whose best model is nearest to model k.
func nearest(v *chart.View, models []float32, size, k int) (group int, distance float64, ok bool) {
	distance = math.Inf(1)
	for n := range v.Run.Header.Scenery.Truth {
		if d, known := miss(v, models, size, k, n); known && d < distance {
			group, distance, ok = n, d, true
		}
	}
	return group, distance, ok
}

// Table lists the models with their parameters and clients.
func (g *Models) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"model", "clients"}
	lane, f := v.LaneHeader(), v.Frame()
	if !draws(v) {
		return head, nil
	}
	for j := range lane.Drawn {
		switch {
		case lane.Drawn > 2:
			head = append(head, "parameter "+strconv.Itoa(j+1))
		default:
			head = append(head, [...]string{"slope", "offset"}[j])
		}
	}
	head = append(head, "nearest best", "distance")
	if f == nil || len(f.Models) < lane.Models*lane.Drawn {
		return head, nil
	}
	for _, k := range v.Made() {
		row := []string{v.Letter(k), strconv.Itoa(chart.ClientsOf(f, k))}
		for _, value := range f.Models[k*lane.Drawn : (k+1)*lane.Drawn] {
			row = append(row, chart.Number(float64(value)))
		}
		if group, d, ok := nearest(v, f.Models, lane.Drawn, k); ok {
			row = append(row, "group "+strconv.Itoa(group+1), chart.Number(d))
		} else {
			row = append(row, "unknown", "")
		}
		rows = append(rows, row)
	}
	return head, rows
}
