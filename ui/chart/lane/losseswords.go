package lane

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe says how many clients have a model without their smallest loss.
func (g *Losses) Describe(v *chart.View) string {
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil || lane.Columns < 1 || len(f.Losses) < lane.Columns*v.Run.Header.Clients {
		return say.Text("Losses: nothing computed yet.")
	}
	g.arrange(v, lane)
	clients := v.Run.Header.Clients
	lo, hi := g.extremes(f.Losses, lane.Columns)
	least, largest := chart.Number(float64(lo)), chart.Number(float64(hi))
	text := say.Textf("%s on %s, from %s to %s", say.Count(clients, "client"), say.Count(len(g.known), "model"), least,
		largest)
	if chart.OwnModels(lane) {
		text = say.Textf("%s, each on its own model, from %s to %s", say.Count(clients, "client"), least, largest)
	}
	text = say.Textf("Losses, round %d, %s: %s.", v.LossRound(), v.Title(v.Lane), text)
	if len(g.known) < 2 {
		return text
	}
	other := 0
	for i := range clients {
		if k := chart.ModelOf(f, i); k >= 0 && k != g.leastModel(f.Losses[i*lane.Columns:]) {
			other++
		}
	}
	switch other {
	case 0:
		return say.Textf("%s %s", text, say.Message("Every client has the model with its smallest loss."))
	case 1:
		return say.Textf("%s %s", text,
			say.Message("1 client does not have the model with its smallest loss."))
	}
	return say.Textf("%s %s", text,
		say.Textf("%d clients do not have the model with their smallest loss.", other))
}

// extremes returns the smallest and the largest loss on the models that existed.
func (g *Losses) extremes(losses []float32, columns int) (lo, hi float32) {
	first := true
	for ; len(losses) >= columns; losses = losses[columns:] {
		for _, k := range g.known {
			v := losses[k]
			if !chart.Finite(v) {
				continue
			}
			if first {
				lo, hi, first = v, v, false
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// Table lists the losses: one row per client, one column per model.
func (g *Losses) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "model"}
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil {
		return head, nil
	}
	g.arrange(v, lane)
	for _, k := range g.order {
		if chart.OwnModels(lane) {
			head = append(head, "own loss")
		} else {
			head = append(head, say.Textf("loss on %s", v.Letter(k)))
		}
	}
	if f == nil || len(f.Losses) < lane.Columns*v.Run.Header.Clients {
		return head, nil
	}
	for _, i := range g.clients {
		row := []string{chart.Client(i), v.ClientGroup(i), "none"}
		if k := chart.ModelOf(f, i); k >= 0 {
			row[2] = v.Letter(k)
		}
		for _, k := range g.order {
			row = append(row, chart.Number(float64(f.Losses[i*lane.Columns+k])))
		}
		rows = append(rows, row)
	}
	return head, rows
}
