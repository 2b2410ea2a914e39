package lane

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Kinds are the figures of this package, in the order of their tabs.
var Kinds = []chart.Kind{lossesKind, answersKind, rebuiltKind, weightsKind, flowKind, spectrumKind, treeKind,
	modelsKind, networkKind}

var lossesKind = chart.Kind{Name: "losses", Title: "Losses", Hint: "dot: the client’s model · box: least loss · dark: small loss", Of: chart.OfLane,
	New: func() chart.Figure { return new(Losses) }}

// Losses is a heat map of each client's loss on each model at one round, on its probe samples and
// before the update: dark is low. All lanes share one scale. A box marks each client's smallest
// loss, a dot in the model's colour the model that it was given. Where the two differ, assignment
// by the smallest loss would have chosen another model.
type Losses struct {
	OwnScale bool // the scale is that of this lane alone

	clients []int // in the order of the columns
	order   []int // models in the order of the rows
	known   []int // those of them that existed when these losses were measured
	first   []chart.FirstRounds
	others  []int // the models of another lane
	sort    []float32
}

// lossGrid is the geometry of one drawing.
type lossGrid struct {
	layout.Area
	columns int // bars: of one client each, or of several if there are too many
	each    int // clients per bar
	w, h    float32
}

// hasWideCells reports whether cells have space for marks.
func (grid *lossGrid) hasWideCells() bool { return grid.w >= 6 && grid.each == 1 }

// AxisTitles returns the titles of the axes.
func (g *Losses) AxisTitles(*chart.View) (x, y string) { return clientAxis, "Model" }

// clientAxis is the title of an axis of clients.
const clientAxis = "Clients, by group"

// drawMessage writes in place of a figure why it is empty.
func drawMessage(l *scene.List, box chart.Box, why string) {
	l.Text(8, 6, scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet},
		layout.Fit(say.Text(why), layout.Small, box.W-10))
}

// Draw draws the heat map into box.
func (g *Losses) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	lane, f := v.LaneHeader(), v.Frame()
	if lane == nil || f == nil || lane.Columns < 1 || len(f.Losses) < lane.Columns*v.Run.Header.Clients {
		drawMessage(l, box, "No losses before round 1.")
		return
	}
	g.arrange(v, lane)
	if len(g.known) == 0 {
		return
	}
	grid := g.grid(v, lane, box)
	if grid.w <= 0 || grid.h < 2 {
		return // the texts around the grid leave no space
	}
	lo, hi := g.lossRange(v)
	g.drawCells(l, f, lane.Columns, &grid, lo, hi)
	g.drawLetters(l, v, lane, &grid)
	if grid.hasWideCells() && grid.h >= 8 {
		g.drawMarks(l, v, f, lane.Columns, &grid)
	}
	g.drawGroups(l, v, f, &grid)
	if !v.Compact {
		g.drawLegend(l, v, &grid, box, lo, hi)
	}
	for j, i := range g.clients {
		x := grid.X0 + (float32(j/grid.each)+0.5)*grid.w
		if grid.each == 1 {
			v.CoverDimmed(l, i, x-grid.w/2, grid.Y0-1, grid.w, grid.Y1-grid.Y0+15)
		}
		hits.Add(x, (grid.Y0+grid.Y1)/2, (grid.Y1-grid.Y0)/2, i)
		if i == v.Hover || i == v.Selected {
			l.Rect(x-grid.w/2, grid.Y0-1, max(grid.w, 2), grid.Y1-grid.Y0+2, scene.Nothing,
				scene.Pen{Colour: scene.Ink, Width: 2})
		}
	}
}

// arrange sorts columns by group and number, rows by letter. Where a method finds the number of
// clusters, a model has a row from its first use on.
func (g *Losses) arrange(v *chart.View, lane *trace.Lane) {
	g.clients = v.ByGroup(g.clients)
	g.first = trace.Resize(g.first, len(v.Run.Tracks))
	g.order = g.first[v.Lane].Existing(g.order, v, lane.Columns, v.Round)
	g.known = g.first[v.Lane].Existing(g.known, v, lane.Columns, v.LossRound())
	if lane.Columns > 1 {
		slices.SortStableFunc(g.order, func(a, b int) int { return v.AliasOf(a) - v.AliasOf(b) })
	}
}

func (g *Losses) grid(v *chart.View, lane *trace.Lane, box chart.Box) lossGrid {
	left := float32(24)
	if chart.OwnModels(lane) {
		left = 36
	}
	bottom := float32(18)
	if !v.Compact {
		bottom += layout.LineHeight + 3
	}
	n := len(g.clients)
	grid := lossGrid{Area: layout.Rect(left, 4, box.W-6, box.H-bottom)}
	grid.w = (grid.X1 - grid.X0) / float32(n)
	grid.each = 1
	for grid.w < 2 && grid.each < n {
		grid.each++
		grid.w = (grid.X1 - grid.X0) / float32((n+grid.each-1)/grid.each)
	}
	grid.columns = (n + grid.each - 1) / grid.each
	grid.w = min(grid.w, 40)
	grid.X1 = grid.X0 + grid.w*float32(grid.columns)
	grid.h = min((grid.Y1-grid.Y0)/float32(len(g.order)), 56)
	grid.Y1 = grid.Y0 + grid.h*float32(len(g.order))
	return grid
}

