package samples

import (
	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
)

// ShowsPinned reports whether the pinned run has models that are lines in such a plane.
func (d *Plane) ShowsPinned(v *chart.View) bool {
	then, ok := v.PinnedView()
	if !ok {
		return false
	}
	_, _, ok = lineOf(&then, then.Frame(), 0)
	return ok && !then.Pictures()
}

// drawPinned draws the models of the pinned run as lines.
func (d *Plane) drawPinned(l *scene.List, v *chart.View, s planeScale) {
	if !d.ShowsPinned(v) {
		return
	}
	then, _ := v.PinnedView()
	for k := range then.LaneHeader().Models {
		if slope, offset, ok := lineOf(&then, then.Frame(), k); ok {
			x0, y0 := s.at(s.sc.XMin, slope*s.sc.XMin+offset)
			x1, y1 := s.at(s.sc.XMax, slope*s.sc.XMax+offset)
			if x0, y0, x1, y1, ok := s.clip(x0, y0, x1, y1); ok {
				l.Line(chart.PinnedPen, x0, y0, x1, y1)
			}
		}
	}
}
