package stage

import (
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart/layout"
)

// Where clients mix models: the weights of each client as a bar of shares, or its place among the models' corners if
// there are too many clients for bars.

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// corners reports whether clients lie among corners.
func (s *Stage) corners() bool { return s.rows != 1 && s.v.Run.Header.Clients > 20 }

// corner returns the corner of the n-th of all models: the first at the left, then clockwise.
func (s *Stage) corner(n int) (x, y float32) {
	count := float64(max(len(s.models), 1))
	sin, cos := math.Sincos(math.Pi/2 + math.Pi/count + 2*math.Pi*float64(n)/count)
	margin := s.dot + s.size
	return (s.area.X0+s.area.X1)/2 + float32(cos)*max((s.area.X1-s.area.X0)/2-margin, 0),
		(s.area.Y0+s.area.Y1)/2 + float32(sin)*max((s.area.Y1-s.area.Y0)/2-margin, 0)
}

// weight returns the weight of a model for a client, 0 if it is not a number from 0 to 1.
func (s *Stage) weight(f *trace.Frame, client, k int) float32 {
	at := client*s.lane.Models + k
	if f == nil || at >= len(f.Mixture) || !(f.Mixture[at] >= 0 && f.Mixture[at] <= 1) {
		return 0
	}
	return f.Mixture[at]
}

// barTop is where bars of shares begin: below the marks.
func (s *Stage) barTop() float32 { return s.area.Y0 + 3.4*s.dot }

// placeMixtures computes the places of the clients: above their bars, or among the corners.
func (s *Stage) placeMixtures(dst []place, f *trace.Frame) {
	for j, i := range s.order {
		if !s.corners() {
			dst[i] = place{s.along(j, i), s.area.Y0 + 1.9*s.dot, true}
			continue
		}
		x, y, sum := float32(0), float32(0), float32(0)
		for n, k := range s.models {
			w := s.weight(f, i, k)
			cx, cy := s.corner(n)
			x, y, sum = x+w*cx, y+w*cy, sum+w
		}
		if sum > 0 {
			dst[i] = place{x / sum, y / sum, true}
		}
	}
}

// drawMixtures draws the bars of shares, or the corners.
func (s *Stage) drawMixtures(l *scene.List, f *trace.Frame) {
	if s.corners() {
		s.drawCorners(l)
		return
	}
	w := min(0.62*s.cell, 30*s.scale)
	if s.rows != 1 {
		w = 0.62 * (s.area.X1 - s.area.X0) / float32(max(len(s.order), 1))
	}
	top, foot := s.barTop(), s.area.Y1-2
	for n := range s.models { // by model, so that equal bars form batches
		for _, i := range s.order {
			below := float32(0)
			for m, k := range s.models {
				share := s.weight(f, i, k)
				if s.v.Back > 0 && s.phase == rest && s.before != nil {
					share = mix(share, s.weight(s.before, i, k), s.v.Back)
				}
				if m == n {
					if h := share * (foot - top); h > 0.3 {
						y := foot - below*(foot-top)
						l.Rect(s.at[i].x-w/2, y-h, w, max(h-1, 0.3), s.v.Colour(k), scene.Pen{})
					}
					break
				}
				below += share
			}
		}
	}
	for _, i := range s.order {
		s.v.CoverDimmed(l, i, s.at[i].x-w/2, top, w, foot-top)
	}
}

// drawCorners draws the models as corners with lines between neighbours.
func (s *Stage) drawCorners(l *scene.List) {
	s.line = s.line[:0]
	for n := range s.models {
		x, y := s.corner(n)
		s.line = append(s.line, x, y)
	}
	if len(s.models) > 2 {
		l.Polygon(scene.Paper, scene.Pen{Colour: scene.Line, Width: s.scale}, s.line...)
	} else {
		l.Line(scene.Pen{Colour: scene.Line, Width: s.scale}, s.line...)
	}
	if s.area.Y1-s.area.Y0 < 4*s.size || s.area.X1-s.area.X0 < 8*s.size {
		return
	}
	middle := layout.Rect(s.area.X0, s.area.Y0, s.area.X1, s.area.Y1)
	for n, k := range s.models {
		x, y := s.corner(n)
		name := s.v.Letter(k)
		out := s.dot + 0.5*s.size
		dx, dy := x-(middle.X0+middle.X1)/2, y-(middle.Y0+middle.Y1)/2
		if d := sqrt(dx*dx + dy*dy); d > 0 {
			x, y = x+dx/d*out, y+dy/d*out
		}
		half := s.size / 2
		s.say(l, min(max(x, s.area.X0+half), s.area.X1-half), min(max(y, s.area.Y0+half), s.area.Y1-half), name,
			scene.Middle, true, scene.Ink)
	}
}
