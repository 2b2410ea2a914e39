package chart

import (
	"bytes"

	"flockscope/sim/sweep"
	"flockscope/ui/scene"
)

var heatKind = Kind{Name: "heat", Title: "Heat map", Of: Apart, Many: true, New: func() Figure { return new(Heat) }}

// Heat shows how one lane ends over two settings: the first to the right, the
// second upwards, bright for much. What nobody has tried is hatched. All lanes of
// a sweep share one ramp, so that they can be compared.
type Heat struct {
	SweepView
	Lane int

	words []byte
}

// heatGrid is the geometry of one drawing.
type heatGrid struct {
	area
	columns, rows int
	w, h          float32
}

func (g *Heat) grid(box Box) heatGrid {
	axes := g.Sweep.Plan.Axes
	left := float32(0)
	for _, text := range axes[1].Values {
		left = max(left, scene.TextWidth(text, small, false))
	}
	grid := heatGrid{area: area{left + 8, 2*lineHeight + 6, box.W - 4, box.H - 2*lineHeight - 26}, columns: len(axes[0].Values), rows: len(axes[1].Values)}
	grid.w = (grid.x1 - grid.x0) / float32(grid.columns)
	grid.h = (grid.y1 - grid.y0) / float32(grid.rows)
	return grid
}

// at returns the upper left corner of a cell.
func (grid *heatGrid) at(cell int) (x, y float32) {
	return grid.x0 + grid.w*float32(cell/grid.rows), grid.y1 - grid.h*float32(cell%grid.rows+1)
}

// Draw draws the map into box.
func (g *Heat) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() || g.Sweep == nil || len(g.Sweep.Plan.Axes) != 2 || g.Lane >= len(g.Titles) {
		return
	}
	if noClusters(g.Sweep, g.Lane, g.Measure) {
		l.Text(8, 0, scene.Font{Size: normal, Bold: true, Baseline: scene.Top, Colour: scene.Ink}, fitting(g.Titles[g.Lane], normal, box.W-8))
		l.Text(box.W/2, box.H/2, scene.Font{Size: small, Anchor: scene.Middle, Baseline: scene.Centre, Colour: scene.Quiet}, fitting("There are no clusters, so none is right or wrong.", small, box.W-8))
		return
	}
	grid := g.grid(box)
	if grid.w < 2 || grid.h < 2 {
		return
	}
	top := topOf(g.Sweep, g.Measure, len(g.Titles))
	for c := range g.Sweep.Plan.Cells() {
		g.cell(l, &grid, c, top)
		x, y := grid.at(c)
		r := min(grid.w, grid.h) / 2
		hits.bar(x, x+grid.w, y+grid.h/2, r, c)
	}
	g.axes(l, &grid, box)
	g.key(l, &grid, box, top)
	if !v.Paper.On && g.Light >= 0 && g.Light < g.Sweep.Plan.Cells() {
		x, y := grid.at(g.Light)
		l.Rect(x, y, grid.w, grid.h, scene.Nothing, scene.Pen{Colour: scene.Paper, Width: 4})
		l.Rect(x, y, grid.w, grid.h, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 2})
	}
}

// cell paints one cell, with its value where there is room.
func (g *Heat) cell(l *scene.List, grid *heatGrid, c int, top float64) {
	x, y := grid.at(c)
	s := g.Sweep.Stat(c, g.Lane, g.Measure)
	if s.N == 0 {
		if g.Sweep.Runs(c) > 0 && g.Measure == sweep.Settled {
			g.word(l, grid, x, y, []byte("never"), scene.Quiet)
		} else {
			hatch(l, x, y, grid.w, grid.h)
		}
		return
	}
	shade := uint8(255 * min(max(s.Mean/top, 0), 1))
	l.Rect(x+0.5, y+0.5, max(grid.w-1, 1), max(grid.h-1, 1), scene.Heat(shade), scene.Pen{})
	ink := scene.Edge
	if shade > 140 {
		ink = scene.Heat(0)
	}
	g.words = AppendMeasure(g.words[:0], g.Measure, s.Mean)
	if bytes.HasPrefix(g.words, []byte("−0.")) && scene.TextWidth(g.words, small, false)+4 > grid.w {
		g.words = append(g.words[:len("−")], g.words[len("−0"):]...) // short of room, −.02 says the same
	}
	g.word(l, grid, x, y, g.words, ink)
}

func (g *Heat) word(l *scene.List, grid *heatGrid, x, y float32, word []byte, ink scene.Colour) {
	if grid.h >= small+3 && scene.TextWidth(word, small, false)+1 <= grid.w {
		l.TextBytes(x+grid.w/2, y+grid.h/2, scene.Font{Size: small, Anchor: scene.Middle, Baseline: scene.Centre, Colour: ink}, word)
	}
}

// axes writes the values and what they are of.
func (g *Heat) axes(l *scene.List, grid *heatGrid, box Box) {
	axes := g.Sweep.Plan.Axes
	title := scene.Font{Size: normal, Bold: true, Baseline: scene.Top, Colour: scene.Ink}
	l.Text(grid.x0, 0, title, fitting(g.Titles[g.Lane], normal, box.W-grid.x0))
	font := scene.Font{Size: small, Baseline: scene.Top, Colour: scene.Quiet}
	l.Text(2, lineHeight+3, font, fitting("↑ "+named(g.Names[1], g.Units[1]), small, box.W-4))
	font.Anchor = scene.End
	l.Text(grid.x1, grid.y1+4+lineHeight, font, fitting(named(g.Names[0], g.Units[0])+" →", small, box.W-4))
	font.Anchor = scene.Middle
	free := float32(-1)
	for i, text := range axes[0].Values {
		x, w := grid.x0+grid.w*(float32(i)+0.5), scene.TextWidth(text, small, false)
		if x-w/2 > free {
			l.Text(min(x, box.W-w/2), grid.y1+4, font, text)
			free = x + w/2 + 6
		}
	}
	font.Anchor, font.Baseline = scene.End, scene.Centre
	each := 1 + int(lineHeight/grid.h)
	for i := 0; i < len(axes[1].Values); i += each {
		l.Text(grid.x0-5, grid.y1-grid.h*(float32(i)+0.5), font, axes[1].Values[i])
	}
}

func named(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " in " + unit
}

// key draws the ramp and the values at its ends.
func (g *Heat) key(l *scene.List, grid *heatGrid, box Box, top float64) {
	font := scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Quiet}
	y, x := box.H-8, grid.x0
	name := measureNames[g.Measure]
	if g.Measure == sweep.Settled {
		name = "round"
	}
	g.words = append(append(g.words[:0], name...), " 0"...)
	l.TextBytes(x, y, font, g.words)
	x += scene.TextWidth(g.words, small, false) + 5
	const steps, wide = 24, 2.5
	for i := range steps {
		l.Rect(x+wide*float32(i), y-5, wide+0.5, 10, scene.Heat(uint8(255*i/(steps-1))), scene.Pen{})
	}
	g.words = g.words[:0]
	if percent(g.Measure) {
		g.words = appendPercent(g.words, top)
	} else {
		g.words = appendTick(g.words, top)
	}
	l.TextBytes(x+wide*steps+5, y, font, g.words)
}
