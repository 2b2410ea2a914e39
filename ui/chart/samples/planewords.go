package samples

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe lists the lines of the lane's models.
func (d *Plane) Describe(v *chart.View) string {
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil {
		return say.Text("Data: nothing computed yet.")
	}
	h := v.Run.Header
	text := say.Textf("%s of %s", say.Count(len(h.DataPreview.Points), "sample"), say.Count(h.Clients, "client"))
	if h.HasTruth() {
		text = say.Textf("%s in %s", text, say.Count(h.Groups, "group"))
	}
	made := v.ExistingModels()
	many := len(made) > scene.Clusters
	if many {
		text = say.Join([]string{text, say.Count(len(made), "model")}, "; ")
	}
	text = say.Textf("Data, round %d, %s: %s.", f.Round, v.Title(v.Lane), text)
	if models := d.describeModels(v); !many && len(models) > 0 {
		text = say.Textf("%s %s", text, say.Textf("%s.", say.Join(models, "; ")))
	}
	return text
}

// describeModels lists the models' lines with their numbers of clients.
func (d *Plane) describeModels(v *chart.View) (parts []string) {
	f := v.Frame()
	for _, k := range v.ExistingModels() {
		slope, offset, ok := lineOf(v, f, k)
		if !ok {
			continue
		}
		format := "model %s: slope %s (%s)"
		line, whose := chart.Fixed(float64(slope), 2), clientsOrUnused(chart.ClientsOf(f, k))
		if len(parts) == 0 {
			format = "Model %s: slope %s (%s)"
		}
		if v.LaneHeader().FrameParams == 2 {
			line = say.Textf("%s, offset %s", line, chart.Fixed(float64(offset), 2))
		}
		parts = append(parts, say.Textf(format, v.Letter(k), line, whose))
	}
	return parts
}

func clientsOrUnused(n int) string {
	if n == 0 {
		return say.Text("unused")
	}
	return say.Count(n, "client")
}

// Table lists the models and the true lines.
func (d *Plane) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"line", "slope", "offset", "clients"}
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil {
		return head, nil
	}
	for _, k := range v.ExistingModels() {
		if slope, offset, ok := lineOf(v, f, k); ok {
			rows = append(rows, []string{say.Textf("model %s", v.Letter(k)), chart.Fixed(float64(slope), 3),
				chart.Fixed(float64(offset), 3),
				clientsOrUnused(chart.ClientsOf(f, k))})
		}
	}
	for g, t := range v.Run.Header.DataPreview.Truth {
		if len(v.Run.Header.DataPreview.Truth) != v.Run.Header.Groups {
			break // a client may have samples of two lines
		}
		n := 0
		for i := range v.Run.Header.Clients {
			if v.Group(i) == g {
				n++
			}
		}
		rows = append(rows, []string{say.Textf("group %d (%s)", g+1, say.Message(scene.Shape(g%scene.Shapes).String())),
			chart.Fixed(float64(t.Slope), 3), chart.Fixed(float64(t.Offset), 3), say.Count(n, "client")})
	}
	return head, rows
}