// spanSample is the approximate number of losses of a lane that the colour scale is computed
// from.
const spanSample = 600

// lossRange returns the ends of the colour scale: the middle 96 % of the losses of this round, in
// all lanes.
func (g *Losses) lossRange(v *chart.View) (lo, hi float32) {
	g.sort = g.sort[:0]
	for lane := range v.Run.Tracks {
		if lane == v.Lane {
			g.addLosses(v.Frame(), v.LaneHeader().Columns, g.known)
		} else if !g.OwnScale {
			other := *v
			other.Lane, other.Detail = lane, nil
			if f, columns := other.Frame(), other.LaneHeader().Columns; f != nil && columns > 0 {
				g.others = g.first[lane].Existing(g.others, &other, columns, other.LossRound())
				g.addLosses(f, columns, g.others)
			}
		}
	}
	if len(g.sort) == 0 {
		return 0, 1
	}
	slices.Sort(g.sort)
	lo, hi = g.sort[int(0.02*float64(len(g.sort)-1))], g.sort[int(0.98*float64(len(g.sort)-1)+0.999)]
	if hi <= lo {
		hi = lo + 1
	}
	return lo, hi
}

// addLosses appends losses of a frame on some models to those that the colour scale is computed
// from.
func (g *Losses) addLosses(f *trace.Frame, columns int, models []int) {
	step := columns * (len(f.Losses)/spanSample + 1) // whole clients
	for i := 0; i+columns <= len(f.Losses); i += step {
		for _, k := range models {
			if v := f.Losses[i+k]; chart.Finite(v) {
				g.sort = append(g.sort, v)
			}
		}
	}
}

// Shares reports whether another lane of the run has losses, so that lanes can share a scale.
func (g *Losses) Shares(v *chart.View) bool {
	for i := range v.Run.Header.Lanes {
		if i != v.Lane && v.Run.Header.Lanes[i].Columns > 0 {
			return true
		}
	}
	return false
}

func (g *Losses) drawCells(l *scene.List, f *trace.Frame, columns int, grid *lossGrid, lo, hi float32) {
	// Thin bars overlap a little, so that there are no gaps.
	gap, below := float32(-0.4), float32(0)
	if grid.hasWideCells() {
		gap = 1.5
	}
	if grid.h >= 6 {
		below = 1.5
	}
	for row, k := range g.order {
		y := grid.Y0 + float32(row)*grid.h
		for j := range grid.columns {
			colour := heatColour(g.mean(f, columns, k, grid, j), lo, hi)
			l.Rect(grid.X0+float32(j)*grid.w, y, grid.w-gap, grid.h-below, colour, scene.Pen{})
		}
	}
}

// mean returns the loss on model k of bar j: that of its client, or the mean of its clients.
func (g *Losses) mean(f *trace.Frame, columns, k int, grid *lossGrid, j int) float32 {
	sum, n := float32(0), float32(0)
	for c := j * grid.each; c < min((j+1)*grid.each, len(g.clients)); c++ {
		sum += f.Losses[g.clients[c]*columns+k]
		n++
	}
	return sum / n
}

func heatColour(v, lo, hi float32) scene.Colour {
	t := (v - lo) / (hi - lo)
	if !chart.Finite(t) {
		t = 1
	}
	return scene.Heat(uint8(min(max(t, 0), 1)*255 + 0.5))
}

func (g *Losses) drawLetters(l *scene.List, v *chart.View, lane *trace.Lane, grid *lossGrid) {
	font := scene.Font{Size: layout.Normal, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Ink}
	if chart.OwnModels(lane) {
		font.Size = layout.Small
		l.Text(grid.X0-6, grid.Y0+grid.h/2, font, "own")
		return
	}
	step := 1
	for float32(step)*grid.h < layout.Normal+1 {
		step++
	}
	for row := 0; row < len(g.order); row += step {
		l.Text(grid.X0-6, grid.Y0+(float32(row)+0.5)*grid.h, font, v.Letter(g.order[row]))
	}
}

