package lane

import (
	"math"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// NetworkCost says how large a network is and what a sample costs.
func NetworkCost(blocks []trace.Block) string {
	parameters, products := 0, 0.0
	for i := range blocks {
		parameters += blocks[i].Parameters
		products += blocks[i].MultiplyAdds
	}
	return say.Textf("%s parameters, %s multiply-adds per sample", say.Whole(parameters), chart.Number(products))
}

// sum is the cost of the network, and what its models share if that fits into a width.
func (g *Network) sum(width float32) string {
	text := NetworkCost(g.blocks)
	if g.trunk > 0 {
		if longer := say.Textf("%s; all models share %s", text, say.Count(g.trunk-1, "block")); textWidth(longer) <= width {
			return longer
		}
	}
	return text
}

// Describe lists the sizes of the blocks.
func (g *Network) Describe(v *chart.View) string {
	if !networkKind.Shows(v) {
		return say.Text("This model is no network.")
	}
	g.load(v)
	var parts []string
	for i := range g.blocks {
		parts = append(parts, say.Textf("%s %s", blockName(&g.blocks[i]), shapeText(&g.blocks[i])))
	}
	return say.Textf("Network, %s: %s: %s.", v.Title(v.Lane), g.sum(math.MaxFloat32), say.Join(parts, ", "))
}

// Table lists the blocks.
func (g *Network) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"block", "output", "parameters", "multiply-adds", "shared"}
	if !networkKind.Shows(v) {
		return head, nil
	}
	g.load(v)
	for i := range g.blocks {
		b := &g.blocks[i]
		shared := "no"
		switch {
		case i == 0:
			shared = ""
		case i < g.trunk:
			shared = "yes"
		}
		rows = append(rows, []string{blockName(b), shapeText(b), say.Whole(b.Parameters), chart.Number(b.MultiplyAdds),
			shared})
	}
	return head, rows
}
