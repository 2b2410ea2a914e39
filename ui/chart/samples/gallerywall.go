package samples

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The wall: the pictures of all clients by class.

// wall is how the pictures are arranged.
type wall struct {
	pictures []int // client × Each + number, by class
	from     []int // index of the first picture of each class that has any
	tile     float32
	columns  int
	head     float32 // width of the names of classes, 0 without names
}

// wallGap is the space between pictures.
const wallGap = 2

// Tiles of a wall.
const (
	mostWall  = 48
	leastWall = 15 // beside a name
)

// arrangeWall sorts the pictures by their labels, and finds the largest tiles with which all have room: with the names
// of the classes, each beginning a row, or else without them.
func (g *Gallery) arrangeWall(p *trace.Gallery, plot layout.Area) {
	w := &g.wall
	w.pictures = trace.Resize(w.pictures, len(p.Label))
	for i := range w.pictures {
		w.pictures[i] = i
	}
	slices.SortStableFunc(w.pictures, func(a, b int) int { return int(p.Label[a]) - int(p.Label[b]) })
	w.from, w.head = w.from[:0], 0
	for j, i := range w.pictures {
		if j == 0 || p.Label[i] != p.Label[w.pictures[j-1]] {
			w.from = append(w.from, j)
			w.head = max(w.head, scene.TextWidth(say.Text(className(p, i)), layout.Small, false))
		}
	}
	w.head = min(w.head, 0.42*(plot.X1-plot.X0)) + 6
	for w.tile = mostWall; w.tile >= leastWall; w.tile-- {
		if w.fits(plot, true) {
			return
		}
	}
	for w.head = 0; w.tile > 1 && !w.fits(plot, false); w.tile-- {
	}
}

// fits reports whether the pictures have room, each class in rows of its own or one after the other.
func (w *wall) fits(plot layout.Area, rows bool) bool {
	step := w.tile + wallGap
	w.columns = int((plot.X1 - plot.X0 - w.head) / step)
	if w.columns < 1 {
		return false
	}
	n := 0
	for from, to := range w.classes {
		n += (to - from + w.columns - 1) / w.columns
	}
	if !rows {
		n = (len(w.pictures) + w.columns - 1) / w.columns
	}
	return float32(n)*step <= plot.Y1-plot.Y0
}

// classes yields the bounds of each class in the pictures.
func (w *wall) classes(yield func(from, to int) bool) {
	for i, from := range w.from {
		to := len(w.pictures)
		if i+1 < len(w.from) {
			to = w.from[i+1]
		}
		if !yield(from, to) {
			return
		}
	}
}

// drawWall draws the pictures by class.
func (g *Gallery) drawWall(l *scene.List, hits *chart.Hits, v *chart.View, p *trace.Gallery, box chart.Box) {
	plot := layout.Rect(4, 3, box.W-4, box.H-3)
	g.arrangeWall(p, plot)
	w, step := &g.wall, g.wall.tile+wallGap
	x, y := plot.X0+w.head, plot.Y0
	focus := v.Focus()
	for from, to := range w.classes {
		if w.head > 0 {
			l.Text(plot.X0, y+w.tile/2, scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet},
				layout.Fit(say.Text(className(p, w.pictures[from])), layout.Small, w.head-6))
		}
		for _, i := range w.pictures[from:to] {
			if x+w.tile > plot.X1+0.1 {
				x, y = plot.X0+w.head, y+step
			}
			client := i / p.Each
			one := trace.Gallery{Height: p.Height, Width: p.Width, Channels: p.Channels, Each: 1,
				Pixels: p.Image(client, i%p.Each)}
			chart.DrawSamples(l, &one, 0, 1, x, y, w.tile)
			v.CoverDimmed(l, client, x, y, w.tile, w.tile)
			if client == focus {
				l.Rect(x-1, y-1, w.tile+2, w.tile+2, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 2})
			}
			hits.AddBar(x, x+w.tile, y+w.tile/2, w.tile/2, client)
			x += step
		}
		if w.head > 0 {
			x, y = plot.X0+w.head, y+step
		}
	}
}

// className is the name that its client gives to the class of a picture.
func className(p *trace.Gallery, picture int) string {
	return p.Name(picture/p.Each, int(p.Label[picture]))
}
