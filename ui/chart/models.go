package chart

import (
	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var modelsKind = Kind{Name: "models", Title: "Models", Hint: "plus: model · star: best", Of: OfLane,
	Shows: draws, New: func() Figure { return new(Models) }}

// Models shows small models by their parameters: a plus sign a model, with the
// way it has come, and a hollow star where the best model of each group is. One
// parameter is drawn over the rounds, two as a plane, more in the two directions
// in which the models of this run differ most.
//
// A model that nobody was given is thin. Lines lead from the client in focus
// to what it has and what it should have.
type Models struct {
	plane  modelPlane
	labels labels
	count  []int // clients of each model
	made   []int // models that there are
	debuts debuts
	trail  []float32
	words  []byte
}

// draws reports whether the frames of the lane carry the models' parameters.
func draws(v *View) bool {
	lane := v.lane()
	return lane != nil && lane.Drawn >= 1 && lane.Drawn <= mostDrawn && lane.Models <= 64
}

// modelPlot is the geometry of one drawing.
type modelPlot struct {
	area
	e extent
}

func (p *modelPlot) at(x, y float32) (px, py float32) {
	return p.x0 + (p.x1-p.x0)*(x-p.e.x0)/(p.e.x1-p.e.x0), p.y1 - (p.y1-p.y0)*(y-p.e.y0)/(p.e.y1-p.e.y0)
}

// inside brings a place into the plot and reports whether it was outside.
func (p *modelPlot) inside(x, y float32) (px, py float32, outside bool) {
	px, py = min(max(x, p.x0), p.x1), min(max(y, p.y0), p.y1)
	return px, py, px != x || py != y
}

// Draw draws the models into box.
func (g *Models) Draw(l *scene.List, hits *Hits, v *View, box Box) {
	hits.reset()
	if box.cramped() {
		return
	}
	lane, f := v.lane(), v.frame()
	if !draws(v) || f == nil || len(f.Models) < lane.Models*lane.Drawn {
		l.Text(8, 6, scene.Font{Size: small, Baseline: scene.Top, Colour: scene.Quiet},
			fitting("Models are too large to draw here.", small, box.W-10))
		return
	}
	g.labels.reset()
	g.plane.learn(v)
	p := g.plot(v, box)
	if p.x1-p.x0 < 30 || p.y1-p.y0 < 20 {
		return
	}
	g.axes(l, v, &p, box)
	g.made = g.debuts.made(g.made, v, lane.Models, v.Round)
	for _, k := range g.made {
		g.way(l, v, f, &p, k)
	}
	l.Fade(1)
	g.drawPinned(l, v, &p)
	g.stars(l, v, &p)
	g.subject(l, v, f, &p)
	g.pluses(l, v, lane, f, &p)
}

func (g *Models) plot(v *View, box Box) modelPlot {
	foot := float32(lineHeight + 6)
	if !v.Compact && g.plane.size > 2 {
		foot += lineHeight + 2
	}
	p := modelPlot{area{46, lineHeight + 6, box.W - 12, box.H - foot}, g.plane.extent}
	step := tickStep(p.e.y1-p.e.y0, (p.y1-p.y0)/32)
	for i := firstTick(p.e.y0, step); float32(i)*step <= p.e.y1; i++ {
		g.words = appendTick(g.words[:0], float64(float32(i)*step))
		p.x0 = max(p.x0, scene.TextWidth(g.words, small, false)+7)
	}
	return p
}

// way draws how a model came to where it is.
func (g *Models) way(l *scene.List, v *View, f *trace.Frame, p *modelPlot, k int) {
	frames := v.Run.Tracks[v.Lane].Frames
	const steps = 240
	stride := f.Round/steps + 1
	g.trail = g.trail[:0]
	add := func(f *trace.Frame) {
		if x, y, ok := g.plane.of(f, k); ok {
			x, y, _ = p.inside(p.at(x, y))
			g.trail = append(g.trail, x, y)
		}
	}
	for t := 0; t < f.Round && t < len(frames); t += stride {
		add(&frames[t])
	}
	add(f)
	l.Fade(0.45)
	l.Line(scene.Pen{Colour: v.Colour(k), Width: 1}, g.trail...)
}

// stars draws where the best models of the groups are.
func (g *Models) stars(l *scene.List, v *View, p *modelPlot) {
	for n := range v.Run.Header.Scenery.Truth {
		x, y, ok := g.star(v, p, n)
		if !ok {
			continue
		}
		if g.plane.size == 1 {
			l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Dashed}, p.x0, y, p.x1, y)
		}
		l.Mark(scene.Star, x, y, 5, scene.Paper, scene.Pen{Colour: scene.Ink, Width: 1.5})
		g.labels.keep(area{x - 8, y - 7, x + 8, y + 7})
	}
}

// star is where the best model of a group is drawn.
func (g *Models) star(v *View, p *modelPlot, group int) (x, y float32, ok bool) {
	truth := v.Run.Header.Scenery.Truth
	if group < 0 || group >= len(truth) {
		return 0, 0, false
	}
	switch g.plane.size {
	case 1:
		x, y = float32(v.Run.Header.Rounds), truth[group].Slope
	case 2:
		x, y = truth[group].Slope, truth[group].Offset
	default:
		return 0, 0, false
	}
	x, y, _ = p.inside(p.at(x, y))
	return x, y, finite(x) && finite(y)
}

