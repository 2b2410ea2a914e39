package lane

import (
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The blocks, marks and texts beside the ribbons.

// drawBlocks draws the clusters as bars at the ends of the ribbons.
func (g *Flow) drawBlocks(l *scene.List, v *chart.View, p *flowPlot) {
	for _, after := range [...]bool{false, true} {
		x := p.X0 - 4
		if after {
			x = p.X1
		}
		for from := 0; from < len(g.order); {
			// The order is that of the right side. Bars are drawn in parts, so their order does
			// not matter.
			t := &g.paths[g.order[from]]
			to := from + 1
			for to < len(g.order) && g.paths[g.order[to]].to == t.to && g.paths[g.order[to]].from == t.from {
				to++
			}
			y := t.y0
			if after {
				y = t.y1
			}
			l.Rect(x, y-p.unit/2, 4, float32(to-from)*p.unit+0.2, v.Colour(int(t.at(after))), scene.Pen{})
			from = to
		}
	}
}

// drawMarks draws the clients on both sides, hollow where they are misplaced.
func (g *Flow) drawMarks(l *scene.List, v *chart.View, p *flowPlot) {
	if p.r == 0 {
		return
	}
	pale := false
	for _, i := range g.order {
		t := &g.paths[i]
		pale = v.FadeDimmed(l, i, pale)
		chart.DrawClient(l, v, i, int(t.from), g.before.Misplaced(v, i, int(t.from)), p.X0-12, t.y0, p.r)
		chart.DrawClient(l, v, i, int(t.to), g.now.Misplaced(v, i, int(t.to)), p.X1+12, t.y1, p.r)
	}
	if pale {
		l.Fade(1)
	}
}

// addHits adds the areas of marks and paths for hit tests.
func (g *Flow) addHits(hits *chart.Hits, p *flowPlot) {
	r := max(p.unit/2, 0.5)
	for i := range g.paths {
		t := &g.paths[i]
		hits.AddBar(p.X0-18, p.X0, t.y0, r, i)
		hits.AddBar(p.X1, p.X1+18, t.y1, r, i)
		for _, share := range [...]float32{0.2, 0.5, 0.8} {
			x, y := g.pointAt(p, t, share)
			hits.Add(x, y, r, i)
		}
	}
}

// drawFocus draws the paths of the selected client and of the one under the pointer.
func (g *Flow) drawFocus(l *scene.List, v *chart.View, p *flowPlot) {
	for n, i := range [...]int{v.Selected, v.Hover} {
		if i < 0 || i >= len(g.paths) || n == 1 && i == v.Selected {
			continue
		}
		const steps = 14
		t := &g.paths[i]
		g.points = append(g.points[:0], p.X0-5, t.y0)
		for s := 0; s <= steps; s++ {
			x, y := g.pointAt(p, t, float32(s)/steps)
			g.points = append(g.points, x, y)
		}
		g.points = append(g.points, p.X1+5, t.y1)
		l.Line(scene.Pen{Colour: scene.Paper, Width: 4}, g.points...)
		l.Line(scene.Pen{Colour: scene.Ink, Width: 2}, g.points...)
		r := max(p.r, 3) + 2
		l.Mark(scene.Circle, p.X0-12, t.y0, r, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
		l.Mark(scene.Circle, p.X1+12, t.y1, r, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
	}
}

// moved returns how many clients have moved, and as many of them as few has capacity for.
func (g *Flow) moved(few []int) (int, []int) {
	n := 0
	for i := range g.paths {
		if t := &g.paths[i]; t.from != t.to {
			if n++; len(few) < cap(few) {
				few = append(few, i)
			}
		}
	}
	return n, few
}

// lastMove returns the last round up to f in which a client moved, 0 for none.
func lastMove(v *chart.View, f *trace.Frame) int {
	for f != nil && f.Round > 0 {
		if f.Events.Has(trace.Moved) {
			return f.Round
		}
		f = v.FrameAt(v.Lane, f.Round-1)
	}
	return 0
}

// drawCaption lists the clients that moved, as far as there is room, or the round of the last
// move.
func (g *Flow) drawCaption(l *scene.List, v *chart.View, now *trace.Frame, box chart.Box) {
	var memory [12]int
	n, few := g.moved(memory[:0])
	var text string
	switch last := lastMove(v, now); {
	case n == 1:
		text = say.Textf("client %d moved", few[0]+1)
	case n > 0:
		room := box.W - 40 - scene.TextWidth(say.Textf("%d moved: %s", n, ""), layout.Small, false)
		g.words = g.words[:0]
		for at, i := range few {
			whole := len(g.words)
			if at > 0 {
				g.words = append(g.words, ", "...)
			}
			g.words = strconv.AppendInt(g.words, int64(i+1), 10)
			if scene.TextWidth(g.words, layout.Small, false) > room {
				g.words = append(g.words[:whole], ", …"...)
				break
			}
			if at == len(few)-1 && n > len(few) {
				g.words = append(g.words, ", …"...)
			}
		}
		text = say.Textf("%d moved: %s", n, g.words)
	case last > 0:
		text = say.Textf("no client moved since round %d", last)
		if scene.TextWidth(text, layout.Small, false) > box.W-12 {
			text = say.Textf("last move in round %d", last)
		}
	default:
		text = "no client has moved yet"
	}
	l.Text(6, box.H-4-layout.LineHeight, scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}, text)
}
