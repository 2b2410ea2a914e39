package lane

import (
	"cmp"
	"slices"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var flowKind = chart.Kind{Name: "flow", Title: "Flow", Hint: "left: models before · right: models now · ribbon: clients that moved or stayed", Of: chart.OfLane,
	Shows: canMove, New: func() chart.Figure { return new(Flow) }}

// Flow shows which clients moved, as an alluvial diagram: the clusters of the round before on the
// left, those of the shown round on the right, and between them ribbons in the colour of the new
// cluster, as high as their number of clients. Clients that stay are pale. The client in focus
// has a line of its own.
type Flow struct {
	paths  []path // by client
	order  []int  // clients from top to bottom of one side
	blocks []block
	at     []float32 // of labels
	rank   []int
	used   []bool // models
	before chart.Matching
	now    chart.Matching
	points []float32
	words  []byte
}

// path is the move of one client.
type path struct {
	from, to int32 // models
	y0, y1   float32
}

// block is one cluster on one side.
type block struct {
	model   int
	y0, y1  float32
	clients int
}

// canMove reports whether clients of the lane can change their model.
func canMove(v *chart.View) bool {
	lane := v.LaneHeader()
	return lane != nil && lane.Models > 1 && !chart.OwnModels(lane)
}

// flowPlot is the geometry of one drawing.
type flowPlot struct {
	layout.Area         // of the ribbons
	unit        float32 // height of a client
	r           float32 // of a mark, 0 where there is no room for marks
	gap         float32 // gap between clusters
}

// framesAround returns the frames before and at the shown round.
func framesAround(v *chart.View) (before, now *trace.Frame) {
	now = v.Frame()
	if v.LaneHeader() == nil || now == nil || now.Round == 0 {
		return nil, nil
	}
	if before = v.FrameAt(v.Lane, now.Round-1); before == nil || len(before.Label) != len(now.Label) {
		return nil, nil
	}
	return before, now
}

// AxisTitles returns the titles of the axes.
func (g *Flow) AxisTitles(*chart.View) (x, y string) { return "", "Clients" }

// Draw draws the ribbons into box.
func (g *Flow) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	before, now := framesAround(v)
	if before == nil || !canMove(v) {
		drawMessage(l, box, "No client has moved yet.")
		return
	}
	g.update(v, before, now)
	p := g.plot(v, box)
	if p.Y1-p.Y0 < 10 || p.X1-p.X0 < 20 {
		return
	}
	g.drawHeadings(l, before.Round, now.Round, box)
	g.layoutSide(l, v, &p, false)
	g.layoutSide(l, v, &p, true)
	for _, moved := range [...]bool{false, true} {
		g.drawRibbons(l, v, &p, moved)
	}
	for n, i := range v.MultiSelection {
		if i >= len(g.paths) {
			break
		}
		if n == 0 {
			l.Fade(0.8)
		}
		g.drawRibbon(l, v, &p, &g.paths[i], p.unit)
	}
	l.Fade(1)
	g.drawBlocks(l, v, &p)
	g.drawMarks(l, v, &p)
	if !v.Compact {
		g.drawCaption(l, v, now, box)
	}
	g.addHits(hits, &p)
	g.drawFocus(l, v, &p)
}

// update reads the model of each client in both frames.
func (g *Flow) update(v *chart.View, before, now *trace.Frame) {
	g.paths = trace.Resize(g.paths, len(now.Label))
	for i := range g.paths {
		g.paths[i] = path{from: int32(chart.ModelOf(before, i)), to: int32(chart.ModelOf(now, i))}
	}
	g.before.Find(v, before)
	g.now.Find(v, now)
}

func (g *Flow) plot(v *chart.View, box chart.Box) flowPlot {
	bottom := float32(4)
	if !v.Compact {
		bottom += layout.LineHeight + 3
	}
	wide := scene.TextWidth("A ", layout.Small, false)
	for n := len(g.paths); n > 0; n /= 10 {
		wide += scene.TextWidth("0", layout.Small, false)
	}
	p := flowPlot{Area: layout.Rect(wide+26, layout.LineHeight+7, box.W-wide-26, box.H-bottom), gap: 6}
	n, most := float32(len(g.paths)), max(g.clusters(false), g.clusters(true))
	if room := (p.Y1 - p.Y0) / 4; p.gap*float32(most-1) > room {
		p.gap = room / float32(most-1)
	}
	p.unit = min((p.Y1-p.Y0-p.gap*float32(most-1))/n, 16)
	if p.r = min(chart.MarkRadius(len(g.paths)), p.unit/2-0.3); p.r < 2 {
		p.r = 0
	}
	return p
}

// clusters counts the models that clients have on one side.
func (g *Flow) clusters(after bool) int {
	n := 0
	g.used = g.used[:0]
	for i := range g.paths {
		k := int(g.paths[i].at(after))
		for len(g.used) <= k {
			g.used = append(g.used, false)
		}
		if k >= 0 && !g.used[k] {
			g.used[k] = true
			n++
		}
	}
	return n
}

