package clientmap

import (
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// runScale finds one extent for a lane's map over the whole run, so that sizes can be compared
// between rounds. The first rounds are often far out, so each side is a quantile: 95 % of the
// frames stay within, and it is at most three quarters of the median size beyond its median.
//
// It reads about a hundred frames of a run, each once, so the cost of a new frame does not grow
// with the run.
type runScale struct {
	run    *trace.Run
	lane   int
	frames int // seen so far
	seen   []layout.Extent
	common layout.Extent
	// For each axis, above 0 if groups are in the order of their numbers along it, below 0 in the other order; and the
	// sum of its extents, later rounds with more weight.
	order, extents [2]float64
	sort           []float32
}

// extent returns the common extent of v's lane, and whether there is one.
func (s *runScale) extent(v *chart.View) (layout.Extent, bool) {
	frames := v.Run.Tracks[v.Lane].Frames
	if s.run != v.Run || s.lane != v.Lane || s.frames > len(frames) {
		s.run, s.lane, s.frames, s.seen, s.order = v.Run, v.Lane, 0, s.seen[:0], [2]float64{}
		s.extents = [2]float64{}
	}
	if s.frames == len(frames) {
		return s.common, len(s.seen) > 0
	}
	stride := v.Run.Header.Rounds/96 + 1
	for t := s.frames; t < len(frames); t++ {
		// All of the first frames count, because most changes happen there.
		if t > 8 && t%stride != 0 {
			continue
		}
		if e, ok := s.frameExtent(&frames[t]); ok {
			s.seen = append(s.seen, e)
			s.addOrder(v, &frames[t])
			s.extents[0] += float64(float64(t+1) * float64(e.X1-e.X0))
			s.extents[1] += float64(float64(t+1) * float64(e.Y1-e.Y0))
		}
	}
	s.frames = len(frames)
	if len(s.seen) == 0 {
		return layout.Extent{}, false
	}
	side := func(q float64, get func(*layout.Extent) float32) float32 {
		s.sort = s.sort[:0]
		for i := range s.seen {
			s.sort = append(s.sort, get(&s.seen[i]))
		}
		return layout.Quantile(s.sort, q)
	}
	sides := [...]func(*layout.Extent) float32{func(e *layout.Extent) float32 { return e.X0 },
		func(e *layout.Extent) float32 { return e.X1 },
		func(e *layout.Extent) float32 { return e.Y0 }, func(e *layout.Extent) float32 { return e.Y1 }}
	at := func(lo, hi float64) layout.Extent {
		return layout.Extent{X0: side(lo, sides[0]), X1: side(hi, sides[1]), Y0: side(lo, sides[2]),
			Y1: side(hi, sides[3])}
	}
	wide, middle := at(0.05, 0.95), at(0.5, 0.5)
	most := 0.75 * middle.Size()
	s.common = layout.Extent{X0: max(wide.X0, middle.X0-most), X1: min(wide.X1, middle.X1+most),
		Y0: max(wide.Y0, middle.Y0-most), Y1: min(wide.Y1, middle.Y1+most)}
	s.common = s.common.Padded(0.06)
	return s.common, true
}

// addOrder adds the covariances of group and coordinates in a frame.
func (s *runScale) addOrder(v *chart.View, f *trace.Frame) {
	middle, n := (float64(v.Run.Header.Groups)-1)/2, min(len(f.XY)/2, v.Run.Header.Clients)
	for i := range n {
		for axis := range s.order {
			if x := f.XY[2*i+axis]; v.Group(i) >= 0 && chart.Finite(x) {
				s.order[axis] += float64((float64(v.Group(i)) - middle) * float64(x))
			}
		}
	}
}

// turn returns how a plane of principal components is drawn on an inset: with its longer side horizontal, and with
// groups in order from left to right.
func (s *runScale) turn() (turned, mirrored bool) {
	if s.extents[1] > 1.1*s.extents[0] {
		return true, s.order[1] < 0
	}
	return false, s.order[0] < 0
}

// scaleSample is the approximate number of clients that a frame's extent is computed from: more
// take time in each drawing and change it by less than a mark's width.
const scaleSample = 250

// frameExtent returns the extent of one frame's map, without the outermost 5 % of the clients if
// there are more than forty.
func (s *runScale) frameExtent(f *trace.Frame) (e layout.Extent, ok bool) { return s.pairsExtent(f.XY) }

// pairsExtent is frameExtent for x, y pairs.
func (s *runScale) pairsExtent(xy []float32) (e layout.Extent, ok bool) {
	if len(xy) == 0 {
		return e, false
	}
	step := 2 * (len(xy)/(2*scaleSample) + 1)
	for axis := range 2 {
		s.sort = s.sort[:0]
		for i := axis; i < len(xy); i += step {
			if chart.Finite(xy[i]) {
				s.sort = append(s.sort, xy[i])
			}
		}
		if len(s.sort) == 0 {
			return e, false
		}
		lo, hi := layout.Quantile(s.sort, 0.025), s.sort[int(0.975*float64(len(s.sort)-1)+0.999)]
		if axis == 0 {
			e.X0, e.X1 = lo, hi
		} else {
			e.Y0, e.Y1 = lo, hi
		}
	}
	return e, true
}

// projection maps the map's coordinates to the figure, y up, with one scale for both axes, so
// that distances are kept.
type projection struct {
	k, ox, oy float32
	frame     layout.Area
	turned    bool // the axes are exchanged
	mirrored  bool // then left and right are exchanged
}

// fit centres e in frame.
func fit(e layout.Extent, frame layout.Area) projection {
	w, h := max(e.X1-e.X0, 1e-12), max(e.Y1-e.Y0, 1e-12)
	k := min((frame.X1-frame.X0)/w, (frame.Y1-frame.Y0)/h)
	if e.Size() < 1e-9 {
		k = 1 // all clients at one point: any scale will do
	}
	return projection{
		k:     k,
		ox:    (frame.X0+frame.X1)/2 - k*(e.X0+e.X1)/2,
		oy:    (frame.Y0+frame.Y1)/2 + k*(e.Y0+e.Y1)/2,
		frame: frame,
	}
}

func (p *projection) at(x, y float32) (px, py float32) {
	if p.turned {
		x, y = y, x
	}
	if p.mirrored {
		x = -x
	}
	return p.ox + p.k*x, p.oy - p.k*y
}

// clamp moves a point into the frame and reports whether it was outside.
func (p *projection) clamp(x, y float32) (px, py float32, outside bool) {
	px, py = min(max(x, p.frame.X0), p.frame.X1), min(max(y, p.frame.Y0), p.frame.Y1)
	return px, py, px != x || py != y
}
