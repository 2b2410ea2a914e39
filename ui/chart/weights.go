package chart

import (
	"slices"
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var weightsKind = Kind{Name: "weights", Title: "Weights", Hint: "a bar a client", Of: OfLane,
	Shows: (*View).Mixes, New: func() Figure { return new(Weights) }}

// Weights shows how much of each model every client has, where clients have
// several at once: a stacked bar a client, groups side by side, models from the
// ground up by letter. A pure client is one colour; a blend shows its parts.
type Weights struct {
	clients []int // in the order of the bars
	order   []int // models from the ground up
	match   matching
	debuts  debuts
	words   []byte
}

// mixture returns the weights of the frame looked at, clients × models, nil when
// there are none.
func mixture(v *View) []float32 {
	lane, f := v.lane(), v.frame()
	if lane == nil || f == nil || lane.Models < 1 || len(f.Mixture) < lane.Models*v.Run.Header.Clients {
		return nil
	}
	return f.Mixture
}

// weightGrid is the geometry of one drawing.
type weightGrid struct {
	area
	w       float32 // of a bar and the gap after it
	gap     float32
	columns int
	each    int // clients a bar
}

// AxisTitles say what the axes show.
func (g *Weights) AxisTitles(*View) (across, up string) { return clientAxis, "Weight of each model" }

// Draw draws the bars into box.
func (g *Weights) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() {
		return
	}
	lane, weights := v.lane(), mixture(v)
	if weights == nil {
		l.Text(8, 6, scene.Font{Size: small, Baseline: scene.Top, Colour: scene.Quiet},
			fitting("Each client has one model here.", small, box.W-10))
		return
	}
	g.arrange(v, lane)
	grid := g.grid(v, box)
	if grid.w <= 0 || grid.y1-grid.y0 < 8 {
		return
	}
	g.axis(l, &grid)
	for j := range grid.columns {
		g.bar(l, v, weights, lane.Models, &grid, j)
	}
	g.feet(l, v, &grid)
	if !v.Compact {
		g.key(l, v, weights, lane.Models, &grid, box)
	}
	for j, i := range g.clients {
		x := grid.x0 + float32(j/grid.each)*grid.w
		if grid.each == 1 {
			v.veil(l, i, x, grid.y0, grid.w, grid.y1-grid.y0+15)
		}
		hits.add(x+(grid.w-grid.gap)/2, (grid.y0+grid.y1)/2, (grid.y1-grid.y0)/2, i)
		if i == v.Hover || i == v.Selected {
			l.Rect(x-1, grid.y0-1, max(grid.w-grid.gap+2, 2), grid.y1-grid.y0+2, scene.Nothing,
				scene.Pen{Colour: scene.Ink, Width: 2})
		}
	}
}

// arrange sorts bars by group and number, models by letter.
func (g *Weights) arrange(v *View, lane *trace.Lane) {
	g.clients = v.byGroup(g.clients)
	g.order = g.debuts.made(g.order, v, lane.Models, v.Round)
	slices.SortStableFunc(g.order, func(a, b int) int { return v.Place(a) - v.Place(b) })
	g.match.find(v, v.frame())
}

func (g *Weights) grid(v *View, box Box) weightGrid {
	bottom := float32(18)
	if !v.Compact {
		bottom += lineHeight + 3
	}
	n := len(g.clients)
	grid := weightGrid{area: area{40, 8, box.W - 6, box.H - bottom}, each: 1}
	grid.w = (grid.x1 - grid.x0) / float32(n)
	for grid.w < 2 && grid.each < n {
		grid.each++
		grid.w = (grid.x1 - grid.x0) / float32((n+grid.each-1)/grid.each)
	}
	grid.w = min(grid.w, 40)
	grid.columns = (n + grid.each - 1) / grid.each
	grid.x1 = grid.x0 + grid.w*float32(grid.columns)
	if grid.gap = min(grid.w*0.2, 3); grid.w < 5 {
		grid.gap = -0.3 // thin bars overlap a little: no seams of paper between them
	}
	return grid
}

