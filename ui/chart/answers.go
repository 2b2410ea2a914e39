package chart

import (
	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var answersKind = Kind{Name: "answers", Title: "Answers", Hint: "row: class · column: answer", Of: OfLane,
	Shows: (*View).Classifies, New: func() Figure { return new(Answers) }}

// Answers shows what models answered in the last trial, on samples that clients
// hold back. A square has the classes as rows and the answers as columns: bright
// is often, and what is right lies on the falling diagonal. It is about the
// model of the client in focus, or about all clients. Bars beside it are the
// shares of right answers of all clients, in the colours of their models.
type Answers struct {
	clients []int // in the order of the bars
	counts  []int // by class and answer
	match   matching
	words   []byte
}

// answerGrid is the geometry of one drawing.
type answerGrid struct {
	square  area
	cell    float32
	classes int
	left    float32 // room for the names of classes
	words   area
	bars    area
}

// AxisTitles say what the axes show: bars are below or beside the square.
func (g *Answers) AxisTitles(*View) (across, up string) { return "", "Class" }

// Draw draws the figure into box.
func (g *Answers) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() {
		return
	}
	f := v.LastEvaluation()
	if f == nil || !g.count(v, f) {
		l.Text(8, 6, scene.Font{Size: small, Baseline: scene.Top, Colour: scene.Quiet},
			fitting("Models are not evaluated here.", small, box.W-10))
		return
	}
	grid := g.grid(v, box)
	g.square(l, v, &grid)
	grid.bars.y0 = max(grid.bars.y0, g.verdict(l, v, f, grid.words)+8)
	g.bars(l, hits, v, f, &grid)
}

// count sums up the answers that the figure is about, and reports whether there
// are any.
func (g *Answers) count(v *View, f *trace.Frame) bool {
	n := len(v.Run.Header.Scenery.Gallery.Classes)
	if n == 0 || len(f.Confusion) < n*n*v.Run.Header.Clients {
		return false
	}
	g.counts = trace.Resize(g.counts, n*n)
	clear(g.counts)
	from, to := 0, v.Run.Header.Clients
	if i := v.Subject(); i >= 0 {
		from, to = i, i+1
	}
	for i := from; i < to; i++ {
		for at, count := range f.Confusion[i*n*n : (i+1)*n*n] {
			g.counts[at] += int(count)
		}
	}
	return true
}

func (g *Answers) grid(v *View, box Box) answerGrid {
	classes := v.Run.Header.Scenery.Gallery.Classes
	grid := answerGrid{classes: len(classes), left: 10}
	for _, name := range classes {
		grid.left = max(grid.left, scene.TextWidth(name, small, false))
	}
	grid.left = min(grid.left, box.W*0.2, 76) + 8
	side := min(box.H-20, box.W-grid.left-6)
	beside := box.W > 1.5*box.H
	if beside {
		side = min(side, box.W*0.55-grid.left)
	} else {
		side = min(side, box.H-4*lineHeight-86)
	}
	grid.cell = side / float32(grid.classes)
	if grid.cell >= 2 {
		grid.cell = whole(grid.cell) // squares as sharp as the screen
	}
	side = max(grid.cell*float32(grid.classes), 0)
	grid.square = area{grid.left, 3, grid.left + side, 3 + side}
	if beside {
		x := grid.square.x1 + 14
		grid.words = area{x, 2, box.W - 4, box.H - 16}
		grid.bars = area{x, 10 + 3*lineHeight, box.W - 6, box.H - 16}
	} else {
		y := grid.square.y1 + 20
		grid.words = area{6, y, box.W - 4, box.H - 16}
		grid.bars = area{6, y + 8 + 3*lineHeight, box.W - 6, box.H - 16}
	}
	return grid
}

