package shell

import (
	"slices"

	"flockscope/sim/say"
	"flockscope/ui/page"
	"flockscope/ui/host"
)

// EmbedSheet builds a frame for a page of somebody's own.
type EmbedSheet struct {
	App *page.State
}

// change tells the page that the builder has changed.
func (c *EmbedSheet) change() {
	c.App.Export.Took = ""
	c.App.Host.Change(host.Shell)
}

func chip(on bool) string {
	if on {
		return "pill on"
	}
	return "pill"
}

func (c *EmbedSheet) size(i int)  { c.App.Export.Builder.Size = i; c.change() }
func (c *EmbedSheet) kind(i int)  { c.App.Export.Builder.Kind = i; c.change() }
func (c *EmbedSheet) lanes(n int) { c.App.Export.Builder.Lanes = n; c.change() }

func (c *EmbedSheet) shows(view string) bool {
	return !slices.Contains(c.App.Export.Builder.Without, view)
}

func (c *EmbedSheet) view(name string) {
	c.App.Export.Builder.Without = page.Toggle(c.App.Export.Builder.Without, name)
	c.change()
}

func (c *EmbedSheet) has(control string) bool {
	return c.App.Export.Builder.All || slices.Contains(c.App.Export.Builder.Controls, control)
}

func (c *EmbedSheet) control(name string) {
	c.App.Export.Builder.Controls = page.Toggle(c.App.Export.Builder.Controls, name)
	c.change()
}

func (c *EmbedSheet) all() {
	c.App.Export.Builder.All = !c.App.Export.Builder.All
	c.change()
}

func (c *EmbedSheet) autoplay() {
	c.App.Export.Builder.Autoplay = !c.App.Export.Builder.Autoplay
	c.change()
}

func (c *EmbedSheet) theme(name string) {
	c.App.Export.Builder.Theme = name
	c.change()
}

func (c *EmbedSheet) live() {
	c.App.Export.Builder.Live = !c.App.Export.Builder.Live
	c.change()
}

func (c *EmbedSheet) liveWords() string {
	if c.App.Export.Builder.Live {
		return "Stop the preview"
	}
	return "Try it here"
}

// laneWords say how many lanes there are side by side.
func laneWords(n int) string {
	if n == 0 {
		return "lanes: all"
	}
	return say.Textf("lanes: %d", n)
}

// laneCounts are how many lanes there can be side by side, 0 for all of them.
func (c *EmbedSheet) laneCounts() []int {
	out := []int{0}
	for n := 1; n < len(c.App.Config.Lanes()); n++ {
		out = append(out, n)
	}
	return out
}

func themeName(theme string) string {
	if theme == "" {
		return "as the system"
	}
	return theme
}

// previewClass is the frame's size in the style sheet.
func (c *EmbedSheet) previewClass() string { return "preview size-" + itoa(c.App.Export.Builder.Size) }
