package lane

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

var modelsKind = chart.Kind{Name: "models", Title: "Models", Hint: "plus: model · star: best model of a group · line: its way so far", Of: chart.OfLane,
	Shows: hasParameters, New: func() chart.Figure { return new(Models) }}

// Models shows small models by their parameters: a plus sign for each model, with its trail, and
// a hollow star for the best model of each group. One parameter is drawn over the rounds, two as
// a plane, more in the first two principal components of the run's models. The axes of a plane have
// one scale, so that a distance looks the same in all directions.
//
// A model without clients is thin. Rings and a line join the model of the client in focus to the
// best one for its group.
type Models struct {
	plane    modelPlane
	labels   layout.Labels
	count    []int // clients of each model
	existing []int // models that exist
	first    chart.FirstRounds
	trail    []float32
	words    []byte
}

// hasParameters reports whether the frames of the lane have the models' parameters.
func hasParameters(v *chart.View) bool {
	lane := v.LaneHeader()
	return lane != nil && lane.FrameParams >= 1 && lane.FrameParams <= maxDrawn && lane.Models <= 64
}

// modelPlot is the geometry of one drawing.
type modelPlot struct {
	layout.Area
	e layout.Extent
}

func (p *modelPlot) at(x, y float32) (px, py float32) {
	return p.X0 + (p.X1-p.X0)*(x-p.e.X0)/(p.e.X1-p.e.X0), p.Y1 - (p.Y1-p.Y0)*(y-p.e.Y0)/(p.e.Y1-p.e.Y0)
}

// clamp moves a point into the plot and reports whether it was outside.
func (p *modelPlot) clamp(x, y float32) (px, py float32, outside bool) {
	px, py = min(max(x, p.X0), p.X1), min(max(y, p.Y0), p.Y1)
	return px, py, px != x || py != y
}

// Draw draws the models into box.
func (g *Models) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() {
		return
	}
	lane, f := v.LaneHeader(), v.Frame()
	if !hasParameters(v) || f == nil || len(f.Models) < lane.Models*lane.FrameParams {
		drawMessage(l, box, "Models are too large to draw here.")
		return
	}
	g.labels.Reset()
	g.plane.update(v)
	p := g.plot(v, box)
	if p.X1-p.X0 < 30 || p.Y1-p.Y0 < 20 {
		return
	}
	g.drawAxes(l, v, &p, box)
	g.existing = g.first.Existing(g.existing, v, lane.Models, v.Round)
	for _, k := range g.existing {
		g.drawTrail(l, v, f, &p, k)
	}
	l.Fade(1)
	g.drawPinned(l, v, &p)
	g.drawBest(l, v, &p)
	g.drawFocus(l, v, f, &p)
	g.drawModels(l, v, lane, f, &p)
}

func (g *Models) plot(v *chart.View, box chart.Box) modelPlot {
	foot := float32(layout.LineHeight + 6)
	if !v.Compact && g.plane.size > 2 {
		foot += layout.LineHeight + 2
	}
	p := modelPlot{layout.Rect(46, layout.LineHeight+6, box.W-12, box.H-foot), g.plane.extent}
	p.equalise(g.plane.size)
	step := tickStep(p.e.Y1-p.e.Y0, (p.Y1-p.Y0)/32)
	for i := firstTick(p.e.Y0, step); float32(i)*step <= p.e.Y1; i++ {
		g.words = chart.AppendTick(g.words[:0], float64(float32(i)*step))
		p.X0 = max(p.X0, scene.TextWidth(g.words, layout.Small, false)+7)
	}
	p.equalise(g.plane.size)
	return p
}

// equalise extends the shorter axis of a plane until both axes have the same scale.
func (p *modelPlot) equalise(size int) {
	w, h := p.X1-p.X0, p.Y1-p.Y0
	if size == 1 || !(w > 0) || !(h > 0) {
		return
	}
	wide := max(p.e.X1-p.e.X0, (p.e.Y1-p.e.Y0)*w/h)
	x, y := (p.e.X0+p.e.X1)/2, (p.e.Y0+p.e.Y1)/2
	high := wide * h / w
	p.e = layout.Extent{X0: x - wide/2, X1: x + wide/2, Y0: y - high/2, Y1: y + high/2}
}

