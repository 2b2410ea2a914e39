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

// Pictures for papers and slides. assets/paper.js lays them out; here is what it is told.

// A ExportChoice is a choice of how pictures look, among options with names of their own.
type ExportChoice struct {
	ID, Title string
	Options   [][2]string // a name, which paper.js knows, and a title
}

// ExportChoices are all there are; the first option of each is the default.
var ExportChoices = []ExportChoice{
	{"size", "Size", [][2]string{{"screen", "As on screen"}, {"one", "One column (85 mm)"}, {"two", "Two columns (180 mm)"},
		{"slide", "Slide (16:9)"}}},
	{"palette", "Colours", [][2]string{{"colour", "Colours as on screen"}, {"grey",
		"Colours distinguishable in grey"}}},
	{"with", "With", [][2]string{{"caption", "With a caption"}, {"figure", "Without a caption"},
		{"caption playhead", "With caption and playhead"}, {"caption playhead help", "With caption, playhead and help"}}},
}

// Option is the name of the option of a choice that is in force.
func (e *Exporter) Option(choice int) string {
	return ExportChoices[choice].Options[e.options[choice]][0]
}

// all is the kind of the joint picture of all lanes.
const all = "all"

// Paper says of a picture all that assets/paper.js wants to know.
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
	var lines []string // that have a legend
	var varied []sweep.Axis
	hint, result, rounds := say.Text(k.Hint), e.result(), e.page.Run.Header.Rounds
	moment := say.Textf("Round %d of %d", e.page.Shown(), rounds)
	if p.Kind == "curves" || p.Kind == "tree" {
		moment = say.Count(rounds, "round")
	}
	swept := p.Kind == "sweep" || p.Kind == "heat"
	switch {
	case swept:
		view := e.page.jobs().SweepView()
		plan := view.Sweep.Plan
		config, varied, result = plan.Base, plan.Axes, ""
		if moment = say.Textf("Mean of up to %s", say.Count(plan.Seeds, "seed")); p.Kind == "sweep" {
			lines = view.Titles
			moment = say.Textf("Mean of up to %s, with one standard deviation", say.Count(plan.Seeds, "seed"))
		}
	case !known: // the joint picture, whose maps say themselves how to read them
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
	sentences := []string{joined(": ", title, hint, say.Join(lines, ", ")), moment, e.settings(config, varied)}
	if result != "" {
		sentences = append(sentences, say.Textf("Result %s", result))
	}
	facts := map[string]any{
		"kind": p.Kind, "lane": p.Lane, "w": box.W, "h": box.H, "name": e.fileName(e.Slug(p)),
		"size": e.Option(0), "with": e.Option(2), "palette": texts(theme.Palette()), "link": e.link(),
		"lanes": texts(lanes), "main": texts(main), "title": title, "heading": heading,
		"caption": say.Textf("%s.", say.Join(sentences, ". ")),
	}
	if lines != nil {
		facts["lines"] = texts(lines)
	}
	view := e.page.View(e.page.Lane)
	facts["groups"], facts["models"], facts["wrong"] = chart.LegendEntries(&view, p.Kind, shown)
	return facts
}

// joined joins texts as [say.Join] does, but for those that are empty.
func joined(mark string, all ...string) string {
	return say.Join(slices.DeleteFunc(all, func(text string) bool { return text == "" }), mark)
}

// settings are the data and the settings of an experiment that are not as usual, but for
// those that a sweep varies, and the seeds.
func (e *Exporter) settings(config experiment.Config, varied []sweep.Axis) string {
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
			return // the picture or its caption has it anyway
		}
		if i := slices.IndexFunc(f.Options, func(o param.Option) bool { return o.Name == value }); i >= 0 {
			value = say.Text(f.Options[i].Title)
		}
		if f.Unit != "" && f.Unit[0] >= 'a' && f.Unit[0] <= 'z' {
			value += " "
		}
		text := say.Textf("%s: %s", say.Message(f.Label), value+say.Text(f.Unit))
		if lane, _, ok := strings.Cut(key, "."); ok {
			text = say.Textf("%s, %s", lane, text)
		}
		all = append(all, text)
	}
	for pair := range strings.SplitSeq(config.String(), "&") {
		if key, value, _ := strings.Cut(pair, "="); !config.IsSeed(key) {
			add(key, value)
		}
	}
	for _, f := range e.page.Schema.Seeds {
		add(f.Name, config.Value(f.Name))
	}
	return say.Join(all, "; ")
}

// texts are texts as the browser takes them.
func texts(list []string) (out []any) {
	for _, text := range list {
		out = append(out, text)
	}
	return out
}
