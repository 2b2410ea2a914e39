package ui

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/ui/export"
)

// Builder is a frame in the making, for a page of somebody's own.
type Builder struct {
	Size     int      // of frameSizes
	Without  []string // of frameViews, left out
	Controls []string // of frameControls and the settings
	All      bool     // all controls, whatever is chosen
	Lanes    int      // 0 for all
	Autoplay bool
	Theme    string
	Kind     int  // of snippetKinds
	Live     bool // the preview runs
}

// A FrameSize is a size that frames come in, in CSS pixels.
type FrameSize struct {
	Title, Doc    string
	width, height int // a width of 0 is the whole column
}

var FrameSizes = []FrameSize{
	{"800 × 450", "a slide, or a wide text", 800, 450},
	{"490 × 294", "a column of a Jupyter Book: one map, one slider", 490, 294},
	{"Full width", "as wide as the text, 600 high", 0, 600},
}

// frameViews and frameControls are the parts that the builder offers.
var (
	FrameViews    = []string{"data", "map", "below", "curves", "story", "caption"}
	FrameControls = []string{"play", "step", "scrub", "speed", "metrics", "settings", "lanes", "share", "export", "open"}
)

// newBuilder begins with what most frames want: play, go back and forth, the
// first setting.
func newBuilder(a *App) Builder {
	b := Builder{Controls: []string{"play", "scrub", "open"}}
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
			if k := n.Field.Kind; (k == param.Int || k == param.Float) && !isControl(n.Field.Name) && len(out) < 8 {
				out = append(out, n.Field)
			}
		}
	}
	return out
}

// Toggle puts a name into a list, or takes it out.
func Toggle(list []string, name string) []string {
	if i := slices.Index(list, name); i >= 0 {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return append(list, name)
}

// WhatIs says what a part is.
func WhatIs(name string) string {
	i := slices.IndexFunc(Parts, func(p Part) bool { return p.Name == name })
	return Parts[i].what
}

// FrameQuery is the text behind the "?" of the frame's address.
func (a *App) FrameQuery() string {
	b := &a.Builder
	f := Embedding{Hide: b.Without, Chosen: !b.All, Lanes: b.Lanes}
	f.Controls = slices.DeleteFunc(slices.Clone(b.Controls), func(name string) bool {
		_, setting := a.Schema.Field(name)
		return setting && !isControl(name) && !a.Config.Reads(name)
	})
	if b.Autoplay {
		f.Autoplay = "1"
	}
	theme := a.Theme
	a.Theme = b.Theme
	var text strings.Builder
	text.WriteString(a.Link() + "&embed=1")
	a.Theme = theme
	f.write(func(key, value string) { text.WriteString("&" + key + "=" + value) })
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
	size := FrameSizes[a.Builder.Size]
	f := export.Frame{Src: a.Home + "?" + a.FrameQuery(), Page: a.Home + "?" + a.Link(), Picture: a.Home + "og.png?" + a.Link(),
		Title: a.FrameTitle(), Width: "100%", Height: itoa(size.height)}
	if size.width > 0 {
		f.Width = itoa(size.width)
	}
	return export.Snippets[a.Builder.Kind].Text(f)
}
