package lane

import (
	"math"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Describe gives the errors of each client's image, and the best model for it.
func (g *Rebuilt) Describe(v *chart.View) string {
	f := v.LastEvaluation()
	if !g.arrange(v, f) {
		return say.Text("Rebuilt: models reconstruct no images here.")
	}
	parts := []string{say.Text("the error is the mean squared difference")}
	for _, at := range g.rows {
		i := g.previewClients[at]
		k := g.givenColumn(v, f, i)
		picture := say.Textf("the image of client %d", i+1)
		if v.Group(i) >= 0 {
			picture = say.Textf("the image of client %d (%s)", i+1, say.Message(v.Shape(i).String()))
		}
		best := g.best(v, f, at)
		switch miss := chart.Number(g.squaredError(v, f, best, at)); {
		case chart.OwnModels(v.LaneHeader()):
			picture = say.Textf("%s is reconstructed by its own model with an error of %s", picture,
				chart.Number(g.squaredError(v, f, 0, at)))
		case best == k:
			picture = say.Textf("%s is reconstructed best by its own model %s: %s", picture, v.Letter(k), miss)
		case k >= len(g.order):
			picture = say.Textf("%s is reconstructed best by model %s: %s", picture, v.Letter(best), miss)
		default:
			picture = say.Textf("%s has an error of %s with its model %s and the smallest error, %s, with model %s", picture,
				chart.Number(g.squaredError(v, f, k, at)), v.Letter(k), miss, v.Letter(best))
		}
		parts = append(parts, picture)
	}
	return say.Textf("Rebuilt, evaluated after round %d, %s: %s.", f.Round, v.Title(v.Lane), say.Join(parts, "; "))
}

// best returns the model with the smallest error for a client's image, the first one on a tie.
func (g *Rebuilt) best(v *chart.View, f *trace.Frame, place int) int {
	best := g.order[0]
	for _, k := range g.order {
		if g.squaredError(v, f, k, place) < g.squaredError(v, f, best, place) {
			best = k
		}
	}
	return best
}

// Table lists the clients and the error of each model.
func (g *Rebuilt) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "model"}
	f := v.LastEvaluation()
	if !g.arrange(v, f) {
		return head, nil
	}
	for _, k := range g.order {
		if chart.OwnModels(v.LaneHeader()) {
			head = append(head, "error")
		} else {
			head = append(head, say.Textf("error of %s", v.Letter(k)))
		}
	}
	least := math.Inf(1)
	for at := range g.previews {
		for _, k := range g.order {
			if miss := g.squaredError(v, f, k, at); miss > 0 {
				least = min(least, miss)
			}
		}
	}
	for at, i := range g.previewClients[:g.previews] {
		row := []string{chart.Client(i), v.ClientGroup(i), v.Letter(chart.ModelOf(f, i))}
		for _, k := range g.order {
			row = append(row, chart.Fixed(g.squaredError(v, f, k, at), chart.DecimalsFor(least)))
		}
		rows = append(rows, row)
	}
	return head, rows
}
