package export

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/sweep"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
)

// Pictures for papers and slides. assets/paper.js lays them out; here is what it is told.

// A Choice is a choice of how pictures look, among options with names of their own.
type Choice struct {
	ID, Title string
	Options   [][2]string // a name, which paper.js knows, and a title
}

// Choices are all there are; the first option of each is the default.
var Choices = []Choice{
	{"size", "Size", [][2]string{{"screen", "As on screen"}, {"one", "One column (85 mm)"}, {"two", "Two columns (180 mm)"},
		{"slide", "Slide (16:9)"}}},
	{"palette", "Colours", [][2]string{{"colour", "Colours as on screen"}, {"grey", "Colours that differ in grey"}}},
	{"with", "With", [][2]string{{"caption", "With a caption"}, {"figure", "Without a caption"},
		{"caption playhead", "With caption and playhead"}, {"caption playhead help", "With caption, playhead and help"}}},
}

// Option is the name of the option of a choice that is in force.
func (e *Exporter) Option(choice int) string { return Choices[choice].Options[e.options[choice]][0] }

// all is the kind of the joint picture of all lanes.
const all = "all"

// Paper says of a picture all that assets/paper.js wants to know.
func (e *Exporter) Paper(p Picture) map[string]any {
	theme := e.PaperTheme()
	box := p.Box()
	k, known := figures.KindOf(p.Kind)
	config, title, lanes := e.page.Config(), p.Title, []any{}
	shown, main := []int{}, []any{}
	for i := range config.Lanes() {
		lanes, main = append(lanes, e.page.Title(i)), append(main, e.page.Main(i))
		if !known || (k.Of == chart.OfMap || k.Of == chart.OfLane) && i == p.Lane ||
			k.Of == chart.OfData && i == e.page.Lane() {
			shown = append(shown, e.page.View(i).Lane)
		}
	}
	facts := map[string]any{
		"kind": p.Kind, "lane": p.Lane, "hint": k.Hint, "w": box.W, "h": box.H, "name": e.fileName(e.Slug(p)),
		"size": e.Option(0), "with": e.Option(2), "palette": texts(theme.Palette()),
		"round": e.page.Shown(), "rounds": e.page.Run().Header.Rounds, "result": e.result(), "link": e.link(),
		"lanes": lanes, "main": main,
	}
	var varied []sweep.Axis
	switch swept := e.page.Sweep(); {
	case !known: // the joint picture, whose maps say themselves how to read them
		var hints []string
		for _, kind := range main {
			if k, _ := figures.KindOf(kind.(string)); k.Hint != "" && k.Of == chart.OfLane &&
				!slices.Contains(hints, k.Hint) {
				hints = append(hints, k.Hint)
			}
		}
		facts["hint"] = strings.Join(hints, "; ")
	case k.Of == chart.OfData:
		title += ": models of " + e.page.Title(e.page.Lane())
	case k.Of == chart.OfLanes:
		facts["lines"] = lanes
	case p.Kind == "sweep":
		facts["lines"] = texts(swept.Titles)
		fallthrough
	case p.Kind == "heat":
		config, varied = swept.Sweep.Plan.Base, swept.Sweep.Plan.Axes
		facts["seeds"], facts["result"] = swept.Sweep.Plan.Seeds, ""
	}
	view := e.page.View(e.page.Lane())
	facts["title"] = title
	facts["groups"], facts["models"], facts["wrong"] = chart.Key(&view, p.Kind, shown)

	settings := []any{"Data\t" + config.Workload()} // names and values
	for i := range e.page.Schema().Workloads {
		if w := &e.page.Schema().Workloads[i]; w.Name == config.Workload() {
			settings[0] = "Data\t" + w.Title
		}
	}
	add := func(key, value string) {
		f, ok := config.Field(key)
		if !ok || key == "T" || slices.ContainsFunc(varied, func(x sweep.Axis) bool { return x.Key == key }) {
			return // the picture or its caption has it anyway
		}
		if i := slices.IndexFunc(f.Options, func(o param.Option) bool { return o.Name == value }); i >= 0 {
			value = f.Options[i].Title
		}
		text := f.Label + "\t" + value
		if lane, _, ok := strings.Cut(key, "."); ok {
			text = lane + ", " + text
		}
		if f.Unit != "" && f.Unit[0] >= 'a' && f.Unit[0] <= 'z' {
			text += " "
		}
		settings = append(settings, text+f.Unit)
	}
	for pair := range strings.SplitSeq(config.String(), "&") {
		if key, value, _ := strings.Cut(pair, "="); !config.IsSeed(key) {
			add(key, value)
		}
	}
	for _, f := range e.page.Schema().Seeds {
		add(f.Name, config.Value(f.Name))
	}
	facts["settings"] = settings
	return facts
}

// texts are texts as the browser takes them.
func texts(list []string) (out []any) {
	for _, text := range list {
		out = append(out, text)
	}
	return out
}
