package chart

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// What is drawn of a pinned run behind the shown run.

// PinnedLane returns the index of a lane of the shown run in the pinned run, −1 if that has none
// of the same ID.
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

// Comparable is a figure that can show a pinned run behind the shown one.
type Comparable interface {
	// ShowsPinned reports whether it does.
	ShowsPinned(v *View) bool
}

// PinnedNote returns a sentence for screen readers if a pinned run is drawn behind a figure, else "".
func PinnedNote(figure Figure, v *View) string {
	if h, ok := figure.(Comparable); ok && v.Pinned != nil && h.ShowsPinned(v) {
		return say.Text(" The pinned run is drawn behind, in grey.")
	}
	return ""
}

// PinnedView returns the shown round of the pinned run; false if that has no such lane.
func (v *View) PinnedView() (View, bool) {
	if v.LaneHeader() == nil {
		return View{}, false
	}
	g := v.PinnedLane(v.Lane)
	return View{Run: v.Pinned, Lane: g, Round: v.Round, Selected: -1, Hover: -1, Followed: -1, Names: v.Names}, g >= 0
}

// PinnedPen draws lines of a pinned run.
var PinnedPen = scene.Pen{Colour: scene.Unassigned, Width: 1.5, Dash: scene.Fine}
