package clientmap

import (
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// drawLies draws what liars do to the means of models: on a map of updates, for each model an arrow from the mean of its
// honest clients to that of all its clients.
func (m *Map) drawLies(l *scene.List, v *chart.View, f *trace.Frame) {
	if v.LaneHeader().Map != trace.GradientPlane {
		return
	}
	for k := range modelCount(f) {
		if fx, fy, tx, ty, ok := Pull(v, f, k); ok {
			x, y, _ := m.flat.clamp(m.flat.at(fx, fy))
			u, w, _ := m.flat.clamp(m.flat.at(tx, ty))
			drawArrow(l, x, y, u, w)
		}
	}
}

// Pull returns the mean place on the map of the honest clients of a model, and that of all its clients. ok is false
// unless both honest clients and liars have the model, and the lies have begun.
func Pull(v *chart.View, f *trace.Frame, model int) (fromX, fromY, toX, toY float32, ok bool) {
	h := v.Run.Header
	var honest, all, x, y, ax, ay float32
	for i := range f.Label {
		if int(f.Label[i]) != model || 2*i+1 >= len(f.XY) || !chart.Finite(f.XY[2*i]) || !chart.Finite(f.XY[2*i+1]) {
			continue
		}
		all, ax, ay = all+1, ax+f.XY[2*i], ay+f.XY[2*i+1]
		if !h.Lies(i) {
			honest, x, y = honest+1, x+f.XY[2*i], y+f.XY[2*i+1]
		}
	}
	if honest == 0 || honest == all || f.Round < h.LiesFrom {
		return 0, 0, 0, 0, false
	}
	return x / honest, y / honest, ax / all, ay / all, true
}

// drawArrow draws an arrow between two points, with an edge that tells it from the marks below.
func drawArrow(l *scene.List, x, y, u, w float32) {
	const head = 9
	long := float32(math.Hypot(float64(u-x), float64(w-y)))
	if long < 2 {
		return
	}
	dx, dy := (u-x)/long, (w-y)/long
	bx, by := u-dx*min(head, long), w-dy*min(head, long)
	sx, sy := -dy*head/2, dx*head/2
	for _, pen := range [...]scene.Pen{{Colour: scene.Paper, Width: 5}, {Colour: scene.Ink, Width: 2}} {
		l.Line(pen, x, y, bx, by)
		pen.Width /= 2
		l.Polygon(scene.Ink, pen, u, w, bx+sx, by+sy, bx-sx, by-sy)
	}
}
