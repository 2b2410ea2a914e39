package chart

import (
	"slices"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var galleryKind = Kind{Name: "gallery", Title: "Data", Of: OfData,
	Shows: (*View).Pictures,
	New:   func() Figure { return new(Gallery) }}

// Gallery shows what clients hold where samples are images: a row of each
// client's own, as it sees them, below what its group has in common. The client
// in focus is shown once more, larger, with the names that it gives them.
// Where clients are too many, or their samples no images, only their marks are
// left.
type Gallery struct {
	clients []int // in the order of the rows: by group and number
	from    []int // where each group begins among them
	shelf   shelf
	match   matching
	places  []area // of the clients' rows, marks and all, in their order
	heads   []area // of the groups' names
	bars    bool   // the client in focus has bars of its classes
	words   []byte
}

// Draw draws the gallery into box.
func (g *Gallery) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() || v.Run == nil {
		return
	}
	g.arrange(v)
	pictures := &v.Run.Header.Scenery.Gallery
	panel, enlarged := g.stand(v, pictures, box)
	if g.shelf.each > 0 {
		g.pictures(l, pictures, panel)
	}
	g.marks(l, v, panel)
	for i, place := range g.heads {
		if place.meets(panel) || g.places[g.from[i]].meets(panel) {
			continue
		}
		y := (place.y0 + place.y1) / 2
		l.Mark(v.Shape(g.clients[g.from[i]]), place.x0+5, y, 4, scene.Unassigned, scene.Pen{})
		l.Text(place.x0+14, y, scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Quiet},
			fitting(v.GroupName(v.group(g.clients[g.from[i]])), small, place.x1-place.x0-14))
	}
	for j, i := range g.clients {
		p := g.places[j]
		hits.bar(p.x0, p.x1, (p.y0+p.y1)/2, (p.y1-p.y0)/2, i)
		v.veil(l, i, p.x0, p.y0, p.x1-p.x0, p.y1-p.y0)
		if (i == v.Hover || i == v.Selected) && !p.meets(panel) {
			l.Rect(max(p.x0-1.5, 1), p.y0-1, min(p.x1+1.5, box.W-1)-max(p.x0-1.5, 1), p.y1-p.y0+2, scene.Nothing,
				scene.Pen{Colour: scene.Ink, Width: 1.5})
		}
	}
	if enlarged {
		g.enlarge(l, v, pictures, panel)
	}
}

// arrange sorts the clients by group and number.
func (g *Gallery) arrange(v *View) {
	g.clients = trace.Resize(g.clients, v.Run.Header.Clients)
	for i := range g.clients {
		g.clients[i] = i
	}
	slices.SortStableFunc(g.clients, func(a, b int) int { return v.group(a) - v.group(b) })
	g.from = g.from[:0]
	for j, i := range g.clients {
		if j == 0 || v.group(i) != v.group(g.clients[j-1]) {
			g.from = append(g.from, j)
		}
	}
}

// groups yields the clients of each group as bounds in g.clients.
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

// lay finds the place of every row and of every group's name.
func (g *Gallery) lay(plot area) {
	s := &g.shelf
	g.places, g.heads = trace.Resize(g.places, len(g.clients)), g.heads[:0]
	width := (plot.x1 - plot.x0) / float32(s.columns)
	y := plot.y0
	for from, to := range g.groups {
		if s.named {
			g.heads = append(g.heads, area{plot.x0, y, plot.x1, y + headHeight})
			y += headHeight
		}
		for j := from; j < to; j++ {
			x := whole(plot.x0 + width*float32((j-from)%s.columns))
			if (j-from)%s.columns == 0 && j > from {
				y += s.tile + s.gap
			}
			top := min(whole(y), plot.y1-s.tile)
			g.places[j] = area{x, top, min(x+s.head+float32(max(s.each, 1))*s.tile*s.shown(), plot.x1), top + s.tile}
		}
		y += s.tile + s.gap + s.apart
	}
}

// pictures draws the rows: each is one raster, all of them one operation. Lines
// of paper part the pictures. What would lie below the panel is left out.
func (g *Gallery) pictures(l *scene.List, p *trace.Gallery, panel area) {
	s := &g.shelf
	for j, i := range g.clients {
		if at := g.places[j]; !at.meets(panel) {
			raster(l, p, i, s.each, at.x0+s.head, at.y0, s.tile)
		}
	}
	if s.tile < 12 {
		return
	}
	for _, at := range g.places {
		if at.meets(panel) {
			continue
		}
		for n := 1; n < s.each; n++ {
			x := at.x0 + s.head + float32(n)*s.tile
			l.Line(scene.Pen{Colour: scene.Paper, Width: 1.5}, x, at.y0, x, at.y1)
		}
	}
}

// marks draws the clients by the rule of the house.
func (g *Gallery) marks(l *scene.List, v *View, panel area) {
	f := v.frame()
	if f != nil {
		g.match.find(v, f)
	}
	r := g.shelf.radius
	for j, i := range g.clients {
		at := g.places[j]
		if at.meets(panel) {
			continue
		}
		x, y, model, wrong := at.x0+r+1, (at.y0+at.y1)/2, -1, false
		if f != nil {
			model = label(f, i)
			wrong = g.match.wrong(v, i, model)
		}
		mark(l, v, i, model, wrong, x, y, r)
	}
}
