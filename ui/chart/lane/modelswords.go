package lane

import (
	"math"
	"strconv"

	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe gives the distances of the models from the best ones.
func (g *Models) Describe(v *chart.View) string {
	lane, f := v.LaneHeader(), v.Frame()
	if !hasParameters(v) || f == nil || len(f.Models) < lane.Models*lane.FrameParams {
		return say.Text("Models: too large to draw here.")
	}
	g.plane.update(v)
	var text string
	if i := v.Focus(); i < 0 {
		text = say.Join(g.describeAll(v), "; ")
	} else {
		k := chart.ModelOf(f, i)
		text = say.Textf("client %d has model %s", i+1, v.Letter(k))
		if d, ok := distanceToBest(v, f.Models, lane.FrameParams, k, v.Group(i)); ok {
			text = say.Textf("%s, %s from the best one for its group", text, chart.Number(d))
		}
	}
	return say.Textf("Models, round %d, %s: %s.", f.Round, v.Title(v.Lane), text)
}

// describeAll lists the first few models with their numbers of clients and distances from the
// best ones.
func (g *Models) describeAll(v *chart.View) (parts []string) {
	const most = 8
	lane, f, made := v.LaneHeader(), v.Frame(), v.ExistingModels()
	for _, k := range made {
		n := chart.ClientsOf(f, k)
		if n == 0 && len(made) > most {
			continue
		}
		if len(parts) == most {
			parts = append(parts, say.Text("and others"))
			break
		}
		whose := say.Text("unused")
		if n > 0 {
			whose = say.Count(n, "client")
		}
		text := say.Textf("%s, %s", v.Letter(k), whose)
		if near, d, ok := nearest(v, f.Models, lane.FrameParams, k); ok {
			text = say.Textf("%s, %s from the best model of group %d", text, chart.Number(d), near+1)
		}
		parts = append(parts, text)
	}
	if lane.FrameParams > 2 {
		parts = append(parts, say.Textf("the plane keeps %s of the spread", chart.Percent(g.plane.kept)))
	}
	return parts
}

// distanceToBest returns the distance of model k from the best one of a group.
func distanceToBest(v *chart.View, models []float32, size, k, group int) (float64, bool) {
	best, ok := bestModel(v, size, group)
	if !ok || k < 0 || len(models) < (k+1)*size {
		return 0, false
	}
	sum := 0.0
	for j, value := range best {
		d := float64(models[k*size+j] - value)
		sum += d * d
	}
	return math.Sqrt(sum), !math.IsNaN(sum)
}

// nearest returns the group whose best model is nearest to model k.
func nearest(v *chart.View, models []float32, size, k int) (group int, distance float64, ok bool) {
	distance = math.Inf(1)
	for n := range max(v.Run.Header.Groups, len(v.Run.Header.DataPreview.Truth)) {
		if d, known := distanceToBest(v, models, size, k, n); known && d < distance {
			group, distance, ok = n, d, true
		}
	}
	return group, distance, ok
}

// Table lists the models with their parameters and clients.
func (g *Models) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"model", "clients"}
	lane, f := v.LaneHeader(), v.Frame()
	if !hasParameters(v) {
		return head, nil
	}
	for j := range lane.FrameParams {
		switch {
		case lane.FrameParams > 2:
			head = append(head, say.Textf("parameter %d", j+1))
		default:
			head = append(head, parameterNames(v)[j])
		}
	}
	head = append(head, "nearest best", "distance")
	if f == nil || len(f.Models) < lane.Models*lane.FrameParams {
		return head, nil
	}
	for _, k := range v.ExistingModels() {
		row := []string{v.Letter(k), strconv.Itoa(chart.ClientsOf(f, k))}
		for _, value := range f.Models[k*lane.FrameParams : (k+1)*lane.FrameParams] {
			row = append(row, chart.Number(float64(value)))
		}
		if group, d, ok := nearest(v, f.Models, lane.FrameParams, k); ok {
			row = append(row, say.Textf("group %d", group+1), chart.Number(d))
		} else {
			row = append(row, "unknown", "")
		}
		rows = append(rows, row)
	}
	return head, rows
}
