package chart

import "flockscope/sim/draw/scene"

// Paper is how a figure looks that is taken away: its axes have titles and its marks a
// legend, which stand around it, and it shows neither the playhead nor how to read it,
// unless asked to.
type Paper struct{ On, Playhead, Hints bool }

// ShowsPlayhead reports whether a figure marks the round looked at.
func (v *View) ShowsPlayhead() bool { return !v.Paper.On || v.Paper.Playhead }

// ShowsHints reports whether a figure says how to read it.
func (v *View) ShowsHints() bool { return !v.Paper.On || v.Paper.Hints }

// Titled is a figure whose axes have titles where it is taken away.
type Titled interface {
	// AxisTitles say what the axes show, with the unit if there is one: the horizontal
	// one and the vertical one. They are empty where the figure names an axis itself.
	AxisTitles(v *View) (across, up string)
}

// AxisTitles are the titles of a figure's axes, empty for one that has none.
func AxisTitles(figure Figure, v *View) (across, up string) {
	if figure, ok := figure.(Titled); ok {
		return figure.AxisTitles(v)
	}
	return "", ""
}

// Key is what the legend of a kind of figure names, in some lanes: groups, whose marks have
// shapes by number, the places of models, which have colours, and whether a client is
// misplaced.
func Key(v *View, kind string, lanes []int) (groups, models []any, wrong bool) {
	if kind == "spectrum" || len(lanes) == 0 {
		return nil, nil, false
	}
	if kind != "models" && kind != "tree" {
		for g := range min(v.Run.Header.Groups, scene.Shapes) {
			groups = append(groups, v.GroupName(g))
		}
	}
	var used [scene.Clusters]bool
	for _, v.Lane = range lanes {
		f := v.Frame()
		if f == nil || OwnModels(v.LaneHeader()) {
			continue
		}
		var match Matching
		match.Find(v, f)
		for i := range f.Label {
			k := ModelOf(f, i)
			wrong = wrong || match.Misplaced(v, i, k)
			if at := v.Place(k); at >= 0 && at < len(used) {
				used[at] = true
			}
		}
	}
	for at, is := range used {
		if is {
			models = append(models, at)
		}
	}
	return groups, models, wrong && groups != nil
}
