package lane

import (
	"slices"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var treeKind = chart.Kind{Name: "tree", Title: "Tree", Hint: "band: clients of a cluster · forks: it splits · joins: clusters merge", Of: chart.OfLane,
	Shows: clustersChange, New: func() chart.Figure { return new(Tree) }}

// Tree shows splits and merges of clusters over the rounds of the whole run, as an alluvial
// diagram: each cluster is a band in its colour, as high as its number of clients. The clients
// are drawn at the shown round, and the path of the one in focus through all rounds.
type Tree struct {
	branches branches
	match    chart.Matching
	links    []link
	tops     [2][]float32 // by model: the upper edge of its band, in two columns
	clients  []int        // by group
	y        []float32    // by client, at the shown round
	at       []float32    // of names
	rank     []int
	points   []float32
	words    []byte
}

// clustersChange reports whether the number of clusters changes during the run.
func clustersChange(v *chart.View) bool {
	if !canMove(v) {
		return false
	}
	frames := v.Run.Tracks[v.Lane].Frames
	return len(frames) > 2 && slices.ContainsFunc(frames[2:],
		func(f trace.Frame) bool { return f.Clusters != frames[1].Clusters })
}

// treePlot is the geometry of one drawing.
type treePlot struct {
	layout.Area
	rounds int
	unit   float32 // height of a client
	gap    float32 // between bands
}

// x is a whole pixel, so that there are no gaps between parts of a band.
func (p *treePlot) x(round int) float32 {
	return layout.Floor(p.X0 + (p.X1-p.X0)*float32(round)/float32(max(p.rounds, 1)) + 0.5)
}

// bend returns the width of the links before the next column.
func (p *treePlot) bend(way float32) float32 { return layout.Floor(min(0.6*way, 18)) }

// minColumnDistance is the smallest distance between two columns, in CSS pixels.
const minColumnDistance = 2

// AxisTitles returns the titles of the axes.
func (g *Tree) AxisTitles(*chart.View) (x, y string) { return "Round", "Clients" }

// Draw draws the diagram into box.
func (g *Tree) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	f := v.Frame()
	if f == nil || !clustersChange(v) {
		drawMessage(l, box, "No cluster has split or merged.")
		return
	}
	foot := float32(layout.LineHeight + 6)
	wide := scene.TextWidth("A 0", layout.Small, false)
	for n := v.Run.Header.Clients / 10; n > 0; n /= 10 {
		wide += scene.TextWidth("0", layout.Small, false)
	}
	p := treePlot{Area: layout.Rect(10, 8, box.W-wide-10, box.H-foot), rounds: v.Run.Header.Rounds}
	if p.X1-p.X0 < 40 || p.Y1-p.Y0 < 16 {
		return
	}
	g.branches.update(v, int(float32(p.rounds)*minColumnDistance/(p.X1-p.X0)))
	most := g.branches.maxClusters()
	if p.gap = 5; p.gap*float32(most-1) > (p.Y1-p.Y0)/3 {
		p.gap = (p.Y1 - p.Y0) / 3 / float32(most-1)
	}
	p.unit = (p.Y1 - p.Y0 - p.gap*float32(most-1)) / float32(v.Run.Header.Clients)
	l.Fade(0.5)
	g.drawRibbons(l, v, &p)
	l.Fade(1)
	g.drawNames(l, v, &p)
	g.drawCursor(l, hits, v, f, &p, box)
}

// drawRibbons draws all bands and the links between them.
func (g *Tree) drawRibbons(l *scene.List, v *chart.View, p *treePlot) {
	b := &g.branches
	last := p.x(len(v.Run.Tracks[v.Lane].Frames) - 1)
	for c := range b.columns {
		g.stackClusters(c, p, 0)
		from, to := p.x(b.columns[c].round), last
		bend := float32(0)
		if c+1 < len(b.columns) {
			to = p.x(b.columns[c+1].round)
			bend = p.bend(to - from)
		}
		for _, k := range b.order {
			if h := float32(b.count(c, k)) * p.unit; h > 0 && to-bend > from {
				l.Rect(from, g.tops[0][k], to-bend-from, h, v.Colour(k), scene.Pen{})
			}
		}
		if c+1 < len(b.columns) {
			g.stackClusters(c+1, p, 1)
			g.drawLinks(l, v, p, c+1, to-bend, to)
		}
	}
}

