package chart

import (
	"cmp"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

// Paper is how a figure looks that is taken away: its axes have titles and its marks a
// legend, which stand around it, and it shows neither the playhead nor how to read it,
// unless asked to.
type Paper struct{ On, Playhead, Hints bool }

func (v *View) playhead() bool { return !v.Paper.On || v.Paper.Playhead }
func (v *View) hints() bool    { return !v.Paper.On || v.Paper.Hints }

// AxisTitles say what the axes of a figure show, with the unit if there is one: the
// horizontal one and the vertical one. They are empty where a figure names its axes
// itself, or has none.
func AxisTitles(figure Figure, v *View) (across, up string) {
	const clients = "Clients, by group"
	switch figure := figure.(type) {
	case *Curves:
		up = metrics[figure.Metric].title
		if figure.Metric == Loss && v.Classifies() {
			up = "Cross-entropy"
		} else if figure.Metric == Loss {
			up = "Mean squared error"
		}
		return figure.roundTitle(v), up
	case *Sweep:
		return "", sweepTitle(figure.Measure)
	case *Data:
		return "Input", "Output"
	case *Map:
		return figure.title(v), ""
	case *Losses:
		return clients, "Model"
	case *Weights:
		return clients, "Weight of each model"
	case *Answers:
		return "", "Class" // bars are below or beside the square
	case *Rebuilt:
		return "Model", "Client"
	case *Flow:
		return "", "Clients"
	case *Tree:
		return "Round", "Clients"
	case *Spectrum:
		return "Direction", "Singular value"
	}
	return "", ""
}

// title says what distances on a map mean, "" where axes say it.
func (m *Map) title(v *View) string {
	lane := v.lane()
	switch {
	case lane == nil || lane.Map == trace.NoMap || lane.Map == trace.LossPair:
		return ""
	case lane.Map == trace.GradientPlane:
		return "Near = similar " + cmp.Or(m.Near, "updates") + " (no unit)"
	}
	return "Near = similar losses (no unit)"
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
		f := v.frame()
		if f == nil || own(v.lane()) {
			continue
		}
		var match matching
		match.find(v, f)
		for i := range f.Label {
			k := label(f, i)
			wrong = wrong || match.wrong(v, i, k)
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