// square draws the classes and their answers: each row by its own sum, so that
// rare classes are seen as well as others.
func (g *Answers) square(l *scene.List, v *View, grid *answerGrid) {
	n, s := grid.classes, grid.square
	if grid.cell <= 0 {
		return
	}
	out := l.Image(s.x0, s.y0, s.x1-s.x0, s.y1-s.y0, n, n, 3, 0, 0)
	for row := range n {
		sum := 0
		for _, count := range g.counts[row*n : (row+1)*n] {
			sum += count
		}
		for column, count := range g.counts[row*n : (row+1)*n] {
			colour := scene.Panel
			if sum > 0 {
				colour = scene.Heat(uint8(255 * count / sum))
			}
			at := 3 * (row*n + column)
			out[at], out[at+1], out[at+2] = scene.Light.RGB(colour)
		}
	}
	if grid.cell >= 6 {
		pen := scene.Pen{Colour: scene.Paper, Width: 1}
		for i := 1; i < n; i++ {
			at := float32(i) * grid.cell
			l.Line(pen, s.x0, s.y0+at, s.x1, s.y0+at)
			l.Line(pen, s.x0+at, s.y0, s.x0+at, s.y1)
		}
	}
	g.names(l, v, grid)
}

// names writes the classes beside the rows, and below the columns where they
// are short enough.
func (g *Answers) names(l *scene.List, v *View, grid *answerGrid) {
	classes := v.Run.Header.Scenery.Gallery.Classes
	step := 1
	for float32(step)*grid.cell < small+1 {
		step++
	}
	wide := float32(0)
	for _, name := range classes {
		wide = max(wide, scene.TextWidth(name, small, false))
	}
	font := scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Quiet}
	for k := 0; k < len(classes); k += step {
		at := (float32(k) + 0.5) * grid.cell
		font.Anchor = scene.End
		l.Text(grid.square.x0-4, grid.square.y0+at, font, fitting(classes[k], small, grid.left-6))
		if wide+3 <= float32(step)*grid.cell {
			font.Anchor = scene.Middle
			l.Text(grid.square.x0+at, grid.square.y1+9, font, classes[k])
		}
	}
}

// bars draws the share of right answers of every client, and lets the pointer
// find them.
func (g *Answers) bars(l *scene.List, hits *Hits, v *View, f *trace.Frame, grid *answerGrid) {
	b := grid.bars
	clients := v.Run.Header.Clients
	if len(f.Accuracies) < clients || b.y1-b.y0 < 14 || b.x1-b.x0 < 40 {
		return
	}
	g.clients = v.byGroup(g.clients)
	g.match.find(v, f)
	w := min((b.x1-b.x0)/float32(clients), 24)
	right := b.x0 + w*float32(clients)
	pen := scene.Pen{Colour: scene.Line, Width: 1}
	l.Line(pen, b.x0, b.y0, right, b.y0)
	const thin = 3
	gap := min(w*0.25, 3)
	if w < thin {
		gap = -0.4 // no seams of paper, which would be all that is seen
	}
	compares, past := g.ShowsPinned(v), f
	if compares {
		then, _ := v.pinnedView()
		past = then.LastEvaluation()
	}
	for j, i := range g.clients {
		share := f.Accuracies[i]
		if !finite(share) {
			share = 0
		}
		x, y := b.x0+w*float32(j), b.y1-(b.y1-b.y0)*min(max(share, 0), 1)
		k := label(f, i)
		if colour := v.Colour(k); w >= thin && g.match.wrong(v, i, k) {
			edge := min(1.5, (w-gap)/3)
			l.Rect(x+edge/2, y+edge/2, w-gap-edge, max(b.y1-y-edge, 0.5), scene.Nothing,
				scene.Pen{Colour: colour, Width: edge})
		} else {
			l.Rect(x, y, w-gap, b.y1-y, colour, scene.Pen{})
		}
		if compares {
			y := b.y1 - (b.y1-b.y0)*min(max(past.Accuracies[i], 0), 1)
			l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x-gap/2, y, x+w-gap/2, y)
		}
		hits.add(x+(w-gap)/2, (b.y0+b.y1)/2, (b.y1-b.y0)/2, i)
	}
	l.Line(pen, b.x0, b.y1, right, b.y1)
	for j, i := range g.clients {
		x := b.x0 + w*float32(j)
		if w >= 6 {
			l.Mark(v.Shape(i), x+(w-gap)/2, b.y1+8, min(w*0.36, 4), scene.Unassigned, scene.Pen{})
		}
		v.veil(l, i, x, b.y0, w, b.y1-b.y0+14)
		if i == v.Hover || i == v.Selected {
			l.Rect(x-1, b.y0-1, w-gap+2, b.y1-b.y0+2, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
		}
	}
}
