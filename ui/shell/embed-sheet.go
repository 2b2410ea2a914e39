package shell

import (
	"slices"

	"flockscope/sim/say"
	"flockscope/ui/page"
)

// EmbedSheet builds a frame for another page.
type EmbedSheet struct {
	App *App
}

// change changes the frame that is being built.
func (c *EmbedSheet) change(f func(b *page.FrameBuilder)) {
	b := c.App.Export.Builder
	f(&b)
	c.App.Do(page.EditFrame{Builder: b})
}

func chip(on bool) string {
	if on {
		return "pill on"
	}
	return "pill"
}

func (c *EmbedSheet) size(i int)  { c.change(func(b *page.FrameBuilder) { b.Size = i }) }
func (c *EmbedSheet) kind(i int)  { c.change(func(b *page.FrameBuilder) { b.Kind = i }) }
func (c *EmbedSheet) lanes(n int) { c.change(func(b *page.FrameBuilder) { b.Lanes = n }) }

func (c *EmbedSheet) shows(view string) bool {
	return !slices.Contains(c.App.Export.Builder.Without, view)
}

func (c *EmbedSheet) view(name string) {
	c.change(func(b *page.FrameBuilder) { b.Without = page.Toggle(b.Without, name) })
}

func (c *EmbedSheet) has(control string) bool {
	return c.App.Export.Builder.All || slices.Contains(c.App.Export.Builder.Controls, control)
}

func (c *EmbedSheet) control(name string) {
	c.change(func(b *page.FrameBuilder) { b.Controls = page.Toggle(b.Controls, name) })
}

func (c *EmbedSheet) all() {
	c.change(func(b *page.FrameBuilder) { b.All = !b.All })
}

func (c *EmbedSheet) autoplay() {
	c.change(func(b *page.FrameBuilder) { b.Autoplay = !b.Autoplay })
}

func (c *EmbedSheet) theme(name string) {
	c.change(func(b *page.FrameBuilder) { b.Theme = name })
}

func (c *EmbedSheet) live() {
	c.change(func(b *page.FrameBuilder) { b.Live = !b.Live })
}

func (c *EmbedSheet) liveWords() string {
	if c.App.Export.Builder.Live {
		return "Stop the preview"
	}
	return "Preview"
}

// laneWords says how many methods are shown side by side.
func laneWords(n int) string {
	if n == 0 {
		return "methods: all"
	}
	return say.Textf("methods: %d", n)
}

// laneCounts are the possible numbers of lanes side by side, 0 for all of them.
func (c *EmbedSheet) laneCounts() []int {
	out := []int{0}
	for n := 1; n < len(c.App.Config.Lanes()); n++ {
		out = append(out, n)
	}
	return out
}

func themeName(theme string) string {
	if theme == "" {
		return "system"
	}
	return theme
}

// previewClass is the frame's size in the style sheet.
func (c *EmbedSheet) previewClass() string { return "preview size-" + itoa(c.App.Export.Builder.Size) }