// subject joins the model of the client in focus to the best one for its
// group.
func (g *Models) subject(l *scene.List, v *View, f *trace.Frame, p *modelPlot) {
	i := v.Subject()
	if i < 0 {
		return
	}
	x, y, ok := g.plane.of(f, label(f, i))
	if !ok {
		return
	}
	x, y, _ = p.inside(p.at(x, y))
	if sx, sy, ok := g.star(v, p, v.group(i)); ok {
		l.Line(scene.Pen{Colour: scene.Ink, Width: 1, Dash: scene.Fine}, x, y, sx, sy)
		l.Mark(scene.Circle, sx, sy, 9, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
	}
	l.Mark(scene.Circle, x, y, 9, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
}

// pluses draws the models where they are, those that are used on top, with
// their letters where there is room.
func (g *Models) pluses(l *scene.List, v *View, lane *trace.Lane, f *trace.Frame, p *modelPlot) {
	g.count = trace.Resize(g.count, lane.Models)
	clear(g.count)
	for _, k := range f.Label {
		if int(k) < lane.Models {
			g.count[k]++
		}
	}
	r := float32(6)
	if len(g.made) > scene.Clusters {
		r = 3.5
	}
	for _, used := range [...]bool{false, true} {
		for _, k := range g.made {
			x, y, ok := g.plane.of(f, k)
			if !ok || (g.count[k] > 0) != used {
				continue
			}
			x, y, outside := p.inside(p.at(x, y))
			if l.Fade(1); outside {
				l.Fade(0.4)
			}
			if used {
				l.Mark(scene.Plus, x, y, r, v.Colour(k), scene.Pen{Colour: scene.Paper, Width: 1})
			} else {
				l.Line(scene.Pen{Colour: v.Colour(k), Width: 1}, x-r, y, x+r, y)
				l.Line(scene.Pen{Colour: v.Colour(k), Width: 1}, x, y-r, x, y+r)
			}
			g.labels.keep(area{x - r, y - r, x + r, y + r})
		}
	}
	l.Fade(1)
	if len(g.made) > scene.Clusters {
		return
	}
	for _, k := range g.made {
		if x, y, ok := g.plane.of(f, k); ok {
			x, y, _ = p.inside(p.at(x, y))
			w, r := scene.TextWidth(v.Letter(k), normal, true), r
			if i := v.Subject(); i >= 0 && label(f, i) == k {
				r = 10 // there is a ring around it
			}
			if at, ok := g.labels.beside(area{x - r, y - r, x + r, y + r}, w, normal,
				area{p.x0 + 2, p.y0 - lineHeight, p.x1 + 10, p.y1}); ok {
				l.Text(at.x0, (at.y0+at.y1)/2, scene.Font{Size: normal, Bold: true, Baseline: scene.Centre,
					Colour: scene.Ink}, v.Letter(k))
			}
		}
	}
}

// axes names the axes and a few places on them.
func (g *Models) axes(l *scene.List, v *View, p *modelPlot, box Box) {
	l.Line(scene.Pen{Colour: scene.Line, Width: 1}, p.x0, p.y0, p.x0, p.y1, p.x1, p.y1)
	across, up := g.plane.names()
	font := scene.Font{Size: small, Baseline: scene.Top, Colour: scene.Quiet}
	l.Text(4, 2, font, up)
	g.labels.keep(area{4, 0, 4 + scene.TextWidth(up, small, false), lineHeight + 4})
	font.Anchor = scene.End
	l.Text(p.x1+6, p.y1+5, font, across)
	end := p.x1 - scene.TextWidth(across, small, false)
	font.Anchor = scene.Middle
	step := tickStep(p.e.x1-p.e.x0, (p.x1-p.x0)/70)
	for i := firstTick(p.e.x0, step); ; i++ {
		value := float32(i) * step
		x, _ := p.at(value, 0)
		if value > p.e.x1 {
			break
		}
		if g.words = appendTick(g.words[:0], float64(value)); x+scene.TextWidth(g.words, small, false)/2+4 < end {
			l.Line(scene.Pen{Colour: scene.Line, Width: 1}, x, p.y1, x, p.y1+3)
			l.TextBytes(x, p.y1+5, font, g.words)
		}
	}
	font.Anchor, font.Baseline = scene.End, scene.Centre
	step = tickStep(p.e.y1-p.e.y0, (p.y1-p.y0)/32)
	for i := firstTick(p.e.y0, step); float32(i)*step <= p.e.y1; i++ {
		_, y := p.at(0, float32(i)*step)
		g.words = appendTick(g.words[:0], float64(float32(i)*step))
		if y-lineHeight/2 < lineHeight+2 {
			continue // the name of the axis stands there
		}
		l.Line(scene.Pen{Colour: scene.Line, Width: 1}, p.x0-3, y, p.x0, y)
		l.TextBytes(p.x0-5, y, font, g.words)
	}
	if g.plane.size > 2 && !v.Compact {
		g.words = append(appendPercent(append(g.words[:0], "the plane keeps "...), g.plane.kept), " of the spread"...)
		l.TextBytes(6, box.H-3-lineHeight, scene.Font{Size: small, Baseline: scene.Top, Colour: scene.Quiet}, g.words)
	}
}