// drawTrail draws the positions of a model in the rounds before.
func (g *Models) drawTrail(l *scene.List, v *chart.View, f *trace.Frame, p *modelPlot, k int) {
	frames := v.Run.Tracks[v.Lane].Frames
	const steps = 240
	stride := f.Round/steps + 1
	g.trail = g.trail[:0]
	add := func(f *trace.Frame) {
		if x, y, ok := g.plane.position(f, k); ok {
			x, y, _ = p.clamp(p.at(x, y))
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

// drawBest draws the best models of the groups.
func (g *Models) drawBest(l *scene.List, v *chart.View, p *modelPlot) {
	for n := range max(v.Run.Header.Groups, len(v.Run.Header.DataPreview.Truth)) {
		x, y, ok := g.bestPosition(v, p, n)
		if !ok {
			continue
		}
		if g.plane.size == 1 {
			l.Line(scene.Pen{Colour: scene.Quiet, Width: 1, Dash: scene.Dashed}, p.X0, y, p.X1, y)
		}
		l.Mark(scene.Star, x, y, 5, scene.Paper, scene.Pen{Colour: scene.Ink, Width: 1.5})
		g.labels.Reserve(layout.Rect(x-8, y-7, x+8, y+7))
	}
}

// bestPosition returns the position of the best model of a group.
func (g *Models) bestPosition(v *chart.View, p *modelPlot, group int) (x, y float32, ok bool) {
	best, ok := bestModel(v, g.plane.size, group)
	if !ok {
		return 0, 0, false
	}
	x, y = g.plane.project(best, v.Run.Header.Rounds)
	x, y, _ = p.clamp(p.at(x, y))
	return x, y, chart.Finite(x) && chart.Finite(y)
}

// drawFocus joins the model of the client in focus to the best one for its
// group.
func (g *Models) drawFocus(l *scene.List, v *chart.View, f *trace.Frame, p *modelPlot) {
	i := v.Focus()
	if i < 0 {
		return
	}
	x, y, ok := g.plane.position(f, chart.ModelOf(f, i))
	if !ok {
		return
	}
	x, y, _ = p.clamp(p.at(x, y))
	if sx, sy, ok := g.bestPosition(v, p, v.Group(i)); ok {
		l.Line(scene.Pen{Colour: scene.Ink, Width: 1, Dash: scene.Fine}, x, y, sx, sy)
		l.Mark(scene.Circle, sx, sy, 9, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
	}
	l.Mark(scene.Circle, x, y, 9, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
}

// drawModels draws the models, those with clients on top, with their letters where there is room.
func (g *Models) drawModels(l *scene.List, v *chart.View, lane *trace.Lane, f *trace.Frame, p *modelPlot) {
	g.count = trace.Resize(g.count, lane.Models)
	clear(g.count)
	for _, k := range f.Label {
		if int(k) < lane.Models {
			g.count[k]++
		}
	}
	r := float32(6)
	if len(g.existing) > scene.Clusters {
		r = 3.5
	}
	for _, used := range [...]bool{false, true} {
		for _, k := range g.existing {
			x, y, ok := g.plane.position(f, k)
			if !ok || (g.count[k] > 0) != used {
				continue
			}
			x, y, outside := p.clamp(p.at(x, y))
			if l.Fade(1); outside {
				l.Fade(0.4)
			}
			if used {
				l.Mark(scene.Plus, x, y, r, v.Colour(k), scene.Pen{Colour: scene.Paper, Width: 1})
			} else {
				l.Line(scene.Pen{Colour: v.Colour(k), Width: 1}, x-r, y, x+r, y)
				l.Line(scene.Pen{Colour: v.Colour(k), Width: 1}, x, y-r, x, y+r)
			}
			g.labels.Reserve(layout.Rect(x-r, y-r, x+r, y+r))
		}
	}
	l.Fade(1)
	if len(g.existing) > scene.Clusters {
		return
	}
	for _, k := range g.existing {
		if x, y, ok := g.plane.position(f, k); ok {
			x, y, _ = p.clamp(p.at(x, y))
			w, r := scene.TextWidth(v.Letter(k), layout.Normal, true), r
			if i := v.Focus(); i >= 0 && chart.ModelOf(f, i) == k {
				r = 10 // it has a ring
			}
			if at, ok := g.labels.Beside(layout.Rect(x-r, y-r, x+r, y+r), w, layout.Normal,
				layout.Rect(p.X0+2, p.Y0-layout.LineHeight, p.X1+10, p.Y1)); ok {
				l.Text(at.X0, (at.Y0+at.Y1)/2, scene.Font{Size: layout.Normal, Bold: true, Baseline: scene.Centre,
					Colour: scene.Ink}, v.Letter(k))
			}
		}
	}
}

// drawAxes draws the axes with their names and ticks.
func (g *Models) drawAxes(l *scene.List, v *chart.View, p *modelPlot, box chart.Box) {
	l.Line(scene.Pen{Colour: scene.Line, Width: 1}, p.X0, p.Y0, p.X0, p.Y1, p.X1, p.Y1)
	xName, yName := g.plane.axisNames(v)
	xName, yName = say.Text(xName), say.Text(yName)
	font := scene.Font{Size: layout.Small, Baseline: scene.Top, Colour: scene.Quiet}
	l.Text(4, 2, font, yName)
	g.labels.Reserve(layout.Rect(4, 0, 4+scene.TextWidth(yName, layout.Small, false), layout.LineHeight+4))
	font.Anchor = scene.End
	l.Text(p.X1+6, p.Y1+5, font, xName)
	end := p.X1 - scene.TextWidth(xName, layout.Small, false)
	font.Anchor = scene.Middle
	step := tickStep(p.e.X1-p.e.X0, (p.X1-p.X0)/70)
	for i := firstTick(p.e.X0, step); ; i++ {
		value := float32(i) * step
		x, _ := p.at(value, 0)
		if value > p.e.X1 {
			break
		}
		g.words = chart.AppendTick(g.words[:0], float64(value))
		if x+scene.TextWidth(g.words, layout.Small, false)/2+4 < end {
			l.Line(scene.Pen{Colour: scene.Line, Width: 1}, x, p.Y1, x, p.Y1+3)
			l.TextBytes(x, p.Y1+5, font, g.words)
		}
	}
	font.Anchor, font.Baseline = scene.End, scene.Centre
	step = tickStep(p.e.Y1-p.e.Y0, (p.Y1-p.Y0)/32)
	for i := firstTick(p.e.Y0, step); float32(i)*step <= p.e.Y1; i++ {
		_, y := p.at(0, float32(i)*step)
		g.words = chart.AppendTick(g.words[:0], float64(float32(i)*step))
		if y-layout.LineHeight/2 < layout.LineHeight+2 {
			continue // the name of the axis is there
		}
		l.Line(scene.Pen{Colour: scene.Line, Width: 1}, p.X0-3, y, p.X0, y)
		l.TextBytes(p.X0-5, y, font, g.words)
	}
	if g.plane.size > 2 && !v.Compact {
		l.Text(6, box.H-3-layout.LineHeight, scene.Font{Size: layout.Small, Baseline: scene.Top,
			Colour: scene.Quiet}, say.Textf("the plane keeps %s of the spread", chart.Percent(g.plane.kept)))
	}
}