// at returns the model of one side.
func (t *path) at(after bool) int32 {
	if after {
		return t.to
	}
	return t.from
}

// drawHeadings writes the rounds above the sides.
func (g *Flow) drawHeadings(l *scene.List, before, now int, box chart.Box) {
	font := scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}
	l.Text(6, 2, font, say.Textf("round %d", before))
	font.Anchor = scene.End
	l.Text(box.W-6, 2, font, say.Textf("round %d", now))
}

// layoutSide stacks the clients of one side by cluster, then by their cluster on the other side,
// so that no two ribbons of a cluster cross, then by group.
func (g *Flow) layoutSide(l *scene.List, v *chart.View, p *flowPlot, after bool) {
	g.order = v.ByGroup(g.order)
	slices.SortStableFunc(g.order, func(a, b int) int {
		x, y := &g.paths[a], &g.paths[b]
		return cmp.Or(v.AliasOf(int(x.at(after)))-v.AliasOf(int(y.at(after))),
			v.AliasOf(int(x.at(!after)))-v.AliasOf(int(y.at(!after))))
	})
	g.blocks = g.blocks[:0]
	used := p.unit*float32(len(g.paths)) + p.gap*float32(g.clusters(after)-1)
	y := (p.Y0 + p.Y1 - used) / 2
	for _, i := range g.order {
		t := &g.paths[i]
		if n := len(g.blocks); n == 0 || g.blocks[n-1].model != int(t.at(after)) {
			if n > 0 {
				y += p.gap
			}
			g.blocks = append(g.blocks, block{model: int(t.at(after)), y0: y})
		}
		if after {
			t.y1 = y + p.unit/2
		} else {
			t.y0 = y + p.unit/2
		}
		y += p.unit
		b := &g.blocks[len(g.blocks)-1]
		b.y1 = y
		b.clients++
	}
	g.drawNames(l, v, p, after)
}

// drawNames writes the letters of the clusters of one side and their numbers of clients, as far
// as there is room.
func (g *Flow) drawNames(l *scene.List, v *chart.View, p *flowPlot, after bool) {
	g.at, g.rank = trace.Resize(g.at, len(g.blocks)), trace.Resize(g.rank, len(g.blocks))
	for n, b := range g.blocks {
		g.at[n] = (b.y0 + b.y1) / 2
	}
	top, foot := p.Y0+layout.LineHeight/2-4, p.Y1-layout.LineHeight/2+4
	fits := layout.LineHeight*float32(len(g.blocks)-1) <= foot-top
	if fits {
		layout.Spread(g.at, g.rank, layout.LineHeight, top, foot)
	}
	font := scene.Font{Size: layout.Small, Baseline: scene.Centre, Colour: scene.Ink, Anchor: scene.End}
	x := p.X0 - 22
	if after {
		font.Anchor, x = scene.Start, p.X1+22
	}
	last := float32(-layout.LineHeight)
	for n, b := range g.blocks {
		if !fits && (g.at[n]-last < layout.LineHeight || g.at[n] > p.Y1-4) {
			continue
		}
		last = g.at[n]
		g.words = strconv.AppendInt(append(append(g.words[:0], v.Letter(b.model)...), ' '), int64(b.clients), 10)
		l.TextBytes(x, g.at[n], font, g.words)
	}
}

// drawRibbons draws the ribbons of clients that moved, or of those that stay. g.order has the
// clients of the right side.
func (g *Flow) drawRibbons(l *scene.List, v *chart.View, p *flowPlot, moved bool) {
	if l.Fade(0.28); len(v.MultiSelection) > 0 {
		l.Fade(0.08)
	} else if moved {
		l.Fade(0.8)
	}
	for from := 0; from < len(g.order); {
		first := &g.paths[g.order[from]]
		to := from + 1
		for to < len(g.order) && g.paths[g.order[to]].to == first.to && g.paths[g.order[to]].from == first.from {
			to++
		}
		if (first.from != first.to) == moved {
			g.drawRibbon(l, v, p, first, float32(to-from)*p.unit)
		}
		from = to
	}
}

// drawRibbon draws a ribbon of height h, whose first client is the topmost on both sides.
func (g *Flow) drawRibbon(l *scene.List, v *chart.View, p *flowPlot, first *path, h float32) {
	const steps = 14
	g.points = g.points[:0]
	for s := 0; s <= steps; s++ {
		x, y := g.pointAt(p, first, float32(s)/steps)
		g.points = append(g.points, x, y-p.unit/2)
	}
	for s := steps; s >= 0; s-- {
		x, y := g.pointAt(p, first, float32(s)/steps)
		g.points = append(g.points, x, y-p.unit/2+h)
	}
	l.Polygon(v.Colour(int(first.to)), scene.Pen{}, g.points...)
}

// pointAt returns a point of a client's path, at a share from 0 to 1.
func (g *Flow) pointAt(p *flowPlot, t *path, share float32) (x, y float32) {
	return p.X0 + (p.X1-p.X0)*share, t.y0 + (t.y1-t.y0)*share*share*(3-2*share)
}
