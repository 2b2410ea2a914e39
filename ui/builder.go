package ui

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/ui/embed"
	"flockscope/ui/export"
)

// newBuilder begins with what most frames want: play, go back and forth, the
// first setting.
func newBuilder(a *App) embed.Builder {
	b := embed.Builder{Controls: []string{"play", "scrub", "open"}}
	for _, f := range a.Heroes() {
		b.Controls = append(b.Controls, f.Name)
	}
	return b
}

// FrameSettings are the settings that can be at hand in a frame: those with a
// slider, the first few.
func (a *App) FrameSettings() (out []*param.Field) {
	for _, section := range [...]param.Section{param.Data, param.Models} {
		for _, n := range a.Controls(section, false) {
			if k := n.Field.Kind; (k == param.Int || k == param.Float) && !embed.IsControl(n.Field.Name) && len(out) < 8 {
				out = append(out, n.Field)
			}
		}
	}
	return out
}

// FrameQuery is the text behind the "?" of the frame's address.
func (a *App) FrameQuery() string {
	b := &a.Builder
	f := embed.Options{Hide: b.Without, Chosen: !b.All, Lanes: b.Lanes}
	f.Controls = slices.DeleteFunc(slices.Clone(b.Controls), func(name string) bool {
		_, setting := a.Schema.Field(name)
		return setting && !embed.IsControl(name) && !a.Config.Reads(name)
	})
	if b.Autoplay {
		f.Autoplay = "1"
	}
	theme := a.Theme
	a.Theme = b.Theme
	var text strings.Builder
	text.WriteString(a.Link() + "&embed=1")
	a.Theme = theme
	f.Write(func(key, value string) { text.WriteString("&" + key + "=" + value) })
	return text.String()
}

// FrameTitle is the name of the frame, for those who do not see it.
func (a *App) FrameTitle() string {
	var names []string
	for lane := range a.Config.Lanes() {
		names = append(names, a.Title(lane))
	}
	title := "Flockscope: " + strings.Join(names, ", ")
	if a.Shown() > 0 {
		title += ", round " + itoa(a.Shown())
	}
	return title
}

// Snippet is the text for pasting that the builder shows.
func (a *App) Snippet() string {
	size := embed.Sizes[a.Builder.Size]
	f := export.Frame{Src: a.Home + "?" + a.FrameQuery(), Page: a.Home + "?" + a.Link(), Picture: a.Home + "og.png?" + a.Link(),
		Title: a.FrameTitle(), Width: "100%", Height: itoa(size.Height)}
	if size.Width > 0 {
		f.Width = itoa(size.Width)
	}
	return export.Snippets[a.Builder.Kind].Text(f)
}
