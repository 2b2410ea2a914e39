package clientmap

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// ShowsPinned reports whether both runs have maps with the same axes.
func (m *Map) ShowsPinned(v *chart.View) bool {
	past, ok := v.PinnedView()
	if !ok || m.In3D && FlatOnly(v) == "" {
		return false
	}
	kind, then, now := v.LaneHeader().Map, past.Summary(), v.Summary()
	if kind != trace.LossPair && kind != trace.LossTriangle {
		return false
	}
	return past.LaneHeader().Map == kind && then != nil && now != nil && slices.Equal(then.Alias, now.Alias)
}

// drawPinned draws the clients of the pinned run in the same round. Only maps whose axes are
// losses on models of the same names have the same axes: principal components of one run mean
// nothing in another.
func (m *Map) drawPinned(l *scene.List, v *chart.View, p *projection, r float32) {
	if !m.ShowsPinned(v) {
		return
	}
	g := v.PinnedLane(v.Lane)
	frames := v.Pinned.Tracks[g].Frames
	f, shapes := &frames[min(v.Round, len(frames)-1)], chart.View{Run: v.Pinned, Lane: g}
	l.Fade(0.2)
	for i := range len(f.XY) / 2 {
		if x, y := f.XY[2*i], f.XY[2*i+1]; chart.Finite(x) && chart.Finite(y) {
			if px, py, outside := p.clamp(p.at(x, y)); !outside {
				l.Mark(shapes.Shape(i), px, py, r, scene.Ink, scene.Pen{})
			}
		}
	}
	l.Fade(1)
}
