package clientmap

import (
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The map in three dimensions: the flat map with a height for each client. It turns only when it
// is dragged.

// Orbit is the direction from which the map is seen, in degrees.
type Orbit struct {
	Turn int // around the vertical, 0 to 359
	Tilt int // above the flat map, 0 to 90; 90 shows the flat map
}

// DefaultOrbit is the initial direction.
var DefaultOrbit = Orbit{Turn: 30, Tilt: 35}

// Turned returns o turned and tilted by degrees.
func (o Orbit) Turned(turn, tilt int) Orbit {
	return Orbit{((o.Turn+turn)%360 + 360) % 360, min(max(o.Tilt+tilt, 0), 90)}
}

// String describes the direction.
func (o Orbit) String() string {
	return say.Textf("seen from %d° above, turned by %d°", o.Tilt, o.Turn)
}

// FlatOnly says why a lane's map has no third dimension, "" if it has one or may get one.
func FlatOnly(v *chart.View) string {
	lane := v.LaneHeader()
	switch {
	case lane == nil:
		return ""
	case lane.Map == trace.NoMap:
		return noMapReason(v)
	case lane.Map == trace.LossPair:
		return say.Text("Two losses have no third dimension.")
	}
	frames := v.Run.Tracks[v.Lane].Frames
	for t := range frames {
		if n := Dimensions(&frames[t]); n > 0 {
			if n < 3 {
				return say.Text("What is compared has fewer than three dimensions.")
			}
			return ""
		}
	}
	return ""
}

// in3D reports whether the map is drawn in three dimensions.
func (m *Map) in3D(v *chart.View, f *trace.Frame) bool {
	return m.In3D && FlatOnly(v) == "" && Dimensions(f) >= 3
}

// camera maps the map's coordinates and heights to the figure.
type camera struct {
	projection
	cx, cy, cz         float32
	sin, cos, low, top float32 // of the turn, and of the tilt
}

func (e *camera) project(x, y, z float32) (px, py, depth float32) {
	x, y, z = x-e.cx, y-e.cy, z-e.cz
	x, y = e.cos*x-e.sin*y, e.sin*x+e.cos*y
	px, py = e.at(x, y*e.top+z*e.low)
	return px, py, z*e.top - y*e.low
}

// draw3D draws everything below the marks of a map in three dimensions, and computes their
// positions.
func (m *Map) draw3D(l *scene.List, v *chart.View, f *trace.Frame, lane *trace.Lane, run layout.Extent,
	in *Inset) {
	plot, r := in.Area, in.Radius
	m.heights.update(v)
	wholeUp, scratch := m.heights.commonRange(m.trail)
	m.trail = scratch
	whole := anchor(run, lane.Map)
	e, up := m.extent(f, lane.Map, whole, in), m.heightRange(f, lane.Map, wholeUp)
	b := frameBefore(v, f)
	if b != nil {
		e = e.Interpolate(m.extent(b, lane.Map, whole, in), v.Back)
		for side, at := range m.heightRange(b, lane.Map, wholeUp) {
			up[side] += (at - up[side]) * v.Back
		}
	}
	// The scale is that of the bounding ball, so that turning does not change it.
	reach := boundingRadius(e, up)
	if in.whole && v.ShowsHints() {
		m.drawHint(l, v, &plot, m.hint3D(lane.Map), boundingRadius(whole, m.anchorHeights(lane.Map, wholeUp))/reach)
	}
	pad := r + 4
	inner := layout.Rect(plot.X0+pad, plot.Y0+pad, plot.X1-pad, plot.Y1-pad)
	sin, cos := math.Sincos(float64(m.From.Turn) * math.Pi / 180)
	top, low := math.Sincos(float64(m.From.Tilt) * math.Pi / 180)
	at := camera{fit(layout.Extent{X0: -reach, X1: reach, Y0: -reach, Y1: reach}, inner), (e.X0 + e.X1) / 2,
		(e.Y0 + e.Y1) / 2,
		(up[0] + up[1]) / 2,
		float32(sin), float32(cos), float32(low), float32(top)}
	at.frame = inner
	m.place3D(v, f, b, &at)
	l.Clip(plot.X0, plot.Y0, plot.X1-plot.X0, plot.Y1-plot.Y0)
	if lane.Map == trace.LossTriangle {
		m.drawLossAxes(l, v, &at, max(e.Size(), up[1]-up[0]), plot)
	} else {
		drawBox(l, &at, e, up)
	}
	m.drawGroups(l, v, f, in, plot, true)
	l.Unclip()
}

// hint3D says how to read a map in three dimensions.
func (m *Map) hint3D(kind trace.Map) string {
	switch kind {
	case trace.GradientPlane:
		return say.Textf("Near = similar %s. Height = third component. Drag to turn.", m.similarity())
	case trace.LossTriangle:
		return say.Text("Near = similar losses. Drag to turn.")
	}
	return say.Text("Near = similar losses. Height = third component. Drag to turn.")
}

// heightRange returns the range of heights that is shown for a frame, as [Map.extent].
func (m *Map) heightRange(f *trace.Frame, kind trace.Map, whole [2]float32) [2]float32 {
	now := m.heights.ranges[f.Round]
	if !m.Fit {
		now = [2]float32{min(now[0], whole[0]), max(now[1], whole[1])}
	}
	return m.anchorHeights(kind, now)
}

// anchorHeights adds the origin to the heights of losses.
func (m *Map) anchorHeights(kind trace.Map, up [2]float32) [2]float32 {
	if kind == trace.LossTriangle {
		up[0] = min(up[0], 0)
	}
	return up
}

// boundingRadius returns the radius of the ball around a box.
func boundingRadius(e layout.Extent, up [2]float32) float32 {
	x, y, z := float64(e.X1-e.X0), float64(e.Y1-e.Y0), float64(up[1]-up[0])
	return float32(max(math.Sqrt(x*x+y*y+z*z)/2, 1e-12))
}

// place3D computes the position of each client.
func (m *Map) place3D(v *chart.View, f, before *trace.Frame, e *camera) {
	if before == nil {
		before = f
	}
	up, from, back := m.heights.at(f.Round), m.heights.at(before.Round), v.Back
	if in := v.Detail; in != nil && f == &in.Frame && f.Round > 0 {
		from, back = m.heights.at(f.Round-1), 1-in.PlaceProgress
	}
	for i := range m.positions {
		x, y := f.XY[2*i], f.XY[2*i+1]
		x, y = x+(before.XY[2*i]-x)*v.Back, y+(before.XY[2*i+1]-y)*v.Back
		if !chart.Finite(x) || !chart.Finite(y) {
			x, y = 0, 0
		}
		px, py, depth := e.project(x, y, up[i]+(from[i]-up[i])*back)
		px, py, outside := e.clamp(px, py)
		m.positions[i] = position{px, py, m.match.Misplaced(v, i, chart.ModelOf(f, i)), outside, depth * e.k}
	}
}

// deepest is the largest depth behind the centre, in pixels, by which marks are ordered.
const deepest = 2000

// depthKey orders marks from the farthest to the nearest.
func depthKey(depth float32) int {
	return int(min(max(depth+deepest, 0), 2*deepest) * 16)
}

// drawBox draws the edges of a box.
func drawBox(l *scene.List, at *camera, e layout.Extent, up [2]float32) {
	l.Fade(0.35)
	corner := func(n int) (x, y float32) {
		x, y, _ = at.project([...]float32{e.X0, e.X1}[n&1], [...]float32{e.Y0, e.Y1}[n>>1&1], up[n>>2])
		return x, y
	}
	for n := range 8 {
		for bit := 1; bit < 8; bit <<= 1 {
			if n&bit == 0 {
				x0, y0 := corner(n)
				x1, y1 := corner(n | bit)
				l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, x0, y0, x1, y1)
			}
		}
	}
	l.Fade(1)
}

