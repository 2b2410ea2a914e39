package clientmap

import (
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The clouds of the map: an ellipse around the clients of each model, and its letter.

// cloud holds the number, mean and second moments of the clients of one model, in pixels, and the
// extent of an ellipse around all of them relative to the mean, along its two axes.
type cloud struct {
	n, x, y, xx, xy, yy float64
	along, across       span
}

// span is an interval.
type span struct{ lo, hi float64 }

func (s span) middle() float64 { return (s.lo + s.hi) / 2 }
func (s span) half() float64   { return (s.hi - s.lo) / 2 }

// scaled returns the span with the same middle and a length multiplied by times.
func (s span) scaled(times float64) span {
	middle, half := s.middle(), times*s.half()
	return span{middle - half, middle + half}
}

// cloudMargin is the distance between an ellipse and the edge of the outermost mark.
const cloudMargin = 4

// drawGroups draws what is around the clients of each model: clouds on a map of its own, hulls on an inset.
func (m *Map) drawGroups(l *scene.List, v *chart.View, f *trace.Frame, in *Inset, plot layout.Area, named bool) {
	switch {
	case in.whole:
		m.drawClouds(l, v, f, plot, in.Radius, named)
	case in.Hulls > 0:
		m.drawHulls(l, v, in)
	}
}

// drawHulls draws a soft outline around the clients of each model, or an ellipse if they are many.
func (m *Map) drawHulls(l *scene.List, v *chart.View, in *Inset) {
	m.clouds = m.cloudsOf(m.clouds, in.Label)
	l.Fade(0.16 * in.Hulls)
	for k := range m.clouds {
		c := &m.clouds[k]
		if c.n == 0 {
			continue
		}
		colour := v.Colour(k)
		if in.Plain {
			colour = scene.Ink
		}
		if len(m.positions) > few {
			x, y, rx, ry, angle := c.ellipse(float64(in.Radius))
			l.Ellipse(x, y, rx, ry, angle, colour, scene.Pen{})
			continue
		}
		m.outline.Reset()
		for i, s := range m.positions {
			if i < len(in.Label) && int(in.Label[i]) == k && !s.outside {
				m.outline.Add(s.x, s.y)
			}
		}
		l.Polygon(colour, scene.Pen{}, m.outline.Around(in.Radius*(1.05+0.7*in.Hulls))...)
	}
	l.Fade(1)
}

// drawClouds draws an ellipse of two standard deviations around the mean of each model's clients,
// but on no side beyond the outermost of them. Unless the map's sectors are named, the model's
// letter is beside it.
func (m *Map) drawClouds(l *scene.List, v *chart.View, f *trace.Frame, plot layout.Area, r float32, named bool) {
	m.clouds = m.cloudsOf(m.clouds, f.Label)
	if in := v.Detail; in != nil {
		m.clouds, m.nextClouds = m.cloudsOf(m.clouds, in.Before), m.cloudsOf(m.nextClouds, in.After)
		for len(m.clouds) < len(m.nextClouds) {
			m.clouds = append(m.clouds, cloud{})
		}
		for len(m.nextClouds) < len(m.clouds) {
			m.nextClouds = append(m.nextClouds, cloud{})
		}
		for k := range m.nextClouds {
			m.clouds[k].interpolate(&m.nextClouds[k], float64(in.Progress))
		}
	}
	m.areas = trace.Resize(m.areas, len(m.clouds))
	clear(m.areas)
	for pass := range 2 {
		for k := range m.clouds {
			c := &m.clouds[k]
			if c.n == 0 {
				continue
			}
			x, y, rx, ry, angle := c.ellipse(float64(r))
			m.areas[k] = rx * ry / float32(c.n)
			colour := v.Colour(k)
			switch {
			case pass == 0 && c.n > 1:
				l.Fade(0.1)
				l.Ellipse(x, y, rx, ry, angle, colour, scene.Pen{})
				l.Fade(0.7)
				l.Ellipse(x, y, rx, ry, angle, scene.Nothing, scene.Pen{Colour: colour, Width: 1})
			case pass == 1 && named:
				m.drawLetter(l, v, k, x, y, rx, ry, angle, plot)
			}
		}
		l.Fade(1)
	}
}

// cloudsOf returns the clouds of an assignment, in the memory of dst.
func (m *Map) cloudsOf(dst []cloud, labels []uint16) []cloud {
	models := 0
	for _, k := range labels {
		models = max(models, int(k)+1)
	}
	dst = trace.Resize(dst, models)
	clear(dst)
	for i, s := range m.positions {
		if i < len(labels) && !s.outside {
			dst[labels[i]].add(float64(s.x), float64(s.y))
		}
	}
	m.fitSpans(dst, labels)
	return dst
}

// fitSpans computes for each cloud the extent of an ellipse that contains all clients: that of
// their bounding box, scaled until no client is left in its corners.
func (m *Map) fitSpans(clouds []cloud, labels []uint16) {
	m.orientations = trace.Resize(m.orientations, len(clouds))
	for k := range clouds {
		_, _, angle := clouds[k].axes()
		m.orientations[k].sin, m.orientations[k].cos = math.Sincos(float64(angle))
		m.orientations[k].cornerScale = 1
	}
	each := func(do func(c *cloud, t *orientation, along, across float64)) {
		for i, s := range m.positions {
			if i < len(labels) && !s.outside {
				c, t := &clouds[labels[i]], &m.orientations[labels[i]]
				dx, dy := float64(s.x)-c.x, float64(s.y)-c.y
				do(c, t, t.cos*dx+t.sin*dy, t.cos*dy-t.sin*dx)
			}
		}
	}
	each(func(c *cloud, _ *orientation, along, across float64) {
		c.along = span{min(c.along.lo, along), max(c.along.hi, along)}
		c.across = span{min(c.across.lo, across), max(c.across.hi, across)}
	})
	out := func(s span, at float64) float64 { return (at - s.middle()) / max(s.half(), 1e-9) }
	each(func(c *cloud, t *orientation, along, across float64) {
		t.cornerScale = max(t.cornerScale, math.Hypot(out(c.along, along), out(c.across, across)))
	})
	for k := range clouds {
		c, corner := &clouds[k], m.orientations[k].cornerScale
		c.along, c.across = c.along.scaled(corner), c.across.scaled(corner)
	}
}

// orientation is the direction in which a cloud is longest, and the factor that its bounding box
// needs to contain the clients in the corners.
type orientation struct{ sin, cos, cornerScale float64 }

// interpolate moves a cloud a share of the way to another. A new or vanishing cloud changes at
// once.
func (c *cloud) interpolate(to *cloud, share float64) {
	switch {
	case share <= 0:
		return
	case c.n == 0 || to.n == 0 || share >= 1:
		*c = *to
		return
	}
	mix := func(a, b float64) float64 { return a + (b-a)*share }
	n := mix(c.n, to.n)
	part := func(a, b float64) float64 { return mix(a/c.n, b/to.n) * n }
	both := func(a, b span) span { return span{mix(a.lo, b.lo), mix(a.hi, b.hi)} }
	*c = cloud{n, mix(c.x, to.x), mix(c.y, to.y), part(c.xx, to.xx), part(c.xy, to.xy), part(c.yy, to.yy),
		both(c.along, to.along), both(c.across, to.across)}
}

// drawLetter writes a model's letter at the edge of its cloud.
func (m *Map) drawLetter(l *scene.List, v *chart.View, k int, x, y, rx, ry, angle float32, plot layout.Area) {
	text := v.Letter(k)
	w := scene.TextWidth(text, layout.Normal, true)
	if at, ok := m.placeLabel(x, y, rx, ry, angle, w, plot); ok {
		l.Text(at.X0, (at.Y0+at.Y1)/2, scene.Font{Size: layout.Normal, Bold: true, Baseline: scene.Centre,
			Colour: scene.Ink},
			text)
	}
}

// placeLabel reserves a place of width w for a label at the edge of an ellipse, in the direction
// where it hides the fewest marks and overlaps no other label.
func (m *Map) placeLabel(x, y, rx, ry, angle, w float32, plot layout.Area) (best layout.Area, ok bool) {
	const h = layout.Normal + 1
	hidden := len(m.positions) + 1
	for step := range 16 {
		sin, cos := math.Sincos(float64(step) * math.Pi / 8)
		tsin, tcos := math.Sincos(float64(step)*math.Pi/8 - float64(angle))
		out := 1/float32(math.Hypot(tcos/float64(rx), tsin/float64(ry))) + 9
		cx, cy := x+(out+w/2-5)*float32(cos), y+out*float32(sin)
		at := layout.Rect(cx-w/2, cy-h/2, cx+w/2, cy+h/2)
		if at.MovedInto(plot) != at || !m.labels.Free(at) {
			continue
		}
		if n := m.countHidden(at); n < hidden {
			best, hidden, ok = at, n, true
		}
	}
	if !ok { // the cloud is larger than the plot: near its mean
		return m.labels.Beside(layout.Rect(x, y, x, y), w, h, plot)
	}
	m.labels.Reserve(layout.Rect(best.X0-4, best.Y0, best.X1+4, best.Y1)) // so that 10 and C do not read as 10C
	return best, true
}

// countHidden counts the marks that a label at a would hide.
func (m *Map) countHidden(a layout.Area) int {
	n := 0
	for i := range m.positions {
		const r = 4
		below := a.Y1 + r
		s := &m.positions[i]
		if s.misplaced {
			below += 9 // its tick
		}
		if s.x > a.X0-r && s.x < a.X1+r && s.y > a.Y0-r && s.y < below {
			n++
		}
	}
	return n
}

func (c *cloud) add(x, y float64) {
	c.n++
	dx, dy := x-c.x, y-c.y
	c.x += dx / c.n
	c.y += dy / c.n
	c.xx += dx * (x - c.x)
	c.xy += dx * (y - c.y)
	c.yy += dy * (y - c.y)
}

// axes returns the standard deviations along the two axes of the cloud, and the angle of the
// first.
func (c *cloud) axes() (along, across float64, angle float32) {
	if c.n < 2 {
		return 0, 0, 0
	}
	xx, xy, yy := c.xx/(c.n-1), c.xy/(c.n-1), c.yy/(c.n-1)
	half, spread := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	return math.Sqrt(half + spread), math.Sqrt(max(half-spread, 0)), float32(math.Atan2(2*xy, xx-yy) / 2)
}

// ellipse returns the centre, the half axes and the angle of the ellipse around a cloud of marks
// of radius r.
func (c *cloud) ellipse(r float64) (x, y, rx, ry, angle float32) {
	a, b, angle := c.axes()
	along, across := limits(a, c.along, r), limits(b, c.across, r)
	sin, cos := math.Sincos(float64(angle))
	x = float32(c.x + cos*along.middle() - sin*across.middle())
	y = float32(c.y + sin*along.middle() + cos*across.middle())
	return x, y, float32(max(along.half(), r+cloudMargin)), float32(max(across.half(), r+cloudMargin)), angle
}

// limits returns the extent of an ellipse on one of its axes: two standard deviations to each
// side, but not beyond marks of radius r and a margin.
func limits(deviation float64, all span, r float64) span {
	return span{max(-2*deviation, all.lo-r-cloudMargin), min(2*deviation, all.hi+r+cloudMargin)}
}
