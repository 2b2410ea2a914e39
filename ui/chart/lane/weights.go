package lane

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var weightsKind = chart.Kind{Name: "weights", Title: "Weights", Hint: "one bar per client · height of a colour: weight of this model", Of: chart.OfLane,
	Shows: (*chart.View).Mixes, New: func() chart.Figure { return new(Weights) }}

// Weights shows the weights of models in soft clustering: one stacked bar per client, sorted by
// group, with models from the bottom up by letter.
type Weights struct {
	clients []int // in the order of the bars
	order   []int // models from the bottom up
	match   chart.Matching
	first   chart.FirstRounds
	words   []byte
}

// mixture returns the weights of the shown frame, clients × models, nil if there are none.
func mixture(v *chart.View) []float32 {
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil || lane.Models < 1 || len(f.Mixture) < lane.Models*v.Run.Header.Clients {
		return nil
	}
	return f.Mixture
}

// weightGrid is the geometry of one drawing.
type weightGrid struct {
	layout.Area
	w       float32 // of a bar and the gap after it
	gap     float32
	columns int
	each    int // clients per bar
}

// AxisTitles returns the titles of the axes.
func (g *Weights) AxisTitles(*chart.View) (x, y string) {
	return clientAxis, "Weight of each model"
}

// Draw draws the bars into box.
func (g *Weights) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	lane, weights := v.LaneHeader(), mixture(v)
	if weights == nil {
		drawMessage(l, box, "Each client has one model here.")
		return
	}
	g.arrange(v, lane)
	grid := g.grid(v, box)
	if grid.w <= 0 || grid.Y1-grid.Y0 < 8 {
		return
	}
	g.drawAxis(l, &grid)
	for j := range grid.columns {
		g.drawBar(l, v, weights, lane.Models, &grid, j)
	}
	g.drawGroups(l, v, &grid)
	if !v.Compact {
		g.drawLegend(l, v, weights, lane.Models, &grid, box)
	}
	for j, i := range g.clients {
		x := grid.X0 + float32(j/grid.each)*grid.w
		if grid.each == 1 {
			v.CoverDimmed(l, i, x, grid.Y0, grid.w, grid.Y1-grid.Y0+15)
		}
		hits.Add(x+(grid.w-grid.gap)/2, (grid.Y0+grid.Y1)/2, (grid.Y1-grid.Y0)/2, i)
		if i == v.Hover || i == v.Selected {
			l.Rect(x-1, grid.Y0-1, max(grid.w-grid.gap+2, 2), grid.Y1-grid.Y0+2, scene.Nothing,
				scene.Pen{Colour: scene.Ink, Width: 2})
		}
	}
}

// arrange sorts bars by group and number, models by letter.
func (g *Weights) arrange(v *chart.View, lane *trace.Lane) {
	g.clients = v.ByGroup(g.clients)
	g.order = g.first.Existing(g.order, v, lane.Models, v.Round)
	slices.SortStableFunc(g.order, func(a, b int) int { return v.AliasOf(a) - v.AliasOf(b) })
	g.match.Find(v, v.Frame())
}

func (g *Weights) grid(v *chart.View, box chart.Box) weightGrid {
	bottom := float32(18)
	if !v.Compact {
		bottom += layout.LineHeight + 3
	}
	n := len(g.clients)
	grid := weightGrid{Area: layout.Rect(40, 8, box.W-6, box.H-bottom), each: 1}
	grid.w = (grid.X1 - grid.X0) / float32(n)
	for grid.w < 2 && grid.each < n {
		grid.each++
		grid.w = (grid.X1 - grid.X0) / float32((n+grid.each-1)/grid.each)
	}
	grid.w = min(grid.w, 40)
	grid.columns = (n + grid.each - 1) / grid.each
	grid.X1 = grid.X0 + grid.w*float32(grid.columns)
	if grid.gap = min(grid.w*0.2, 3); grid.w < 5 {
		grid.gap = -0.3 // thin bars overlap a little, so that there are no gaps
	}
	return grid
}

