package lane

import (
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The clients in the tree.

// maxPaths is the largest number of clients whose paths are drawn: more would hide the bands.
const maxPaths = 12

// drawCursor draws a line at the shown round, with its clients on it.
func (g *Tree) drawCursor(l *scene.List, hits *chart.Hits, v *chart.View, f *trace.Frame, p *treePlot, box chart.Box) {
	x := p.x(f.Round)
	if !v.ShowsPlayhead() {
		g.drawRounds(l, -1, -box.W, p, box)
		return
	}
	l.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x, p.Y0-4, x, p.Y1+3)
	g.drawRounds(l, f.Round, x, p, box)
	if len(v.MultiSelection) <= maxPaths {
		for _, i := range v.MultiSelection {
			if i < len(f.Label) {
				g.drawPath(l, v, i, p)
			}
		}
	}
	for n, i := range [...]int{v.Selected, v.Hover} {
		if i >= 0 && i < len(f.Label) && (n == 0 || i != v.Selected) {
			g.drawPath(l, v, i, p)
		}
	}
	g.clients = v.ByGroup(g.clients)
	g.stackClusters(g.columnAt(f.Round), p, 0)
	g.y = trace.Resize(g.y, len(g.clients))
	for _, i := range g.clients {
		k := chart.ModelOf(f, i)
		g.y[i] = g.tops[0][k] + p.unit/2
		g.tops[0][k] += p.unit
	}
	g.match.Find(v, f)
	r := min(chart.MarkRadius(len(g.clients)), p.unit/2-0.3)
	pale := false
	for _, i := range g.clients {
		pale = v.FadeDimmed(l, i, pale)
		if r >= 2 {
			chart.DrawClient(l, v, i, chart.ModelOf(f, i), g.match.Misplaced(v, i, chart.ModelOf(f, i)), x, g.y[i], r)
		}
		hits.AddBar(max(x-8, 0), x+8, g.y[i], max(p.unit/2, 0.5), i)
		if i == v.Selected || i == v.Hover {
			l.Mark(scene.Circle, x, g.y[i], max(r, 3)+2.5, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
		}
	}
	if pale {
		l.Fade(1)
	}
}

// columnAt returns the last column up to a round.
func (g *Tree) columnAt(round int) int {
	c := 0
	for c+1 < len(g.branches.columns) && g.branches.columns[c+1].round <= round {
		c++
	}
	return c
}

// drawRounds writes the first and the last round, and the shown one unless it is below 0.
func (g *Tree) drawRounds(l *scene.List, round int, x float32, p *treePlot, box chart.Box) {
	font := scene.Font{Size: layout.Small, Bold: true, Anchor: scene.Middle, Baseline: scene.Top, Colour: scene.Ink}
	g.words = strconv.AppendInt(g.words[:0], int64(round), 10)
	w := scene.TextWidth(g.words, layout.Small, true)
	if round >= 0 {
		x = min(max(x, w/2+2), box.W-w/2-2)
		l.TextBytes(x, p.Y1+4, font, g.words)
	}
	font.Bold, font.Colour = false, scene.Quiet
	for _, t := range [...]int{0, p.rounds} {
		g.words = strconv.AppendInt(g.words[:0], int64(t), 10)
		half := scene.TextWidth(g.words, layout.Small, false) / 2
		if at := max(p.x(t), half+2); max(at-x, x-at) > half+w/2+6 {
			l.TextBytes(at, p.Y1+4, font, g.words)
		}
	}
}

// drawPath draws the path of one client through all rounds. Inside a band clients are ordered by
// group and number.
func (g *Tree) drawPath(l *scene.List, v *chart.View, client int, p *treePlot) {
	b := &g.branches
	frames := v.Run.Tracks[v.Lane].Frames
	g.points = g.points[:0]
	for c := range b.columns {
		g.stackClusters(c, p, 0)
		f := &frames[b.columns[c].round]
		above, k := 0, chart.ModelOf(f, client)
		for i := range f.Label {
			if chart.ModelOf(f, i) == k && (v.Group(i) < v.Group(client) ||
				v.Group(i) == v.Group(client) && i < client) {
				above++
			}
		}
		y := g.tops[0][k] + (float32(above)+0.5)*p.unit
		from, to := p.x(b.columns[c].round), p.x(len(frames)-1)
		if c+1 < len(b.columns) {
			to = p.x(b.columns[c+1].round)
			to -= p.bend(to - from)
		}
		g.points = append(g.points, from, y, to, y)
	}
	l.Line(scene.Pen{Colour: scene.Paper, Width: 3.5}, g.points...)
	l.Line(scene.Pen{Colour: scene.Ink, Width: 1.5}, g.points...)
}
