package lane

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// pureWeight is the smallest weight at which a client counts as having one model.
const pureWeight = 0.9

// Describe says how mixed the clients are, and which one is most.
func (g *Weights) Describe(v *chart.View) string {
	weights, lane, f := mixture(v), v.LaneHeader(), v.Frame()
	if weights == nil {
		return say.Text("Weights: each client has one model here.")
	}
	clients := v.Run.Header.Clients
	if i := v.Focus(); i >= 0 {
		return say.Textf("Weights, round %d, %s: client %d has %s.", f.Round, v.Title(v.Lane), i+1,
			describeMixture(v, weights[i*lane.Models:(i+1)*lane.Models]))
	}
	one, least, who := 0, float32(2), 0
	for i := range clients {
		most := largestWeight(weights[i*lane.Models : (i+1)*lane.Models])
		if most >= pureWeight {
			one++
		}
		if most < least {
			least, who = most, i
		}
	}
	text := say.Textf("%d of %d clients have a weight of at least 0.9 on one model", one, clients)
	switch one {
	case clients:
		text = say.Text("every client has a weight of at least 0.9 on one model")
	case 0:
		text = say.Text("no client has a weight of at least 0.9 on one model")
	}
	return say.Textf("Weights, round %d, %s: %s; most mixed is client %d with %s.", f.Round, v.Title(v.Lane), text,
		who+1, describeMixture(v, weights[who*lane.Models:(who+1)*lane.Models]))
}

func largestWeight(row []float32) float32 {
	most := float32(0)
	for _, w := range row {
		if w > most {
			most = w
		}
	}
	return most
}

// describeMixture lists a client's weights by letter, without those below 0.5 %.
func describeMixture(v *chart.View, row []float32) string {
	var out []string
	for _, k := range v.ByAlias(len(row)) {
		if row[k] >= 0.005 {
			out = append(out, say.Textf("%s of model %s", chart.Percent(float64(row[k])), v.Letter(k)))
		}
	}
	if len(out) == 0 {
		return say.Text("nothing")
	}
	const most = 5
	if len(out) > most {
		out = append(out[:most], say.Textf("a little of %s", say.Count(len(out)-most, "other")))
	}
	return say.List(out)
}

// Table lists the clients with their weights, one column per model.
func (g *Weights) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group"}
	weights, lane := mixture(v), v.LaneHeader()
	if lane == nil || weights == nil {
		return head, nil
	}
	g.arrange(v, lane)
	for _, k := range g.order {
		head = append(head, say.Textf("of model %s", v.Letter(k)))
	}
	for _, i := range g.clients {
		row := []string{chart.Client(i), v.ClientGroup(i)}
		for _, k := range g.order {
			row = append(row, chart.Percent(float64(weights[i*lane.Models+k])))
		}
		rows = append(rows, row)
	}
	return head, rows
}