// drawMarks draws a box around the smallest loss of each client and a dot on the model that it
// was given.
func (g *Losses) drawMarks(l *scene.List, v *chart.View, f *trace.Frame, columns int, grid *lossGrid) {
	row := func(k int) float32 { return grid.Y0 + float32(slices.Index(g.order, k))*grid.h }
	if columns > 1 {
		for j, i := range g.clients {
			x, y := grid.X0+float32(j)*grid.w, row(g.leastModel(f.Losses[i*columns:]))
			l.Rect(x+1, y+1, grid.w-3.5, grid.h-3.5, scene.Nothing, scene.Pen{Colour: scene.Edge, Width: 1.5})
		}
		for j, i := range g.clients {
			x, y := grid.X0+float32(j)*grid.w, row(g.leastModel(f.Losses[i*columns:]))
			l.Rect(x-0.5, y-0.5, grid.w-0.5, grid.h-0.5, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1})
		}
	}
	r := min(max(min(grid.w, grid.h)*0.26, 1.8), 4.5)
	g.drawPinned(l, v, grid, r)
	ring := scene.Pen{Colour: scene.Edge, Width: min(1.5, r/2)}
	for _, k := range g.order {
		for j, i := range g.clients {
			given := chart.ModelOf(f, i)
			y := float32(0)
			switch {
			case columns == 1 && given >= 0:
				y = grid.Y0
			case given == k && given >= 0:
				y = row(k)
			default:
				continue
			}
			l.Mark(scene.Circle, grid.X0+float32(j)*grid.w+(grid.w-1.5)/2, y+(grid.h-1.5)/2, r, v.Colour(given), ring)
		}
	}
}

// leastModel returns the model with the smallest of a client's losses, the first one on a tie.
func (g *Losses) leastModel(losses []float32) int {
	at := g.known[0]
	for _, k := range g.known {
		if losses[k] < losses[at] {
			at = k
		}
	}
	return at
}

// drawGroups draws the groups below the columns: one shape per client, or for thin bars one shape
// per group, below a strip in the colours of the clients' models, which replaces the dots.
func (g *Losses) drawGroups(l *scene.List, v *chart.View, f *trace.Frame, grid *lossGrid) {
	if grid.hasWideCells() {
		r := min(grid.w*0.4, 4)
		for j, i := range g.clients {
			l.Mark(v.Shape(i), grid.X0+(float32(j)+0.5)*grid.w-0.75, grid.Y1+9, r, scene.Unassigned, scene.Pen{})
		}
		return
	}
	for j := range grid.columns {
		colour := scene.Unassigned
		if k := chart.ModelOf(f, g.clients[j*grid.each]); k >= 0 {
			colour = v.Colour(k)
		}
		l.Rect(grid.X0+float32(j)*grid.w, grid.Y1, grid.w+0.4, 4, colour, scene.Pen{})
	}
	drawGroupMarks(l, v, g.clients, grid.Area, grid.each, grid.w, grid.Y1+11)
}

// drawGroupMarks draws a shape for each group below bars of width w with each clients per bar,
// where the group is wide enough.
func drawGroupMarks(l *scene.List, v *chart.View, clients []int, plot layout.Area, each int, w, y float32) {
	from := 0
	for j := 1; j <= len(clients); j++ {
		if j < len(clients) && v.Group(clients[j]) == v.Group(clients[from]) {
			continue
		}
		x0 := plot.X0 + float32(from)/float32(each)*w
		x1 := min(plot.X0+float32(j)/float32(each)*w, plot.X1)
		if x1-x0 >= 10 {
			l.Mark(v.Shape(clients[from]), (x0+x1)/2, y, 4, scene.Unassigned, scene.Pen{})
		}
		from = j
	}
}

// drawLegend draws the colour scale and, as far as there is room, the number of clients per bar,
// the round of the losses if it is not the shown one, whether the scale is that of all lanes, and
// that the losses are those before the update.
func (g *Losses) drawLegend(l *scene.List, v *chart.View, grid *lossGrid, box chart.Box, lo, hi float32) {
	y := grid.Y1 + 18 + layout.LineHeight/2
	font := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet}
	x := grid.X0
	write := func(text string) {
		if w := scene.TextWidth(text, layout.Small, false); x+w < box.W-4 {
			l.Text(x, y, font, text)
			x += w + 8
		}
	}
	write(say.Textf("loss %s", chart.Number(float64(lo))))
	const steps = 24
	for s := range steps {
		l.Rect(x-3+float32(s)*2, y-4, 2.2, 8, scene.Heat(uint8(s*255/(steps-1))), scene.Pen{})
	}
	x += 2*steps + 3
	write(chart.Number(float64(hi)))
	if heard := v.LossRound(); heard < v.Frame().Round {
		write(say.Textf("of round %d", heard))
	}
	if grid.each > 1 {
		write(say.Textf("one bar: %d clients", grid.each))
	}
	if g.Shares(v) {
		lanes := "all methods"
		if g.OwnScale {
			lanes = "this method"
		}
		write(say.Text(lanes))
	}
	write(say.Text("before the update"))
}