// drawLossAxes draws the axes of three losses from the point where all are 0. The map's
// coordinates are those of the triangle and the sum, each along a direction of length 1.
func (m *Map) drawLossAxes(l *scene.List, v *chart.View, at *camera, length float32, plot layout.Area) {
	const half, sixth, third = 0.70710678, 0.40824829, 0.57735027
	const dots = 40
	x0, y0, _ := at.project(0, 0, 0)
	var tips [3][2]float32
	for k, d := range [...][3]float32{{half, sixth, third}, {-half, sixth, third}, {0, -2 * sixth, third}} {
		x, y, _ := at.project(d[0]*length, d[1]*length, d[2]*length)
		tips[k] = [2]float32{x, y}
		l.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, x0, y0, x, y)
		for i := range dots { // no labels on the axis
			part := float32(i) / dots
			px, py := x0+(x-x0)*part, y0+(y-y0)*part
			m.labels.Reserve(layout.Rect(px-1, py-1, px+1, py+1))
		}
	}
	for k, tip := range tips {
		x, y := tip[0], tip[1]
		text := say.Textf("loss %s", v.Letter(k))
		w := scene.TextWidth(text, layout.Small, false)
		if to, ok := m.labels.Beside(layout.Rect(x-2, y-2, x+2, y+2), w, layout.LineHeight, plot); ok {
			l.Text(to.X0, (to.Y0+to.Y1)/2, scene.Font{Size: layout.Small, Baseline: scene.Centre,
				Colour: scene.Quiet}, text)
		}
	}
}
