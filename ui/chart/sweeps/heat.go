package sweeps

import (
	"bytes"

	"flockscope/sim/draw/scene"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var heatKind = chart.Kind{Name: "heat", Title: "Heat map", Of: chart.NoTab, Many: true,
	New: func() chart.Figure { return new(Heat) }}

// Heat shows the final results of one lane over two settings, the first to the right and the
// second upwards. Bright means a large value; cells without a run are hatched. All lanes of a
// sweep share one colour scale.
type Heat struct {
	View
	Lane int

	low, top float64 // the values at the ends of the colour scale
	words    []byte
}

// heatGrid is the geometry of one drawing.
type heatGrid struct {
	layout.Area
	columns, rows int
	w, h          float32
}

func (g *Heat) grid(box chart.Box) heatGrid {
	axes := g.Sweep.Plan.Axes
	left := float32(0)
	for _, text := range axes[1].Values {
		left = max(left, scene.TextWidth(text, layout.Small, false))
	}
	grid := heatGrid{Area: layout.Rect(left+8, 2*layout.LineHeight+6, box.W-4, box.H-2*layout.LineHeight-26),
		columns: len(axes[0].Values), rows: len(axes[1].Values)}
	grid.w = (grid.X1 - grid.X0) / float32(grid.columns)
	grid.h = (grid.Y1 - grid.Y0) / float32(grid.rows)
	return grid
}

// at returns the upper left corner of a cell.
func (grid *heatGrid) at(cell int) (x, y float32) {
	return grid.X0 + grid.w*float32(cell/grid.rows), grid.Y1 - grid.h*float32(cell%grid.rows+1)
}

// Draw draws the map into box.
func (g *Heat) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() || g.Sweep == nil || len(g.Sweep.Plan.Axes) != 2 || g.Lane >= len(g.Titles) {
		return
	}
	if noClusters(g.Sweep, g.Lane, g.Measure) {
		l.Text(8, 0, scene.Font{Size: layout.Normal, Bold: true, Baseline: scene.Top, Colour: scene.Ink},
			layout.Fit(chart.LaneTitle(g.Titles[g.Lane]), layout.Normal, box.W-8))
		l.Text(box.W/2, box.H/2,
			scene.Font{Size: layout.Small, Anchor: scene.Middle, Baseline: scene.Centre, Colour: scene.Quiet},
			layout.Fit(say.Text("This method makes no clusters, so none is right or wrong."), layout.Small, box.W-8))
		return
	}
	grid := g.grid(box)
	if grid.w < 2 || grid.h < 2 {
		return
	}
	g.low, g.top = rangeOf(g.Sweep, g.Measure, len(g.Titles))
	for c := range g.Sweep.Plan.Cells() {
		g.drawCell(l, &grid, c)
		x, y := grid.at(c)
		r := min(grid.w, grid.h) / 2
		hits.AddBar(x, x+grid.w, y+grid.h/2, r, c)
	}
	g.drawAxes(l, &grid, box)
	g.drawLegend(l, &grid, box)
	g.drawUnfinished(l, v, box)
	if !v.Export.On && g.Hovered >= 0 && g.Hovered < g.Sweep.Plan.Cells() {
		x, y := grid.at(g.Hovered)
		l.Rect(x, y, grid.w, grid.h, scene.Nothing, scene.Pen{Colour: scene.Paper, Width: 4})
		l.Rect(x, y, grid.w, grid.h, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 2})
	}
}