// drawAxis draws the axis from 0 to 100 %.
func (g *Weights) drawAxis(l *scene.List, grid *weightGrid) {
	pen := scene.Pen{Colour: scene.Line, Width: 1}
	font := scene.Font{Size: layout.Small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Quiet}
	l.Line(pen, grid.X0, grid.Y0, grid.X1, grid.Y0)
	l.Text(grid.X0-5, grid.Y0, font, "100%")
	if half := (grid.Y0 + grid.Y1) / 2; grid.Y1-grid.Y0 >= 3*layout.LineHeight {
		l.Text(grid.X0-5, half, font, "50%")
	}
	if grid.Y1-grid.Y0 >= layout.LineHeight {
		l.Text(grid.X0-5, grid.Y1, font, "0")
	}
}

// drawBar stacks the weights of column j: those of its client, or the means of its clients.
func (g *Weights) drawBar(l *scene.List, v *chart.View, weights []float32, models int, grid *weightGrid, j int) {
	x, y := grid.X0+float32(j)*grid.w, grid.Y1
	all := g.clients[j*grid.each : min((j+1)*grid.each, len(g.clients))]
	for _, k := range g.order {
		h := (grid.Y1 - grid.Y0) * meanWeight(weights, models, all, k)
		if h = min(h, y-grid.Y0); h < 0.2 {
			continue // too thin to be seen
		}
		y -= h
		seam := float32(0)
		if grid.w >= 5 && h > 4 {
			seam = 1 // a gap, so that neighbours in the stack differ without hue
		}
		l.Rect(x, y, grid.w-grid.gap, h-seam, v.Colour(k), scene.Pen{})
	}
}

// meanWeight returns the mean weight of model k over clients; values outside 0 to 1 count as 0.
func meanWeight(weights []float32, models int, clients []int, k int) float32 {
	sum := float32(0)
	for _, i := range clients {
		if w := weights[i*models+k]; w > 0 && w <= 1.001 {
			sum += w
		}
	}
	return min(sum/float32(max(len(clients), 1)), 1)
}

// drawGroups draws the groups below their bars: one shape per client, hollow if its largest
// weight is on another group's model, or one shape per group.
func (g *Weights) drawGroups(l *scene.List, v *chart.View, grid *weightGrid) {
	f := v.Frame()
	if grid.each == 1 && grid.w >= 6 {
		r := min(grid.w*0.4, 4)
		for j, i := range g.clients {
			x, y := grid.X0+float32(j)*grid.w+(grid.w-grid.gap)/2, grid.Y1+9
			if g.match.Misplaced(v, i, chart.ModelOf(f, i)) {
				l.Mark(v.Shape(i), x, y, r-0.5, scene.Paper, scene.Pen{Colour: scene.Quiet, Width: 1.5})
			} else {
				l.Mark(v.Shape(i), x, y, r, scene.Unassigned, scene.Pen{})
			}
		}
		return
	}
	drawGroupMarks(l, v, g.clients, grid.Area, grid.each, grid.w, grid.Y1+9)
}

// drawLegend names the colours, with the weights of the client in focus, or the means of all
// clients.
func (g *Weights) drawLegend(l *scene.List, v *chart.View, weights []float32, models int, grid *weightGrid,
	box chart.Box) {
	y := grid.Y1 + 18 + layout.LineHeight/2
	font := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet}
	who, one := g.clients, [1]int{v.Focus()}
	text := say.Text("mean")
	if one[0] >= 0 {
		who = one[:]
		text = say.Textf("client %d", one[0]+1)
	}
	x := float32(8)
	l.Text(x, y, font, text)
	x += scene.TextWidth(text, layout.Small, false) + 10
	for _, k := range g.order {
		w := meanWeight(weights, models, who, k)
		if w < 0.005 {
			continue
		}
		g.words = chart.AppendPercent(append(append(g.words[:0], v.Letter(k)...), ' '), float64(w))
		wide := scene.TextWidth(g.words, layout.Small, false)
		if x+14+wide > box.W-4 {
			break
		}
		l.Rect(x, y-4, 9, 9, v.Colour(k), scene.Pen{})
		l.TextBytes(x+13, y, font, g.words)
		x += 13 + wide + 10
	}
}