// axis says that a whole bar is everything a client has.
func (g *Weights) axis(l *scene.List, grid *weightGrid) {
	pen := scene.Pen{Colour: scene.Line, Width: 1}
	font := scene.Font{Size: small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Quiet}
	l.Line(pen, grid.x0, grid.y0, grid.x1, grid.y0)
	l.Text(grid.x0-5, grid.y0, font, "100%")
	if half := (grid.y0 + grid.y1) / 2; grid.y1-grid.y0 >= 3*lineHeight {
		l.Text(grid.x0-5, half, font, "50%")
	}
	if grid.y1-grid.y0 >= lineHeight {
		l.Text(grid.x0-5, grid.y1, font, "0")
	}
}

// bar stacks the weights of column j: its client's, or its clients' mean.
func (g *Weights) bar(l *scene.List, v *View, weights []float32, models int, grid *weightGrid, j int) {
	x, y := grid.x0+float32(j)*grid.w, grid.y1
	all := g.clients[j*grid.each : min((j+1)*grid.each, len(g.clients))]
	for _, k := range g.order {
		h := (grid.y1 - grid.y0) * share(weights, models, all, k)
		if h = min(h, y-grid.y0); h < 0.2 {
			continue // nothing to see
		}
		y -= h
		seam := float32(0)
		if grid.w >= 5 && h > 4 {
			seam = 1 // a line of paper: neighbours in the stack are told apart without hue
		}
		l.Rect(x, y, grid.w-grid.gap, h-seam, v.Colour(k), scene.Pen{})
	}
}

// share returns the mean weight of model k among clients; what is no share
// counts as none.
func share(weights []float32, models int, clients []int, k int) float32 {
	sum := float32(0)
	for _, i := range clients {
		if w := weights[i*models+k]; w > 0 && w <= 1.001 {
			sum += w
		}
	}
	return min(sum/float32(max(len(clients), 1)), 1)
}

// feet draws the groups under their bars: a shape a client, hollow where its
// greatest weight is on another group's model, or a shape a group.
func (g *Weights) feet(l *scene.List, v *View, grid *weightGrid) {
	f := v.frame()
	if grid.each == 1 && grid.w >= 6 {
		r := min(grid.w*0.4, 4)
		for j, i := range g.clients {
			x, y := grid.x0+float32(j)*grid.w+(grid.w-grid.gap)/2, grid.y1+9
			if g.match.wrong(v, i, label(f, i)) {
				l.Mark(v.Shape(i), x, y, r-0.5, scene.Paper, scene.Pen{Colour: scene.Quiet, Width: 1.5})
			} else {
				l.Mark(v.Shape(i), x, y, r, scene.Unassigned, scene.Pen{})
			}
		}
		return
	}
	from := 0
	for j := 1; j <= len(g.clients); j++ {
		if j < len(g.clients) && v.group(g.clients[j]) == v.group(g.clients[from]) {
			continue
		}
		x0 := grid.x0 + float32(from)/float32(grid.each)*grid.w
		x1 := min(grid.x0+float32(j)/float32(grid.each)*grid.w, grid.x1)
		if x1-x0 >= 10 {
			l.Mark(v.Shape(g.clients[from]), (x0+x1)/2, grid.y1+9, 4, scene.Unassigned, scene.Pen{})
		}
		from = j
	}
}

// key names the colours, with what the client in focus has of each, or all
// clients in the mean.
func (g *Weights) key(l *scene.List, v *View, weights []float32, models int, grid *weightGrid, box Box) {
	y := grid.y1 + 18 + lineHeight/2
	font := scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Quiet}
	who, one := g.clients, [1]int{v.Subject()}
	g.words = append(g.words[:0], "mean"...)
	if one[0] >= 0 {
		who = one[:]
		g.words = strconv.AppendInt(append(g.words[:0], "client "...), int64(one[0]+1), 10)
	}
	x := float32(8)
	l.TextBytes(x, y, font, g.words)
	x += scene.TextWidth(g.words, small, false) + 10
	for _, k := range g.order {
		w := share(weights, models, who, k)
		if w < 0.005 {
			continue
		}
		g.words = appendPercent(append(append(g.words[:0], v.Letter(k)...), ' '), float64(w))
		wide := scene.TextWidth(g.words, small, false)
		if x+14+wide > box.W-4 {
			break
		}
		l.Rect(x, y-4, 9, 9, v.Colour(k), scene.Pen{})
		l.TextBytes(x+13, y, font, g.words)
		x += 13 + wide + 10
	}
}
