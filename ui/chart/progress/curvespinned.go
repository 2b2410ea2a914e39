package progress

import (
	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
)

// drawPinned draws the curves of the pinned run, pale and dashed.
func (c *Curves) drawPinned(l *scene.List, v *chart.View, s *curveScale) {
	if !c.ShowsPinned(v) {
		return
	}
	evaluated := (&chart.View{Run: v.Pinned}).Evaluated()
	l.Fade(0.55)
	for i := range v.Run.Tracks {
		g := v.PinnedLane(i)
		if g < 0 || !c.Metric.defined(v, i) {
			continue
		}
		p := chart.LanePen(i)
		p.Colour, p.Dash = scene.Unassigned, scene.Fine
		frames := v.Pinned.Tracks[g].Frames
		c.drawCurve(l, v.Pinned.Header, frames[:min(len(frames), s.rounds+1)], s, p, evaluated)
	}
	l.Fade(1)
}

// ShowsPinned reports whether both runs have a lane in common.
func (c *Curves) ShowsPinned(v *chart.View) bool {
	for i := 0; v.Run != nil && i < len(v.Run.Header.Lanes); i++ {
		if v.PinnedLane(i) >= 0 {
			return true
		}
	}
	return false
}
