package page

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
)

// Pictures for papers and slides. This file has the texts and options; assets/paper.js makes the
// layout.

// ExportChoice is a choice of how pictures look.
type ExportChoice struct {
	ID, Title string
	Options   [][2]string // name in paper.js, and title
}

// ExportChoices are all choices; the first option of each is the default.
var ExportChoices = []ExportChoice{
	{"size", "Size", [][2]string{{"screen", "As on screen"}, {"one", "One column (85 mm)"}, {"two", "Two columns (180 mm)"},
		{"slide", "Slide (16:9)"}}},
	{"palette", "Colours", [][2]string{{"colour", "Colours as on screen"}, {"grey",
		"Colours distinguishable in grey"}}},
	{"with", "With", [][2]string{{"caption", "With a caption"}, {"figure", "Without a caption"},
		{"caption playhead", "With caption and playhead"}, {"caption playhead help", "With caption, playhead and help"}}},
}

// Option returns the name of the selected option of a choice.
func (e *Exporter) Option(choice int) string {
	return ExportChoices[choice].Options[e.options[choice]][0]
}

// allLanes is the kind of the picture that combines all lanes.
const allLanes = "all"

// Paper returns the properties of a picture that assets/paper.js needs.
func (e *Exporter) Paper(p Picture) map[string]any {
	theme := e.PaperTheme()
	box := p.Box()
	k, known := figures.KindOf(p.Kind)
	config, title, lanes := e.page.Config, p.Title, []string{}
	shown, main := []int{}, []string{}
	for i := range config.Lanes() {
		lanes, main = append(lanes, say.Text(e.page.Title(i))), append(main, e.page.mainFigure(i))
		if !known || (k.Of == chart.OfMap || k.Of == chart.OfLane) && i == p.Lane ||
			k.Of == chart.OfData && i == e.page.Lane {
			shown = append(shown, e.page.View(i).Lane)
		}
	}
	var lines []string // names of lines in the legend
	var varied []sweep.Axis
	seeds := 1
	hint, result, rounds := say.Text(k.Hint), e.resultText(), e.page.Run.Header.Rounds
	moment := say.Textf("Round %d of %d", e.page.Shown(), rounds)
	if p.Kind == "curves" || p.Kind == "tree" {
		moment = say.Count(rounds, "round")
	}
	swept, link := isSweep(p.Kind), e.pageLink()
	switch {
	case swept:
		view := e.page.jobs().SweepView()
		plan := view.Sweep.Plan
		config, varied, seeds, result = plan.Base, plan.Axes, plan.Seeds, ""
		if moment, link = e.sweepMoment(p.Kind), e.sweepLink(); p.Kind == "sweep" {
			lines = view.Titles
		}
	case !known: // the combined picture, whose maps have their own help
		var hints []string
		for _, kind := range main {
			if k, _ := figures.KindOf(kind); k.Hint != "" && k.Of == chart.OfLane &&
				!slices.Contains(hints, say.Text(k.Hint)) {
				hints = append(hints, say.Text(k.Hint))
			}
		}
		hint = say.Join(hints, "; ")
	case k.Of == chart.OfData:
		title = say.Textf("%s: models of %s", title, say.Message(e.page.Title(e.page.Lane)))
	case k.Of == chart.OfLanes:
		lines = lanes
	}
	heading := title
	if !swept {
		heading = say.Textf("%s, round %d", title, e.page.Shown())
	}
	sentences := []string{joinNonEmpty(": ", title, hint, say.Join(lines, ", ")), moment,
		e.settingsText(config, varied, seeds)}
	if result != "" {
		sentences = append(sentences, say.Textf("Result %s", result))
	}
	facts := map[string]any{
		"kind": p.Kind, "lane": p.Lane, "w": box.W, "h": box.H, "name": e.fileName(e.Slug(p)),
		"size": e.Option(0), "with": e.Option(2), "palette": anySlice(theme.Palette()), "link": link,
		"lanes": anySlice(lanes), "main": anySlice(main), "title": title, "heading": heading,
		"caption": say.Textf("%s.", say.Join(sentences, ". ")),
	}
	if lines != nil {
		facts["lines"] = anySlice(lines)
	}
	view := e.page.View(e.page.Lane)
	facts["groups"], facts["models"], facts["wrong"] = chart.LegendEntries(&view, p.Kind, shown)
	return facts
}

// joinNonEmpty joins the texts that are not empty, as [say.Join] does.
func joinNonEmpty(mark string, all ...string) string {
	return say.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), mark)
}

// settingsText lists the data, the settings that differ from the default, and the seeds. Of a sweep it
// lists all main settings except those that vary, and the first and the last seed.
func (e *Exporter) settingsText(config experiment.Config, varied []sweep.Axis, seeds int) string {
	data := config.Workload()
	for i := range e.page.Schema.Workloads {
		if w := &e.page.Schema.Workloads[i]; w.Name == data {
			data = w.Title
			break
		}
	}
	all := []string{say.Textf("%s: %s", say.Message("Data"), say.Message(data))}
	add := func(key, value string) {
		f, ok := config.Field(key)
		if !ok || key == "T" || slices.ContainsFunc(varied, func(x sweep.Axis) bool { return x.Key == key }) {
			return // the picture or its caption has it
		}
		if i := slices.IndexFunc(f.Options, func(o param.Option) bool { return o.Name == value }); i >= 0 {
			value = say.Text(f.Options[i].Title)
		}
		text := say.Textf("%s: %s", say.Message(f.Label), withUnit(f, value))
		if lane, _, ok := strings.Cut(key, "."); ok {
			text = say.Textf("%s, %s", lane, text)
		}
		all = append(all, text)
	}
	var changed []string
	for pair := range strings.SplitSeq(config.String(), "&") {
		if key, value, _ := strings.Cut(pair, "="); !config.IsSeed(key) {
			add(key, value)
			changed = append(changed, key)
		}
	}
	for _, f := range config.Active() {
		if len(varied) > 0 && !f.Advanced && !config.IsSeed(f.Name) && !slices.Contains(changed, f.Name) {
			add(f.Name, config.Value(f.Name))
		}
	}
	for _, f := range e.page.Schema.Seeds {
		value := config.Value(f.Name)
		if seeds > 1 {
			value = say.Textf("%s to %s", value, config.Reseeded(seeds-1).Value(f.Name))
		}
		add(f.Name, value)
	}
	return say.Join(all, "; ")
}

// anySlice converts texts for package syscall/js.
func anySlice(list []string) (out []any) {
	for _, text := range list {
		out = append(out, text)
	}
	return out
}
