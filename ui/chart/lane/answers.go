package lane

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var answersKind = chart.Kind{Name: "answers", Title: "Answers", Hint: "row: class · column: answer · dark: many samples", Of: chart.OfLane,
	Shows: (*chart.View).Classifies, New: func() chart.Figure { return new(Answers) }}

// Answers shows the last evaluation on held-out samples: a confusion matrix, with the classes as
// rows and the answers as columns, of the model of the client in focus, or of all clients. Bright
// means often, and correct answers are on the diagonal. Bars beside it are the accuracies of all
// clients, in the colours of their models.
type Answers struct {
	clients []int // in the order of the bars
	counts  []int // by class and answer
	match   chart.Matching
}

// answerGrid is the geometry of one drawing.
type answerGrid struct {
	square  layout.Area
	cell    float32
	classes int
	left    float32 // width of the labels of classes
	words   layout.Area
	bars    layout.Area
}

// AxisTitles returns the titles of the axes. The horizontal one has none, because bars are below
// or beside the square.
func (g *Answers) AxisTitles(*chart.View) (x, y string) { return "", "Class" }

// Draw draws the figure into box.
func (g *Answers) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	f := v.LastEvaluation()
	if f == nil || !g.sumAnswers(v, f) {
		drawMessage(l, box, "Models are not evaluated here.")
		return
	}
	grid := g.grid(v, box)
	g.drawSquare(l, v, &grid)
	grid.bars.Y0 = max(grid.bars.Y0, g.drawSummary(l, v, f, grid.words)+8)
	g.drawBars(l, hits, v, f, &grid)
}

// sumAnswers adds up the answers of the client in focus, or of all honest clients, and reports whether
// there are any.
func (g *Answers) sumAnswers(v *chart.View, f *trace.Frame) bool {
	n := len(v.Run.Header.DataPreview.Gallery.Classes)
	if n == 0 || len(f.Confusion) < n*n*v.Run.Header.Clients {
		return false
	}
	g.counts = trace.Resize(g.counts, n*n)
	clear(g.counts)
	from, to := 0, v.Run.Header.Clients
	if i := v.Focus(); i >= 0 {
		from, to = i, i+1
	}
	for i := from; i < to; i++ {
		if to-from > 1 && v.Run.Header.Lies(i) {
			continue
		}
		for at, count := range f.Confusion[i*n*n : (i+1)*n*n] {
			g.counts[at] += int(count)
		}
	}
	return true
}

func (g *Answers) grid(v *chart.View, box chart.Box) answerGrid {
	classes := v.Run.Header.DataPreview.Gallery.Classes
	grid := answerGrid{classes: len(classes), left: 10}
	for _, name := range classes {
		grid.left = max(grid.left, scene.TextWidth(say.Text(name), layout.Small, false))
	}
	grid.left = min(grid.left, box.W*0.2, 76) + 8
	side := min(box.H-20, box.W-grid.left-6)
	beside := box.W > 1.5*box.H
	if beside {
		side = min(side, box.W*0.55-grid.left)
	} else {
		side = min(side, box.H-4*layout.LineHeight-86)
	}
	grid.cell = side / float32(grid.classes)
	if grid.cell >= 2 {
		grid.cell = layout.Floor(grid.cell) // whole pixels, so that the edges are sharp
	}
	side = max(grid.cell*float32(grid.classes), 0)
	grid.square = layout.Rect(grid.left, 3, grid.left+side, 3+side)
	if beside {
		x := grid.square.X1 + 14
		grid.words = layout.Rect(x, 2, box.W-4, box.H-16)
		grid.bars = layout.Rect(x, 10+3*layout.LineHeight, box.W-6, box.H-16)
	} else {
		y := grid.square.Y1 + 20
		grid.words = layout.Rect(6, y, box.W-4, box.H-16)
		grid.bars = layout.Rect(6, y+8+3*layout.LineHeight, box.W-6, box.H-16)
	}
	return grid
}

