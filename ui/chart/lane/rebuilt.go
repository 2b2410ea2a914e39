package lane

import (
	"math"
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var rebuiltKind = chart.Kind{Name: "rebuilt", Title: "Rebuilt", Hint: "left: a client’s picture · then each model’s · frame: the client’s own model", Of: chart.OfLane,
	Shows: hasReconstructions, New: func() chart.Figure { return new(Rebuilt) }}

// Rebuilt shows how autoencoders reconstruct a few images, after the last evaluation: one row per
// client, one client of each group, with its image and the reconstruction of each model. The
// client in focus takes the row of its group. The reconstruction of the client's own model has a
// frame. A model trained on one kind of clients reconstructs the images of others badly; that is
// how clients are assigned to it.
type Rebuilt struct {
	header         *trace.Header
	previewClients []int // clients, in the order of a frame's reconstructions
	previews       int   // how many of them have one
	rows           []int // indices into them, in the order of the rows
	order          []int // models, in the order of the columns
	match          chart.Matching
	decimals       int // of the errors beside the rows
}

// hasReconstructions reports whether the frames of this run have reconstructions.
func hasReconstructions(v *chart.View) bool {
	f := v.FrameAt(0, 0)
	return f != nil && len(f.Reconstructed) > 0
}

// rebuiltGrid is the geometry of one drawing.
type rebuiltGrid struct {
	x0, y0 float32 // of the first image
	tile   float32
	right  float32 // right edge of the reconstructions
}

const (
	rebuiltHeading    = 17 // height of the models' names
	rebuiltGap        = 4
	rebuiltRows       = 8  // at most
	rebuiltMaxTile    = 88 // the largest images
	rebuiltErrorWidth = 78 // width of an error after a row
)

// AxisTitles returns the titles of the axes.
func (g *Rebuilt) AxisTitles(*chart.View) (x, y string) { return "Model", "Client" }

// Draw draws the images into box.
func (g *Rebuilt) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	f := v.LastEvaluation()
	if !g.arrange(v, f) {
		drawMessage(l, box, "Models reconstruct no images here.")
		return
	}
	grid := g.grid(box)
	if grid.tile < 4 {
		return
	}
	g.match.Find(v, f)
	g.drawHeadings(l, v, &grid)
	least := math.Inf(1)
	for _, at := range g.rows {
		if miss := g.squaredError(v, f, g.givenColumn(v, f, g.previewClients[at]), at); miss > 0 {
			least = min(least, miss)
		}
	}
	g.decimals = chart.DecimalsFor(least)
	for row, at := range g.rows {
		i := g.previewClients[at]
		g.drawRow(l, v, f, &grid, row, box)
		y := grid.y0 + float32(row)*(grid.tile+rebuiltGap)
		hits.AddBar(2, grid.right, y+grid.tile/2, grid.tile/2, i)
		v.CoverDimmed(l, i, 2, y-2, grid.right, grid.tile+4)
	}
}

// arrange chooses rows and columns, and reports whether there are any.
func (g *Rebuilt) arrange(v *chart.View, f *trace.Frame) bool {
	lane := v.LaneHeader()
	if lane == nil || f == nil || len(f.Reconstructed) == 0 {
		return false
	}
	if h := v.Run.Header; g.header != h {
		g.header, g.previewClients = h, h.PreviewClients()
	}
	g.order = trace.Resize(g.order, lane.Reconstructing())
	for k := range g.order {
		g.order[k] = k
	}
	if !chart.OwnModels(lane) {
		slices.SortStableFunc(g.order, func(a, b int) int { return v.AliasOf(a) - v.AliasOf(b) })
	}
	each := len(g.order) * v.Run.Header.DataPreview.Gallery.Size()
	if each == 0 || len(f.Reconstructed)%each != 0 || len(f.Reconstructed)/each > len(g.previewClients) {
		return false
	}
	g.previews = len(f.Reconstructed) / each
	g.chooseRows(v)
	return true
}

// chooseRows chooses the client of each row: one of each group, or the first few where groups are
// unknown. A client in focus without a row takes that of its group, or the last one.
func (g *Rebuilt) chooseRows(v *chart.View) {
	h := v.Run.Header
	rows := min(g.previews, rebuiltRows)
	if h.HasTruth() {
		rows = min(rows, h.Groups) // they begin with one client of each group
	}
	g.rows = trace.Resize(g.rows, rows)
	for row := range g.rows {
		g.rows[row] = row
	}
	for _, i := range [...]int{v.Selected, v.Hover} {
		place := slices.Index(g.previewClients[:g.previews], i)
		row := place
		if place >= rows {
			row = slices.IndexFunc(g.previewClients[:rows], func(other int) bool {
				return h.HasTruth() &&
					v.Group(other) == v.Group(i)
			})
			if row < 0 {
				row = rows - 1
			}
		}
		if row >= 0 {
			g.rows[row] = place
		}
	}
}

