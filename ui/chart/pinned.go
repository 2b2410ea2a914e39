package chart

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// What is drawn of a run that was pinned, behind the one on view.

// PinnedLane returns where a lane of the run on view stands in the pinned run, −1
// where that has none of that name.
func (v *View) PinnedLane(lane int) int {
	if v.Pinned == nil {
		return -1
	}
	id := v.Run.Header.Lanes[lane].ID
	i := slices.IndexFunc(v.Pinned.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
	if i < 0 || len(v.Pinned.Tracks[i].Frames) == 0 {
		return -1
	}
	return i
}

// Comparable is a figure that may have a pinned run behind it.
type Comparable interface {
	// ShowsPinned reports whether it has.
	ShowsPinned(v *View) bool
}

// Behind says, for those who cannot see it, that a pinned run is behind a figure, ""
// where none is.
func Behind(figure Figure, v *View) string {
	if h, ok := figure.(Comparable); ok && v.Pinned != nil && h.ShowsPinned(v) {
		return say.Text(" The pinned run is drawn behind, pale.")
	}
	return ""
}

// PinnedView is the moment looked at in the pinned run; false where that has no such
// lane.
func (v *View) PinnedView() (View, bool) {
	if v.LaneHeader() == nil {
		return View{}, false
	}
	g := v.PinnedLane(v.Lane)
	return View{Run: v.Pinned, Lane: g, Round: v.Round, Selected: -1, Hover: -1}, g >= 0
}

// PinnedPen draws lines of a pinned run.
var PinnedPen = scene.Pen{Colour: scene.Unassigned, Width: 1.5, Dash: scene.Fine}