// drawSquare draws the confusion matrix. Each row is divided by its sum, so that rare classes are
// as visible as others.
func (g *Answers) drawSquare(l *scene.List, v *chart.View, grid *answerGrid) {
	n, s := grid.classes, grid.square
	if grid.cell <= 0 {
		return
	}
	out := l.Image(s.X0, s.Y0, s.X1-s.X0, s.Y1-s.Y0, n, n, 3, 0, 0)
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
			l.Line(pen, s.X0, s.Y0+at, s.X1, s.Y0+at)
			l.Line(pen, s.X0+at, s.Y0, s.X0+at, s.Y1)
		}
	}
	g.drawNames(l, v, grid)
}

// drawNames writes the classes beside the rows, and below the columns if they are short enough.
func (g *Answers) drawNames(l *scene.List, v *chart.View, grid *answerGrid) {
	classes := v.Run.Header.DataPreview.Gallery.Classes
	step := 1
	for float32(step)*grid.cell < layout.Small+1 {
		step++
	}
	wide := float32(0)
	for _, name := range classes {
		wide = max(wide, scene.TextWidth(say.Text(name), layout.Small, false))
	}
	font := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet}
	for k := 0; k < len(classes); k += step {
		at := (float32(k) + 0.5) * grid.cell
		font.Anchor = scene.End
		l.Text(grid.square.X0-4, grid.square.Y0+at, font,
			layout.Fit(say.Text(classes[k]), layout.Small, grid.left-6))
		if wide+3 <= float32(step)*grid.cell {
			font.Anchor = scene.Middle
			l.Text(grid.square.X0+at, grid.square.Y1+9, font, classes[k])
		}
	}
}

// drawBars draws the accuracy of each client, and adds areas for hit tests.
func (g *Answers) drawBars(l *scene.List, hits *chart.Hits, v *chart.View, f *trace.Frame, grid *answerGrid) {
	b := grid.bars
	clients := v.Run.Header.Clients
	if len(f.Accuracies) < clients || b.Y1-b.Y0 < 14 || b.X1-b.X0 < 40 {
		return
	}
	g.clients = v.ByGroup(g.clients)
	g.match.Find(v, f)
	w := min((b.X1-b.X0)/float32(clients), 24)
	right := b.X0 + w*float32(clients)
	pen := scene.Pen{Colour: scene.Line, Width: 1}
	l.Line(pen, b.X0, b.Y0, right, b.Y0)
	const thin = 3
	gap := min(w*0.25, 3)
	if w < thin {
		gap = -0.4 // without gaps, which would cover the bars
	}
	compares, past := g.ShowsPinned(v), f
	if compares {
		then, _ := v.PinnedView()
		past = then.LastEvaluation()
	}
	for j, i := range g.clients {
		share := f.Accuracies[i]
		if !chart.Finite(share) {
			share = 0
		}
		x, y := b.X0+w*float32(j), b.Y1-(b.Y1-b.Y0)*min(max(share, 0), 1)
		k := chart.ModelOf(f, i)
		switch colour := v.Colour(k); {
		case v.Run.Header.Lies(i): // it has no score
		case w >= thin && g.match.Misplaced(v, i, k):
			edge := min(1.5, (w-gap)/3)
			l.Rect(x+edge/2, y+edge/2, w-gap-edge, max(b.Y1-y-edge, 0.5), scene.Nothing,
				scene.Pen{Colour: colour, Width: edge})
		default:
			l.Rect(x, y, w-gap, b.Y1-y, colour, scene.Pen{})
		}
		if compares && !v.Run.Header.Lies(i) {
			y := b.Y1 - (b.Y1-b.Y0)*min(max(past.Accuracies[i], 0), 1)
			l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x-gap/2, y, x+w-gap/2, y)
		}
		hits.Add(x+(w-gap)/2, (b.Y0+b.Y1)/2, (b.Y1-b.Y0)/2, i)
	}
	l.Line(pen, b.X0, b.Y1, right, b.Y1)
	for j, i := range g.clients {
		x := b.X0 + w*float32(j)
		if w >= 6 {
			l.Mark(v.Shape(i), x+(w-gap)/2, b.Y1+8, min(w*0.36, 4), scene.Unassigned, scene.Pen{})
		}
		v.CoverDimmed(l, i, x, b.Y0, w, b.Y1-b.Y0+14)
		if i == v.Hover || i == v.Selected {
			l.Rect(x-1, b.Y0-1, w-gap+2, b.Y1-b.Y0+2, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
		}
	}
}
