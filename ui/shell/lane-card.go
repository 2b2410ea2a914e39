package shell

import (
	"html"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"flockscope/sim/draw/scene"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/verdict"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/chart/lane"
	"flockscope/ui/page"
)

// LaneCard shows one method of the run: its map and a figure below.
type LaneCard struct {
	App   *App
	Lane  int
	under []chart.Kind // the figures to choose from below the map
	below string       // the one that is shown
	text  page.StageText
}

// Compute is called before each build.
func (c *LaneCard) Compute() {
	c.under, c.below = c.App.FiguresBelow(c.Lane), c.App.FigureBelow(c.Lane)
	c.text = c.App.StageText(c.Lane)
}

func (c *LaneCard) class() string {
	class := "card lane"
	if c.Lane == c.App.Lane {
		class += " focus"
	}
	return class
}

func (c *LaneCard) running() string { return c.App.Config.Lanes()[c.Lane].Algorithm }

// title is the name of the method.
func (c *LaneCard) title() say.Message { return say.Message(c.App.Title(c.Lane)) }

// label tells two lanes of one algorithm apart, by their own settings if they have some.
func (c *LaneCard) label() string {
	text := c.App.Config.Lanes()[c.Lane].Label
	for _, f := range c.fields() {
		if c.App.Config.Own(c.Lane, f.Name) {
			if text != "" {
				text += " · "
			}
			text += f.Name + "=" + c.App.Config.LaneValue(c.Lane, f.Name)
		}
	}
	return text
}

// fields are the settings that this lane can have of its own.
func (c *LaneCard) fields() []param.Field { return c.App.Config.LaneFields(c.Lane) }

// nodes are the same fields as a tree.
func (c *LaneCard) nodes() []page.Node {
	var fields []*param.Field
	for _, f := range c.fields() {
		fields = append(fields, &f)
	}
	return page.Nest(fields, func(name string) string { return c.App.Config.LaneValue(c.Lane, name) })
}

// legend says what the marks of a figure mean.
func (c *LaneCard) legend(kind string) string {
	k, _ := figures.KindOf(kind)
	if k.Name == "stage" && c.App.HasLiars() {
		return say.Textf("%s · horns: liar", say.Message(k.Hint))
	}
	return k.Hint
}

// scales reports whether the figure is a heat map of losses that shares its colours with
// those of other lanes.
func (c *LaneCard) scales() bool {
	v := c.App.View(c.Lane)
	return c.below == "losses" && v.Run != nil && new(lane.Losses).Shares(&v)
}

func (c *LaneCard) belowClass(name string) string {
	if c.opened() && name == c.below {
		return "tab on"
	}
	return "tab"
}

// opened reports whether the figure below is shown.
func (c *LaneCard) opened() bool {
	return c.App.ShowsFigureBelow() || c.App.Hides("map") && len(c.under) > 0
}

// toggleBelow opens a figure below the stage, or closes it.
func (c *LaneCard) toggleBelow(name string) {
	if c.opened() && name == c.below {
		name = page.Tabs[0]
	}
	c.App.Do(page.ShowTab{Tab: name})
}

func (c *LaneCard) belowTitle() string {
	k, _ := figures.KindOf(c.below)
	return k.Title
}

func (c *LaneCard) toldClass() string {
	switch {
	case c.text.Skipped && c.text.Says != "":
		return "told skipped"
	case c.text.Says != "":
		return "told in-phase"
	}
	return "told"
}

// signs are the outlines beside the verdicts: what is right is filled.
var signs = map[verdict.Kind]string{
	verdict.Start:     `<circle cx="10" cy="10" r="7" stroke-dasharray="3 3"/>`,
	verdict.Right:     `<circle class="solid" cx="10" cy="10" r="9"/><path class="tick" d="m5.5 10.5 3 3 6-7"/>`,
	verdict.Misplaced: `<circle cx="10" cy="10" r="7.5"/>`,
	verdict.Split:     `<path d="M8.5 3a7 7 0 0 0 0 14zM11.5 3a7 7 0 0 1 0 14z"/>`,
	verdict.Shared:    `<circle cx="10" cy="10" r="8"/><circle class="solid" cx="7" cy="10" r="2"/><path class="solid" d="M11 8h4v4h-4z"/>`,
	verdict.Mixed:     `<circle cx="10" cy="10" r="7.5"/><path class="solid" d="M10 2.5a7.5 7.5 0 0 1 0 15z"/>`,
	verdict.Nothing:   `<path d="M4 7.5h12M4 12.5h12"/>`,
	verdict.None:      `<path d="M4 10h12"/>`,
	verdict.Unknown:   `<circle cx="10" cy="10" r="7.5" stroke-dasharray="2 2"/>`,
	verdict.Diverged:  `<path d="m4 4 12 12M16 4 4 16"/>`,
}

func (c *LaneCard) sign() vugu.HTML {
	return vugu.HTML(`<svg viewBox="0 0 20 20" aria-hidden="true">` + signs[c.text.Kind] + "</svg>")
}

// tail is what stands beside the verdict: a few words. A sentence begins the cause instead.
func (c *LaneCard) tail() string {
	if c.tailIsSentence() {
		return ""
	}
	return c.text.Tail
}

func (c *LaneCard) cause() string {
	if c.tailIsSentence() {
		return strings.TrimSpace(c.text.Tail + " " + c.text.Cause)
	}
	return c.text.Cause
}

func (c *LaneCard) tailIsSentence() bool {
	return strings.HasSuffix(c.text.Tail, ".") || strings.HasSuffix(c.text.Tail, "。")
}

// follows names the client whose numbers are shown, "" if there are none.
func (c *LaneCard) follows() string {
	if c.text.Client == "" {
		return ""
	}
	return say.Textf("client %s", chart.Client(c.App.Followed()))
}

// followedMark draws the shape of that client.
func (c *LaneCard) followedMark() vugu.HTML {
	shape, hollow := c.App.FollowedMark(c.Lane)
	class := ` class="solid"`
	if hollow {
		class = ""
	}
	kind := int(shape) % 4
	if shape == scene.Liar {
		kind = 4
	}
	path := [...]string{`<circle cx="10" cy="10" r="6"`, `<path d="M4.7 4.7h10.6v10.6H4.7z"`, `<path d="m10 2.5 7.5 7.5-7.5 7.5L2.5 10z"`,
		`<path d="m10 3 7.5 13h-15z"`, `<path d="m1 1 6 6h6l6-6-2 12-7 6-7-6z"`}[kind]
	return vugu.HTML(`<svg viewBox="0 0 20 20" aria-hidden="true">` + path + class + "/></svg>")
}

// emphasize makes the parts of a text between asterisks bold.
func emphasize(text string) vugu.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "*") {
		if i%2 == 1 {
			part = "<b>" + html.EscapeString(part) + "</b>"
		} else {
			part = html.EscapeString(part)
		}
		b.WriteString(part)
	}
	return vugu.HTML(b.String())
}

func (c *LaneCard) key(name string) string { return c.App.Config.Lanes()[c.Lane].ID() + "." + name }

func (c *LaneCard) removable() bool { return len(c.App.Config.Lanes()) > 1 }

func (c *LaneCard) own() bool {
	return slices.ContainsFunc(c.fields(), func(f param.Field) bool { return c.App.Config.Own(c.Lane, f.Name) })
}

// solidTitle says what the 3-D button does, or why it is disabled.
func (c *LaneCard) solidTitle() string {
	if reason := c.App.FlatOnly(c.Lane); reason != "" {
		return reason
	}
	return "Map in three dimensions (M)"
}