func (g *Rebuilt) grid(box chart.Box) rebuiltGrid {
	rows, columns := float32(len(g.rows)), float32(1+len(g.order))
	grid := rebuiltGrid{x0: 20, y0: rebuiltHeading + 2}
	grid.tile = layout.Floor(min((box.H-grid.y0-2)/rows-rebuiltGap, (box.W-grid.x0-4-rebuiltGap)/columns-rebuiltGap,
		rebuiltMaxTile))
	grid.right = grid.x(len(g.order)-1) + grid.tile
	return grid
}

// x returns the left edge of a reconstruction, or with −1 that of the image itself, which is set
// apart.
func (grid *rebuiltGrid) x(column int) float32 {
	if column < 0 {
		return grid.x0
	}
	return grid.x0 + 2*rebuiltGap + float32(column+1)*(grid.tile+rebuiltGap) - rebuiltGap
}

// drawHeadings writes the models above their reconstructions.
func (g *Rebuilt) drawHeadings(l *scene.List, v *chart.View, grid *rebuiltGrid) {
	font := scene.Font{Size: layout.Small, Anchor: scene.Middle, Baseline: scene.Centre, Colour: scene.Ink}
	y := float32(rebuiltHeading) / 2
	if chart.OwnModels(v.LaneHeader()) {
		l.Text(grid.x(0)+grid.tile/2, y, font, layout.Fit(say.Text("own"), layout.Small, grid.tile))
		return
	}
	for column, k := range g.order {
		letter := v.Letter(k)
		x, wide := grid.x(column)+grid.tile/2, scene.TextWidth(letter, layout.Small, false)
		if 13+wide <= grid.tile {
			l.Rect(x-(13+wide)/2, y-4, 9, 9, v.Colour(k), scene.Pen{})
			x += 6.5
		}
		l.Text(x, y, font, letter)
	}
}

// drawRow draws a client's image, its reconstructions, and the error of its own model.
func (g *Rebuilt) drawRow(l *scene.List, v *chart.View, f *trace.Frame, grid *rebuiltGrid, row int, box chart.Box) {
	at := g.rows[row]
	i := g.previewClients[at]
	p := &v.Run.Header.DataPreview.Gallery
	y := grid.y0 + float32(row)*(grid.tile+rebuiltGap)
	chart.DrawClient(l, v, i, chart.ModelOf(f, i), g.match.Misplaced(v, i, chart.ModelOf(f, i)), grid.x0-11,
		y+grid.tile/2, min(grid.tile/2-1, 5))
	chart.DrawSamples(l, p, i, 1, grid.x(-1), y, grid.tile)
	one := trace.Gallery{Height: p.Height, Width: p.Width, Channels: p.Channels, Each: 1}
	for column, k := range g.order {
		one.Pixels = g.reconstruction(v, f, k, at)
		x := grid.x(column)
		chart.DrawSamples(l, &one, 0, 1, x, y, grid.tile)
		if chart.OwnModels(v.LaneHeader()) || k == chart.ModelOf(f, i) {
			l.Rect(x-1, y-1, grid.tile+2, grid.tile+2, scene.Nothing,
				scene.Pen{Colour: v.Colour(chart.ModelOf(f, i)), Width: 2})
		}
	}
	if i == v.Hover || i == v.Selected {
		l.Rect(grid.x(-1)-1, y-1, grid.tile+2, grid.tile+2, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
	}
	miss := g.squaredError(v, f, g.givenColumn(v, f, i), at)
	if miss >= 0 && grid.right+8+rebuiltErrorWidth < box.W && grid.tile >= layout.Small {
		l.Text(grid.right+8, y+grid.tile/2, scene.Font{Size: layout.Small, Baseline: scene.Centre,
			Colour: scene.Quiet}, say.Textf("error %s", chart.Fixed(miss, g.decimals)))
	}
}

// givenColumn returns the index of the client's own model among the reconstructions.
func (g *Rebuilt) givenColumn(v *chart.View, f *trace.Frame, client int) int {
	if chart.OwnModels(v.LaneHeader()) {
		return 0
	}
	return chart.ModelOf(f, client)
}

// reconstruction returns the reconstruction of a client's image by model k.
func (g *Rebuilt) reconstruction(v *chart.View, f *trace.Frame, k, place int) []uint8 {
	size := v.Run.Header.DataPreview.Gallery.Size()
	at := (k*g.previews + place) * size
	return f.Reconstructed[at : at+size]
}

// squaredError returns the mean squared difference between an image and its reconstruction, for
// values from 0 to 1; −1 for a model without reconstructions.
func (g *Rebuilt) squaredError(v *chart.View, f *trace.Frame, k, place int) float64 {
	if k < 0 || k >= len(g.order) {
		return -1
	}
	sum := 0
	picture := v.Run.Header.DataPreview.Gallery.Image(g.previewClients[place], 0)
	for at, c := range g.reconstruction(v, f, k, place) {
		d := int(c) - int(picture[at])
		sum += d * d
	}
	return float64(sum) / (255 * 255) / float64(len(picture))
}
