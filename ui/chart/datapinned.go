package chart

import "flockscope/ui/scene"

// ShowsPinned reports whether the pinned run has lines on such a plane, too.
func (d *Data) ShowsPinned(v *View) bool {
	then, ok := v.pinnedView()
	if !ok {
		return false
	}
	_, _, ok = lineOf(&then, then.frame(), 0)
	return ok && !then.Pictures()
}

// drawPinned draws the lines that the models of the pinned run were.
func (d *Data) drawPinned(l *scene.List, v *View, s dataScale) {
	if !d.ShowsPinned(v) {
		return
	}
	then, _ := v.pinnedView()
	for k := range then.lane().Models {
		if slope, offset, ok := lineOf(&then, then.frame(), k); ok {
			x0, y0 := s.at(s.sc.XMin, slope*s.sc.XMin+offset)
			x1, y1 := s.at(s.sc.XMax, slope*s.sc.XMax+offset)
			if x0, y0, x1, y1, ok := s.cut(x0, y0, x1, y1); ok {
				l.Line(thin, x0, y0, x1, y1)
			}
		}
	}
}
