package shell

import (
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/say"
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
}

// Compute is called before each build.
func (c *LaneCard) Compute() {
	c.under, c.below = c.App.FiguresBelow(c.Lane), c.App.FigureBelow(c.Lane)
}

func (c *LaneCard) class() string {
	class := "card lane"
	if c.Lane == c.App.Lane {
		class += " focus"
	}
	if c.App.HasNoMap(c.Lane) {
		class += " mapless"
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

// belowHint says how to read the figure.
func (c *LaneCard) belowHint() string {
	k, _ := figures.KindOf(c.below)
	return k.Hint
}

// scales reports whether the figure is a heat map of losses that shares its colours with
// those of other lanes.
func (c *LaneCard) scales() bool {
	v := c.App.View(c.Lane)
	return c.below == "losses" && v.Run != nil && new(lane.Losses).Shares(&v)
}

func (c *LaneCard) belowClass(name string) string {
	if name == c.below {
		return "tab on"
	}
	return "tab"
}

// all are the figures to choose from where a lane has room for one: its map and those
// below it.
func (c *LaneCard) all() []chart.Kind {
	if k, _ := figures.KindOf("map"); !c.App.Hides("map") && !c.App.HasNoMap(c.Lane) {
		return append([]chart.Kind{k}, c.under...)
	}
	return c.under
}

// alone is the one of them that is shown.
func (c *LaneCard) alone() string {
	if c.App.ShowsFigureBelow() || c.App.Hides("map") || c.App.HasNoMap(c.Lane) {
		return c.below
	}
	return "map"
}

func (c *LaneCard) aloneClass(name string) string {
	if name == c.alone() {
		return "tab on"
	}
	return "tab"
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
