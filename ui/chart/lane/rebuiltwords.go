package lane

import (
	"fmt"
	"math"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Describe says how well each client's picture is rebuilt, and by which model
// best.
func (g *Rebuilt) Describe(v *chart.View) string {
	f := v.LastEvaluation()
	if !g.arrange(v, f) {
		return "Rebuilt: models rebuild no pictures here."
	}
	text := fmt.Sprintf("Rebuilt, evaluated after round %d, %s: the error is the mean squared difference", f.Round,
		v.LaneHeader().Title)
	for _, at := range g.rows {
		i := g.sitters[at]
		k := g.given(v, f, i)
		text += "; the picture of client " + chart.Client(i)
		if v.Group(i) >= 0 {
			text += " (" + v.Shape(i).String() + ")"
		}
		switch best := g.best(v, f, at); {
		case chart.OwnModels(v.LaneHeader()):
			text += " is rebuilt by its own model with an error of " + chart.Number(g.miss(v, f, 0, at))
		case best == k:
			text += " is rebuilt best by its own model " + v.Letter(k) + ": " + chart.Number(g.miss(v, f, k, at))
		case k >= len(g.order):
			text += " is rebuilt best by model " + v.Letter(best) + ": " + chart.Number(g.miss(v, f, best, at))
		default:
			text += fmt.Sprintf(" has an error of %s by its model %s and the least, %s, by model %s",
				chart.Number(g.miss(v, f, k, at)), v.Letter(k), chart.Number(g.miss(v, f, best, at)), v.Letter(best))
		}
	}
	return text + "."
}

// best is the model that rebuilds a sitter's picture best, the first of equals.
func (g *Rebuilt) best(v *chart.View, f *trace.Frame, place int) int {
	best := g.order[0]
	for _, k := range g.order {
		if g.miss(v, f, k, place) < g.miss(v, f, best, place) {
			best = k
		}
	}
	return best
}

// Table lists the clients and the error of each model's copy.
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
			head = append(head, "error of "+v.Letter(k))
		}
	}
	least := math.Inf(1)
	for at := range g.sitting {
		for _, k := range g.order {
			if miss := g.miss(v, f, k, at); miss > 0 {
				least = min(least, miss)
			}
		}
	}
	for at, i := range g.sitters[:g.sitting] {
		row := []string{chart.Client(i), v.ClientGroup(i), v.Letter(chart.ModelOf(f, i))}
		for _, k := range g.order {
			row = append(row, chart.Fixed(g.miss(v, f, k, at), chart.DecimalsFor(least)))
		}
		rows = append(rows, row)
	}
	return head, rows
}
