package page

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/chart/sweeps"
)

// isSweep reports whether a kind of picture shows the sweep.
func isSweep(kind string) bool { return kind == "sweep" || kind == "heat" }

// sweepMoment says what a picture of the sweep shows: the measure, the round, the settings that were
// varied, the seeds, and whether runs are missing.
func (e *Exporter) sweepMoment(kind string) string {
	view := e.page.jobs().SweepView()
	plan := view.Sweep.Plan
	var over []string
	varied := func(key string) bool {
		return slices.ContainsFunc(plan.Axes, func(x sweep.Axis) bool { return x.Key == key })
	}
	for _, x := range plan.Axes {
		over = append(over, axisText(plan.Base, x))
	}
	where := say.Textf("round %s", plan.Base.Value("T"))
	if varied("T") {
		where = say.Text("the last round")
	}
	sentences := []string{say.Textf("%s in %s, over %s", sweeps.MeasureTitle(view.Measure), where, say.List(over))}
	if missing := view.Unfinished(); missing != "" {
		sentences = append(sentences, say.Textf("Unfinished: %s", missing))
	}
	seeds := say.Count(plan.Seeds, "seed")
	if kind == "sweep" && plan.Seeds > 1 {
		sentences = append(sentences, say.Textf("Means of %s, the same for all values and methods, with one standard "+
			"deviation; small dots are single runs", seeds))
	} else {
		sentences = append(sentences, say.Textf("Means of %s, the same for all values and methods", seeds))
	}
	return say.Join(sentences, ". ")
}

// axisText names a varied setting with its values: "Gap Δφ from 0° to 45° (10 values)".
func axisText(base experiment.Config, x sweep.Axis) string {
	f, ok := base.Field(x.Key)
	if !ok {
		return x.Key
	}
	name := say.Text(f.Label)
	if lane, _, own := strings.Cut(x.Key, "."); own {
		name = say.Textf("%s of %s", name, lane)
	}
	first, last := withUnit(f, x.Values[0]), withUnit(f, x.Values[len(x.Values)-1])
	if len(x.Values) == 1 {
		return name + " " + first
	}
	return say.Textf("%s from %s to %s (%s)", name, first, last, say.Count(len(x.Values), "value"))
}

// withUnit writes a value of a setting with its unit.
func withUnit(f *param.Field, value string) string {
	if f.Unit != "" && f.Unit[0] >= 'a' && f.Unit[0] <= 'z' {
		value += " "
	}
	return value + say.Text(f.Unit)
}

// sweepLink returns the link to the sweep on its sheet.
func (e *Exporter) sweepLink() string {
	b := e.page.jobs()
	link := b.Sweep.Batch.Table.Plan.Base.String()
	if text := b.SweepLink(); text != "" {
		link += "&sweep=" + text
	}
	return e.Home + "?" + link
}

// picturesSweep reports whether the chosen picture is one of the sweep, whose link and settings a
// citation then has.
func (e *Exporter) picturesSweep() bool {
	return isSweep(e.picture.Kind) && e.ChosenPicture().Kind == e.picture.Kind
}