// stackClusters computes the upper edge of each band of a column, in the order of the models,
// centred.
func (g *Tree) stackClusters(column int, p *treePlot, side int) {
	b := &g.branches
	g.tops[side] = trace.Resize(g.tops[side], b.models)
	living := 0
	for _, k := range b.order {
		if b.count(column, k) > 0 {
			living++
		}
	}
	y := (p.Y0+p.Y1)/2 - (float32(b.clients)*p.unit+float32(living-1)*p.gap)/2
	for _, k := range b.order {
		g.tops[side][k] = y
		if n := b.count(column, k); n > 0 {
			y += float32(n)*p.unit + p.gap
		}
	}
}

// drawLinks draws the links from the bands of one column to those of the next.
func (g *Tree) drawLinks(l *scene.List, v *chart.View, p *treePlot, column int, x0, x1 float32) {
	g.links = append(g.links[:0], g.branches.linksInto(column)...)
	rank := g.branches.rank
	slices.SortStableFunc(g.links, func(a, b link) int {
		return cmpPairs(rank[a.from], rank[a.to], rank[b.from], rank[b.to])
	})
	for i := range g.links {
		a := &g.links[i]
		a.y0 = g.tops[0][a.from]
		g.tops[0][a.from] += float32(a.clients) * p.unit
	}
	slices.SortStableFunc(g.links, func(a, b link) int {
		return cmpPairs(rank[a.to], rank[a.from], rank[b.to], rank[b.from])
	})
	steps := 1
	if x1-x0 >= 6 {
		steps = 8
	}
	for i := range g.links {
		a := &g.links[i]
		y1, h := g.tops[1][a.to], float32(a.clients)*p.unit
		g.tops[1][a.to] += h
		g.points = g.points[:0]
		for s := range 2 * (steps + 1) {
			share, down := float32(s)/float32(steps), float32(0)
			if s > steps {
				share, down = float32(2*steps+1-s)/float32(steps), h
			}
			g.points = append(g.points, x0+(x1-x0)*share, a.y0+(y1-a.y0)*share*share*(3-2*share)+down)
		}
		l.Polygon(v.Colour(a.to), scene.Pen{}, g.points...)
	}
}

// drawNames writes the letters of the newest clusters at the end, with their numbers of clients.
func (g *Tree) drawNames(l *scene.List, v *chart.View, p *treePlot) {
	b := &g.branches
	c := len(b.columns) - 1
	g.stackClusters(c, p, 0)
	g.at, g.rank = g.at[:0], g.rank[:0]
	for _, k := range b.order {
		if n := b.count(c, k); n > 0 {
			g.at, g.rank = append(g.at, g.tops[0][k]+float32(n)*p.unit/2), append(g.rank, k)
		}
	}
	g.clients = trace.Resize(g.clients, len(g.at))
	top, foot := p.Y0+4, p.Y1-4
	fits := layout.LineHeight*float32(len(g.at)-1) <= foot-top
	if fits {
		layout.Spread(g.at, g.clients, layout.LineHeight, top, foot)
	}
	last := float32(-layout.LineHeight)
	for n, k := range g.rank {
		if !fits && (g.at[n]-last < layout.LineHeight || g.at[n] > foot) {
			continue
		}
		last = g.at[n]
		g.words = strconv.AppendInt(append(append(g.words[:0], v.Letter(k)...), ' '), int64(b.count(c, k)), 10)
		l.TextBytes(p.X1+6, last, scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Ink}, g.words)
	}
}
