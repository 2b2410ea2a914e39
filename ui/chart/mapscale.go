package chart

import "flockscope/sim/trace"

// runScale finds the extent that a lane's map has in common over a whole run,
// so that a cloud that grows is seen to grow. The first rounds are often wild;
// so each side is where nineteen frames in twenty stay within, and at most
// three quarters of the usual size beyond its usual place.
//
// It looks at about a hundred frames of a run, and at each of them once, so a
// run that is still streaming costs one frame a frame.
type runScale struct {
	run    *trace.Run
	lane   int
	frames int // seen so far
	seen   []extent
	common extent
	sort   []float32
}

// of returns the common extent of v's lane, and whether there is one.
func (s *runScale) of(v *View) (extent, bool) {
	frames := v.Run.Tracks[v.Lane].Frames
	if s.run != v.Run || s.lane != v.Lane || s.frames > len(frames) {
		s.run, s.lane, s.frames, s.seen = v.Run, v.Lane, 0, s.seen[:0]
	}
	if s.frames == len(frames) {
		return s.common, len(s.seen) > 0
	}
	stride := v.Run.Header.Rounds/96 + 1
	for t := s.frames; t < len(frames); t++ {
		// The first looks count in full: a run is short where it is alive.
		if t > 8 && t%stride != 0 {
			continue
		}
		if e, ok := s.frame(&frames[t]); ok {
			s.seen = append(s.seen, e)
		}
	}
	s.frames = len(frames)
	if len(s.seen) == 0 {
		return extent{}, false
	}
	side := func(q float64, get func(*extent) float32) float32 {
		s.sort = s.sort[:0]
		for i := range s.seen {
			s.sort = append(s.sort, get(&s.seen[i]))
		}
		return quantile(s.sort, q)
	}
	sides := [...]func(*extent) float32{func(e *extent) float32 { return e.x0 },
		func(e *extent) float32 { return e.x1 },
		func(e *extent) float32 { return e.y0 }, func(e *extent) float32 { return e.y1 }}
	at := func(lo, hi float64) extent {
		return extent{side(lo, sides[0]), side(hi, sides[1]), side(lo, sides[2]), side(hi, sides[3])}
	}
	wide, middle := at(0.05, 0.95), at(0.5, 0.5)
	most := 0.75 * middle.size()
	s.common = extent{max(wide.x0, middle.x0-most), min(wide.x1, middle.x1+most),
		max(wide.y0, middle.y0-most), min(wide.y1, middle.y1+most)}
	s.common = s.common.wider(0.06)
	return s.common, true
}

// scaleSample is about how many clients a frame's extent is judged by: more of
// them cost time at every picture and move it by less than a mark's width.
const scaleSample = 250

// frame returns the extent of one frame's map. Beyond forty clients a few
// stragglers do not count.
func (s *runScale) frame(f *trace.Frame) (e extent, ok bool) {
	if len(f.XY) == 0 {
		return e, false
	}
	step := 2 * (len(f.XY)/(2*scaleSample) + 1)
	for axis := range 2 {
		s.sort = s.sort[:0]
		for i := axis; i < len(f.XY); i += step {
			if finite(f.XY[i]) {
				s.sort = append(s.sort, f.XY[i])
			}
		}
		if len(s.sort) == 0 {
			return e, false
		}
		lo, hi := quantile(s.sort, 0.025), s.sort[int(0.975*float64(len(s.sort)-1)+0.999)]
		if axis == 0 {
			e.x0, e.x1 = lo, hi
		} else {
			e.y0, e.y1 = lo, hi
		}
	}
	return e, true
}

// project maps the map's coordinates to the figure, y up, with one scale for
// both axes: distances mean something there.
type project struct {
	k, ox, oy float32
	frame     area
}

// fit centres e in frame.
func fit(e extent, frame area) project {
	w, h := max(e.x1-e.x0, 1e-12), max(e.y1-e.y0, 1e-12)
	k := min((frame.x1-frame.x0)/w, (frame.y1-frame.y0)/h)
	if e.size() < 1e-9 {
		k = 1 // everybody at one point: no scale says anything
	}
	return project{
		k:     k,
		ox:    (frame.x0+frame.x1)/2 - k*(e.x0+e.x1)/2,
		oy:    (frame.y0+frame.y1)/2 + k*(e.y0+e.y1)/2,
		frame: frame,
	}
}

func (p *project) at(x, y float32) (px, py float32) { return p.ox + p.k*x, p.oy - p.k*y }

// clamp brings a point to the rim of the frame and reports whether it was
// outside.
func (p *project) clamp(x, y float32) (px, py float32, outside bool) {
	px, py = min(max(x, p.frame.x0), p.frame.x1), min(max(y, p.frame.y0), p.frame.y1)
	return px, py, px != x || py != y
}
