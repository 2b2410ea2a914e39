package page

import (
	"slices"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
)

// Slot fills the slots of a step with the numbers of a note.
func (p *Phases) Slot(n *trace.Note) formula.Slot {
	v := p.page.View(p.page.Lane)
	return func(name, kind string) (numbers []string, vector bool) {
		if name == "client" {
			return []string{chart.Client(p.detail.Client)}, false
		}
		value, _ := n.Value(name)
		most := 4
		switch {
		case kind == "model":
			most = 8
		case value.More:
			most = 3 // so that a line has room for the sign before it
		}
		shown := p.inOrder(value.Numbers, kind)
		cut := max(0, len(shown)-most)
		if value.Last {
			shown = shown[cut:]
			numbers = append(numbers, "…")
		} else {
			shown = shown[:len(shown)-cut]
		}
		for _, x := range shown {
			switch kind {
			case "model":
				numbers = append(numbers, v.Letter(int(x)))
			case "client":
				numbers = append(numbers, chart.Client(int(x)))
			default:
				numbers = append(numbers, chart.Number(x))
			}
		}
		if !value.Last && (value.More || cut > 0) {
			numbers = append(numbers, "…")
		}
		return numbers, len(numbers) > 1 && kind != "model"
	}
}

// inOrder returns models, or a number of each model, in the order of the models'
// letters; anything else as it is.
func (p *Phases) inOrder(numbers []float64, kind string) []float64 {
	v := p.page.View(p.page.Lane)
	switch kind {
	case "model":
		return slices.SortedFunc(slices.Values(numbers),
			func(x, y float64) int { return v.Place(int(x)) - v.Place(int(y)) })
	case "models":
		order := make([]int, len(numbers))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(x, y int) int { return v.Place(x) - v.Place(y) })
		out := make([]float64, len(numbers))
		for i, k := range order {
			out[i] = numbers[k]
		}
		return out
	}
	return numbers
}
