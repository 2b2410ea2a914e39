package ui

import (
	"strings"

	"flockscope/sim/param"
)

// Root is the whole page.
type Root struct {
	App *App
}

// class tells the style sheet what is open and what is shown.
func (c *Root) class() string {
	words := []string{"app", "tab-" + c.App.Tab, "lanes-" + itoa(len(c.App.Config.Lanes()))}
	if c.App.Embed {
		words = append(words, "embed")
	}
	if c.App.Problem != "" && c.App.Run == nil {
		words = append(words, "no-engine")
	}
	if c.App.Drawer {
		words = append(words, "drawer-open")
	}
	return strings.Join(words, " ")
}

func (c *Root) tabs() []string { return tabs }

func (c *Root) tabClass(tab string) string {
	if tab == c.App.Tab {
		return "tab on"
	}
	return "tab"
}

func (c *Root) pick(tab string) {
	c.App.Tab = tab
	c.App.OnChange(Shell | Figures | Link)
}

func (c *Root) laneClass(lane int) string {
	if lane == c.App.Lane {
		return "chip on"
	}
	return "chip"
}

// hero is the one setting that stays at hand where there is no room for the
// panel: the first with a slider.
func (c *Root) hero() *param.Field {
	for _, f := range c.App.Controls(param.Data, false) {
		if f.Kind == param.Int || f.Kind == param.Float {
			return f
		}
	}
	return nil
}
