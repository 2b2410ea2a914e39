package samples

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var galleryKind = chart.Kind{Name: "gallery", Title: "Data", Of: chart.OfData,
	Shows: (*chart.View).Pictures,
	New:   func() chart.Figure { return new(Gallery) }}

// Gallery shows samples that are images: a row for each client, below the name of its group. The
// client in focus is enlarged in a panel, with its labels. With too many clients, or without
// images, only the clients' marks are drawn. With ByClass it shows the images of all clients, by class.
type Gallery struct {
	clients  []int // in the order of the rows: by group and number
	from     []int // index of the first client of each group
	grid     galleryGrid
	match    chart.Matching
	rows     []layout.Area // of the clients' rows with marks, in their order
	headings []layout.Area // of the groups' names
	bars     bool          // the panel has bars of classes
	ByClass  bool          // the pictures of all clients stand by class
	wall     wall
}

// Draw draws the gallery into box.
func (g *Gallery) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() || v.Run == nil {
		return
	}
	pictures := &v.Run.Header.DataPreview.Gallery
	if g.ByClass && pictures.HasImages() {
		g.drawWall(l, hits, v, pictures, box)
		return
	}
	g.arrange(v)
	panel, enlarged := g.layoutPanel(v, pictures, box)
	if g.grid.each > 0 {
		g.drawRows(l, pictures, panel)
	}
	g.drawMarks(l, v, panel)
	for i, place := range g.headings {
		if place.Overlaps(panel) || g.rows[g.from[i]].Overlaps(panel) {
			continue
		}
		y := (place.Y0 + place.Y1) / 2
		l.Mark(v.Shape(g.clients[g.from[i]]), place.X0+5, y, 4, scene.Unassigned, scene.Pen{})
		l.Text(place.X0+14, y, scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Quiet},
			layout.Fit(v.GroupName(v.Group(g.clients[g.from[i]])), layout.Small, place.X1-place.X0-14))
	}
	for j, i := range g.clients {
		p := g.rows[j]
		hits.AddBar(p.X0, p.X1, (p.Y0+p.Y1)/2, (p.Y1-p.Y0)/2, i)
		v.CoverDimmed(l, i, p.X0, p.Y0, p.X1-p.X0, p.Y1-p.Y0)
		if (i == v.Hover || i == v.Selected) && !p.Overlaps(panel) {
			l.Rect(max(p.X0-1.5, 1), p.Y0-1, min(p.X1+1.5, box.W-1)-max(p.X0-1.5, 1), p.Y1-p.Y0+2, scene.Nothing,
				scene.Pen{Colour: scene.Ink, Width: 1.5})
		}
	}
	if enlarged {
		g.drawPanel(l, v, pictures, panel)
	}
}

// arrange sorts the clients by group and number.
func (g *Gallery) arrange(v *chart.View) {
	g.clients = trace.Resize(g.clients, v.Run.Header.Clients)
	for i := range g.clients {
		g.clients[i] = i
	}
	slices.SortStableFunc(g.clients, func(a, b int) int { return v.Group(a) - v.Group(b) })
	g.from = g.from[:0]
	for j, i := range g.clients {
		if j == 0 || v.Group(i) != v.Group(g.clients[j-1]) {
			g.from = append(g.from, j)
		}
	}
}

// groups yields the bounds of each group in g.clients.
func (g *Gallery) groups(yield func(from, to int) bool) {
	for i, from := range g.from {
		to := len(g.clients)
		if i+1 < len(g.from) {
			to = g.from[i+1]
		}
		if !yield(from, to) {
			return
		}
	}
}

// placeRows computes the areas of all rows and of all groups' names.
func (g *Gallery) placeRows(plot layout.Area) {
	s := &g.grid
	g.rows, g.headings = trace.Resize(g.rows, len(g.clients)), g.headings[:0]
	width := (plot.X1 - plot.X0) / float32(s.columns)
	y := plot.Y0
	for from, to := range g.groups {
		if s.named {
			g.headings = append(g.headings, layout.Rect(plot.X0, y, plot.X1, y+headingHeight))
			y += headingHeight
		}
		for j := from; j < to; j++ {
			x := layout.Floor(plot.X0 + width*float32((j-from)%s.columns))
			if (j-from)%s.columns == 0 && j > from {
				y += s.tile + s.gap
			}
			top := min(layout.Floor(y), plot.Y1-s.tile)
			g.rows[j] = layout.Rect(x, top, min(x+s.head+float32(max(s.each, 1))*s.tile*s.imageFactor(), plot.X1),
				top+s.tile)
		}
		y += s.tile + s.gap + s.groupGap
	}
}

// drawRows draws the rows: each is one raster, and all of them one operation, with lines between
// the images. Rows below the panel are skipped.
func (g *Gallery) drawRows(l *scene.List, p *trace.Gallery, panel layout.Area) {
	s := &g.grid
	for j, i := range g.clients {
		if at := g.rows[j]; !at.Overlaps(panel) {
			chart.DrawSamples(l, p, i, s.each, at.X0+s.head, at.Y0, s.tile)
		}
	}
	if s.tile < 12 {
		return
	}
	for _, at := range g.rows {
		if at.Overlaps(panel) {
			continue
		}
		for n := 1; n < s.each; n++ {
			x := at.X0 + s.head + float32(n)*s.tile
			l.Line(scene.Pen{Colour: scene.Paper, Width: 1.5}, x, at.Y0, x, at.Y1)
		}
	}
}

// drawMarks draws the clients' marks.
func (g *Gallery) drawMarks(l *scene.List, v *chart.View, panel layout.Area) {
	f := v.Frame()
	if f != nil {
		g.match.Find(v, f)
	}
	r := g.grid.radius
	for j, i := range g.clients {
		at := g.rows[j]
		if at.Overlaps(panel) {
			continue
		}
		x, y, model, wrong := at.X0+r+1, (at.Y0+at.Y1)/2, -1, false
		if f != nil {
			model = chart.ModelOf(f, i)
			wrong = g.match.Misplaced(v, i, model)
		}
		chart.DrawClient(l, v, i, model, wrong, x, y, r)
	}
}
