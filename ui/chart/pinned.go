package chart

import (
	"slices"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

// What is drawn of a run that was pinned, behind the one on view.

// pinnedLane returns where a lane of the run on view stands in the pinned run, −1
// where that has none of that name.
func (v *View) pinnedLane(lane int) int {
	if v.Pinned == nil {
		return -1
	}
	return v.pinnedByID(v.Run.Header.Lanes[lane].ID)
}

// pinnedByID is the same for a lane's name.
func (v *View) pinnedByID(id string) int {
	i := slices.IndexFunc(v.Pinned.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
	if i < 0 || len(v.Pinned.Tracks[i].Frames) == 0 {
		return -1
	}
	return i
}

// drawPinned draws the pinned run's curves, pale and dashed.
func (c *Curves) drawPinned(l *scene.List, v *View, s *curveScale) {
	if !c.ShowsPinned(v) {
		return
	}
	tries := (&View{Run: v.Pinned}).Evaluated()
	l.Fade(0.55)
	for i := range v.Run.Tracks {
		g := v.pinnedLane(i)
		if g < 0 || !c.Metric.has(v, i) {
			continue
		}
		p := lanePen(i)
		p.Colour, p.Dash = scene.Unassigned, scene.Fine
		frames := v.Pinned.Tracks[g].Frames
		c.curve(l, frames[:min(len(frames), s.rounds+1)], s, p, tries)
	}
	l.Fade(1)
}

// ShowsPinned reports whether both runs have maps that can be laid over each other.
func (m *Map) ShowsPinned(v *View) bool {
	past, ok := v.pinnedView()
	if !ok || m.In3D && FlatOnly(v) == "" || v.lane().Map != trace.LossPair && v.lane().Map != trace.LossTriangle {
		return false
	}
	then, now := past.summary(), v.summary()
	return past.lane().Map == v.lane().Map && then != nil && now != nil && slices.Equal(then.Alias, now.Alias)
}

// drawPinned draws where the clients of the pinned run stood in the same round. Only
// maps whose axes are losses on models of the same names can be laid over each
// other: the axes of a plane of its own mean nothing in another run.
func (m *Map) drawPinned(l *scene.List, v *View, p *project, r float32) {
	if !m.ShowsPinned(v) {
		return
	}
	g := v.pinnedLane(v.Lane)
	frames := v.Pinned.Tracks[g].Frames
	f, shapes := &frames[min(v.Round, len(frames)-1)], View{Run: v.Pinned, Lane: g}
	l.Fade(0.2)
	for i := range len(f.XY) / 2 {
		if x, y := f.XY[2*i], f.XY[2*i+1]; finite(x) && finite(y) {
			if px, py, outside := p.clamp(p.at(x, y)); !outside {
				l.Mark(shapes.Shape(i), px, py, r, scene.Ink, scene.Pen{})
			}
		}
	}
	l.Fade(1)
}