// drawCell draws one cell, with its value if there is room.
func (g *Heat) drawCell(l *scene.List, grid *heatGrid, c int) {
	x, y := grid.at(c)
	s := g.Sweep.Stat(c, g.Lane, g.Measure)
	if s.N == 0 {
		if g.Sweep.Runs(c) > 0 && g.Measure == sweep.Settled {
			g.drawValue(l, grid, x, y, []byte(say.Text("never")), scene.Quiet)
		} else {
			drawHatch(l, x, y, grid.w, grid.h)
		}
		return
	}
	shade := uint8(255 * share(s.Mean, g.low, g.top))
	l.Rect(x+0.5, y+0.5, max(grid.w-1, 1), max(grid.h-1, 1), scene.Heat(shade), scene.Pen{})
	ink := scene.Edge
	if shade > 140 {
		ink = scene.Heat(0)
	}
	g.words = AppendMeasure(g.words[:0], g.Measure, s.Mean)
	if bytes.HasPrefix(g.words, []byte("−0.")) && scene.TextWidth(g.words, layout.Small, false)+4 > grid.w {
		g.words = append(g.words[:len("−")], g.words[len("−0"):]...) // −.02 is shorter
	}
	g.drawValue(l, grid, x, y, g.words, ink)
}

func (g *Heat) drawValue(l *scene.List, grid *heatGrid, x, y float32, word []byte, ink scene.Colour) {
	if grid.h >= layout.Small+3 && scene.TextWidth(word, layout.Small, false)+1 <= grid.w {
		l.TextBytes(x+grid.w/2, y+grid.h/2,
			scene.Font{Size: layout.Small, Anchor: scene.Middle, Baseline: scene.Centre, Colour: ink}, word)
	}
}

// drawAxes writes the values and names of the settings.
func (g *Heat) drawAxes(l *scene.List, grid *heatGrid, box chart.Box) {
	axes := g.Sweep.Plan.Axes
	title := scene.Font{Size: layout.Normal, Bold: true, Baseline: scene.Top, Colour: scene.Ink}
	l.Text(grid.X0, 0, title, layout.Fit(chart.LaneTitle(g.Titles[g.Lane]), layout.Normal, box.W-grid.X0))
	font := scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}
	l.Text(2, layout.LineHeight+3, font, layout.Fit("↑ "+withUnit(g.Names[1], g.Units[1]), layout.Small, box.W-4))
	font.Anchor = scene.End
	l.Text(grid.X1, grid.Y1+4+layout.LineHeight, font,
		layout.Fit(withUnit(g.Names[0], g.Units[0])+" →", layout.Small, box.W-4))
	font.Anchor = scene.Middle
	free := float32(-1)
	for i, text := range axes[0].Values {
		x, w := grid.X0+grid.w*(float32(i)+0.5), scene.TextWidth(text, layout.Small, false)
		if x-w/2 > free {
			l.Text(min(x, box.W-w/2), grid.Y1+4, font, text)
			free = x + w/2 + 6
		}
	}
	font.Anchor, font.Baseline = scene.End, scene.Centre
	each := 1 + int(layout.LineHeight/grid.h)
	for i := 0; i < len(axes[1].Values); i += each {
		l.Text(grid.X0-5, grid.Y1-grid.h*(float32(i)+0.5), font, axes[1].Values[i])
	}
}

// withUnit returns the name of a setting with its unit.
func withUnit(name, unit string) string {
	if unit == "" {
		return say.Text(name)
	}
	return say.Textf("%s in %s", say.Message(name), say.Message(unit))
}

// drawLegend draws the colour scale and the values at its ends.
func (g *Heat) drawLegend(l *scene.List, grid *heatGrid, box chart.Box) {
	font := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet}
	y, x := box.H-8, grid.X0
	name := measureNames[g.Measure]
	if g.Measure == sweep.Settled {
		name = "round"
	}
	g.words = chart.AppendTick(append(append(g.words[:0], say.Text(name)...), ' '), g.low)
	l.TextBytes(x, y, font, g.words)
	x += scene.TextWidth(g.words, layout.Small, false) + 5
	const steps, wide = 24, 2.5
	for i := range steps {
		l.Rect(x+wide*float32(i), y-5, wide+0.5, 10, scene.Heat(uint8(255*i/(steps-1))), scene.Pen{})
	}
	g.words = g.words[:0]
	if isPercent(g.Measure) {
		g.words = chart.AppendPercent(g.words, g.top)
	} else {
		g.words = chart.AppendTick(g.words, g.top)
	}
	l.TextBytes(x+wide*steps+5, y, font, g.words)
}
