package clientmap

import (
	"slices"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The marks of the map, above the clouds.

// drawTrails draws the last five positions of each client.
func (m *Map) drawTrails(l *scene.List, v *chart.View, f *trace.Frame, p *projection) {
	const past = 5
	frames := v.Run.Tracks[v.Lane].Frames
	l.Fade(0.35)
	for k := range modelCount(f) {
		for i := range m.positions {
			if chart.ModelOf(f, i) != k || v.Dimmed(i) {
				continue
			}
			m.trail = m.trail[:0]
			for t := max(f.Round-past, 0); t < f.Round && t < len(frames); t++ {
				if xy := frames[t].XY; len(xy) > 2*i+1 && chart.Finite(xy[2*i]) && chart.Finite(xy[2*i+1]) {
					x, y, outside := p.clamp(p.at(xy[2*i], xy[2*i+1]))
					if n := len(m.trail); outside {
						m.trail = m.trail[:0] // it came from outside: only its last steps are shown
					} else if n < 2 || m.trail[n-2] != x || m.trail[n-1] != y {
						m.trail = append(m.trail, x, y)
					}
				}
			}
			m.trail = append(m.trail, m.positions[i].x, m.positions[i].y)
			l.Line(scene.Pen{Colour: v.Colour(k), Width: 1}, m.trail...)
		}
	}
	l.Fade(1)
}

// sortMarks orders the clients so that equal marks follow each other, the misplaced last and so
// on top. In three dimensions the nearest are on top.
func (m *Map) sortMarks(v *chart.View, f *trace.Frame, clients int) {
	m.order = trace.Resize(m.order, clients)
	in3D := m.in3D(v, f)
	for i := range m.order {
		if in3D {
			m.order[i] = depthKey(m.positions[i].depth)<<16 | i
			continue
		}
		key := (v.AliasOf(m.match.Given(f, i)) + 1) & 63
		key = key<<4 | int(v.Shape(i))
		if m.positions[i].misplaced {
			key |= 1 << 10
		}
		m.order[i] = key<<16 | i
	}
	slices.Sort(m.order)
}

// drawMarks draws the clients.
func (m *Map) drawMarks(l *scene.List, v *chart.View, f *trace.Frame, r float32) {
	share := float32(0.4)
	if len(v.MultiSelection) > 0 {
		share = 0.2
	}
	faint := func(i int) bool { return m.positions[i].outside || v.Dimmed(i) }
	for _, faded := range [...]bool{true, false} {
		if faded {
			l.Fade(share)
		} else {
			l.Fade(1)
		}
		for _, key := range m.order {
			i := key & 0xFFFF
			if s := &m.positions[i]; faint(i) == faded {
				k := m.match.Given(f, i)
				chart.DrawClientHaloed(l, v, i, k, s.misplaced, s.x, s.y, r, m.haloWidth(k, r))
			}
		}
		if r < 3.5 {
			continue // hundreds of ticks are unreadable
		}
		for _, key := range m.order {
			if s := &m.positions[key&0xFFFF]; s.misplaced && faint(key&0xFFFF) == faded {
				l.Line(scene.Pen{Colour: scene.Ink, Width: 1.5}, s.x, s.y-r-3, s.x, s.y-r-7)
			}
		}
	}
}

// haloWidth returns the width of the halo around the marks of model k, of radius r. It is narrow
// where marks overlap, since halos would cover the marks below.
func (m *Map) haloWidth(k int, r float32) float32 {
	wide := min(1, r/4)
	if k < 0 || k >= len(m.areas) || m.areas[k] == 0 {
		return wide
	}
	const least = 0.25
	return wide * max(min(m.areas[k]/(r*r), 1), least)
}

// drawFocus draws rings around the client under the pointer and the selected one, with their
// numbers.
func (m *Map) drawFocus(l *scene.List, v *chart.View, box layout.Area, r float32) {
	for n, client := range [...]int{v.Selected, v.Hover} {
		if client < 0 || client >= len(m.positions) || (n == 1 && client == v.Selected) {
			continue
		}
		s := m.positions[client]
		l.Mark(scene.Circle, s.x, s.y, r+4, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
		m.text = strconv.AppendInt(m.text[:0], int64(client+1), 10)
		w := scene.TextWidth(m.text, m.size, true)
		at, ok := m.placeLabel(s.x, s.y, r+4, r+4, 0, w, box)
		if ok {
			l.TextBytes(at.X0, (at.Y0+at.Y1)/2, scene.Font{Size: m.size, Bold: true, Baseline: scene.Centre,
				Colour: scene.Ink}, m.text)
		}
	}
}
