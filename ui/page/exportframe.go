package page

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/ui/files"
)

// BeginFrame gives a new frame its usual controls: play, timeline, link and the first setting.
func (e *Exporter) BeginFrame() {
	if e.Builder.Controls != nil {
		return
	}
	e.Builder = FrameBuilder{Controls: []string{"play", "scrub", "open"}}
	for _, f := range e.page.MainSettings() {
		e.Builder.Controls = append(e.Builder.Controls, f.Name)
	}
}

// FrameSettings returns the settings that the builder offers as controls: the first eight that have
// a slider.
func (e *Exporter) FrameSettings() (out []*param.Field) {
	for _, section := range [...]param.Section{param.Data, param.Models} {
		for _, n := range e.page.Settings.Controls(section, false) {
			f := n.Field
			if k := f.Kind; (k == param.Int || k == param.Float) && !IsControl(f.Name) && len(out) < 8 {
				out = append(out, f)
			}
		}
	}
	return out
}

// FrameQuery returns the query of the frame's address.
func (e *Exporter) FrameQuery() string {
	b := &e.Builder
	f := FrameOptions{Hide: b.Without, Chosen: !b.All, Lanes: b.Lanes}
	f.Controls = slices.DeleteFunc(slices.Clone(b.Controls), func(name string) bool {
		_, setting := e.page.Schema.Field(name)
		return setting && !IsControl(name) && !e.page.Config.Reads(name)
	})
	f.Autoplay = "0" // reveal.js would start it when its slide appears
	if b.Autoplay {
		f.Autoplay = "1"
	}
	f.NoKeys = files.Snippets[b.Kind].Slides
	var text strings.Builder
	text.WriteString(e.page.link(b.Theme) + "&embed=1")
	f.Write(func(key, value string) { text.WriteString("&" + key + "=" + value) })
	return text.String()
}

// FrameTitle returns the title of the frame for screen readers.
func (e *Exporter) FrameTitle() string {
	var names []string
	for lane := range e.page.Config.Lanes() {
		names = append(names, e.page.Title(lane))
	}
	title := "Flockscope: " + strings.Join(names, ", ")
	if e.page.Shown() > 0 {
		title += ", round " + strconv.Itoa(e.page.Shown())
	}
	return title
}

// Snippet returns the text that embeds the frame.
func (e *Exporter) Snippet() string {
	size := FrameSizes[e.Builder.Size]
	f := files.Frame{Src: e.Home + "?" + e.FrameQuery(), Page: e.Home + "?" + e.page.link(e.page.Theme), Picture: e.Home +
		"og.png?" + e.page.link(e.page.Theme),
		Title: e.FrameTitle(), Width: "100%", Height: strconv.Itoa(size.Height)}
	if size.Width > 0 {
		f.Width = strconv.Itoa(size.Width)
	}
	return files.Snippets[e.Builder.Kind].Text(f)
}
