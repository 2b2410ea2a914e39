package chart

import (
	"slices"

	"flockscope/sim/draw/scene"
)

// ExportStyle is the style of an exported figure: with titles of axes and a legend around it, and
// without the playhead and the hints on reading it, unless they are asked for.
type ExportStyle struct{ On, Playhead, Hints bool }

// ShowsPlayhead reports whether a figure marks the shown round.
func (v *View) ShowsPlayhead() bool { return !v.Export.On || v.Export.Playhead }

// ShowsHints reports whether a figure contains hints on reading it.
func (v *View) ShowsHints() bool { return !v.Export.On || v.Export.Hints }

// Titled is a figure whose axes have titles when it is exported.
type Titled interface {
	// AxisTitles returns the titles of the horizontal and the vertical axis, with the unit if
	// there is one. They are empty where the figure names an axis itself.
	AxisTitles(v *View) (x, y string)
}

// AxisTitles returns the titles of a figure's axes, empty if it has none.
func AxisTitles(figure Figure, v *View) (x, y string) {
	if figure, ok := figure.(Titled); ok {
		return figure.AxisTitles(v)
	}
	return "", ""
}

// LegendEntries returns the entries of the legend of a kind of figure for some lanes: names of groups,
// indices of the models' colours, and whether a client is misplaced.
func LegendEntries(v *View, kind string, lanes []int) (groups, models []any, wrong bool) {
	if kind == "spectrum" || len(lanes) == 0 {
		return nil, nil, false
	}
	if kind != "models" && kind != "tree" {
		for g := range min(v.Run.Header.Groups, scene.Shapes) {
			groups = append(groups, v.GroupName(g))
		}
		if len(v.Run.Header.Liar) > 0 { // at the place of their shape
			groups = append(slices.Grow(groups, scene.Shapes+1)[:scene.Shapes], "liars")
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
			if at := v.AliasOf(k); at >= 0 && at < len(used) {
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
