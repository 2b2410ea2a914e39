package stage

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Where clients choose their model: a column for each model, and the height of a mark is the client's lead, how much
// larger its second smallest loss is, divided by its standard error.

// hasLead reports whether leads are known.
func (s *Stage) hasLead() bool { return len(s.now.Lead) > 0 && len(s.now.Noise) > 0 }

// leads reports whether heights are leads.
func (s *Stage) leads() bool { return s.hasLead() || s.lane.Border && s.f.Round == 0 }

// surer maps a lead in standard errors to a height from 0 to 1, without an upper end.
func surer(z float32) float32 { return z / (z + 1.6) }

// top returns the height in the view of a share from 0 to 1.
func (s *Stage) top(share float32) float32 {
	margin := 1.4 * s.dot
	return mix(s.area.Y1-margin, s.area.Y0+margin, share)
}

// placeColumns computes the places of the clients that took part.
func (s *Stage) placeColumns(dst []place, f *trace.Frame) {
	lead := len(f.Lead) >= len(dst) && len(f.Noise) >= len(dst)
	for _, k := range s.models {
		n, at := 0, 0
		for i := range f.Label {
			if s.stands(f, i, k) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		a := s.column(k)
		width := max(a.X1-a.X0-3.2*s.dot-4, 0)
		each := max(int(width/(2.6*s.dot))+1, 1)
		step := min(2.7*s.dot, width/float32(max(n-1, 1)))
		for _, i := range s.order {
			if !s.stands(f, i, k) {
				continue
			}
			if lead {
				if z := f.Lead[i] / max(f.Noise[i], 1e-12); chart.Finite(z) && z >= 0 {
					dst[i] = place{(a.X0+a.X1)/2 + (float32(at)-float32(n-1)/2)*step, s.top(surer(min(z, 1e6))), true}
				}
				at++
				continue
			}
			row, inRow := at/each, min(n-at/each*each, each)
			dst[i] = place{(a.X0+a.X1)/2 + (float32(at%each)-float32(inRow-1)/2)*2.6*s.dot,
				max(s.area.Y1-1.6*s.dot-float32(row)*2.6*s.dot, s.area.Y0+s.dot), true}
			at++
		}
	}
}

// stands reports whether a client has chosen model k in f.
func (s *Stage) stands(f *trace.Frame, client, k int) bool {
	return chart.ModelOf(f, client) == k && s.match.Participated(client) &&
		(client >= len(f.State) || f.State[client] == trace.Present)
}

// drawColumns draws the columns, and the band in which leads are smaller than their noise.
func (s *Stage) drawColumns(l *scene.List) {
	for _, k := range s.models {
		a := s.column(k)
		gap := min(3*s.scale, (a.X1-a.X0)/6)
		round(l, layout.Rect(a.X0+gap, a.Y0+2, a.X1-gap, a.Y1), 6*s.scale, scene.Paper,
			scene.Pen{Colour: scene.Line, Width: 1})
	}
	if !s.leads() {
		return
	}
	y := s.top(surer(1))
	s.hatch(l, layout.Rect(s.area.X0+3, y, s.area.X1-3, s.area.Y1-1))
	l.Line(scene.Pen{Colour: scene.Ink, Width: s.scale, Dash: scene.Fine}, s.area.X0+3, y, s.area.X1-3, y)
}

// hatch fills an area with lines that rise to the right.
func (s *Stage) hatch(l *scene.List, a layout.Area) {
	step := 7 * s.scale
	h := a.Y1 - a.Y0
	pen := scene.Pen{Colour: scene.Line, Width: s.scale}
	for x := a.X0 - h + step; x < a.X1; x += step {
		// From the bottom edge at x to the top edge at x + h, as far as it is inside.
		from, to := max(a.X0-x, 0), min(a.X1-x, h)
		if to > from {
			l.Line(pen, x+from, a.Y1-from, x+to, a.Y1-to)
		}
	}
}
