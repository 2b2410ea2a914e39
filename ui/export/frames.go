package export

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/ui/embed"
)

// BeginFrame begins with what most frames want, unless one has begun: play, go back and
// forth, the first setting.
func (e *Exporter) BeginFrame() {
	if e.Builder.Controls != nil {
		return
	}
	e.Builder = embed.Builder{Controls: []string{"play", "scrub", "open"}}
	for _, f := range e.page.Heroes() {
		e.Builder.Controls = append(e.Builder.Controls, f.Name)
	}
}

// FrameSettings are the settings that can be at hand in a frame: those with a
// slider, the first few.
func (e *Exporter) FrameSettings() (out []*param.Field) {
	for _, section := range [...]param.Section{param.Data, param.Models} {
		for _, f := range e.page.Controls(section) {
			if k := f.Kind; (k == param.Int || k == param.Float) && !embed.IsControl(f.Name) && len(out) < 8 {
				out = append(out, f)
			}
		}
	}
	return out
}

// FrameQuery is the text behind the "?" of the frame's address.
func (e *Exporter) FrameQuery() string {
	b := &e.Builder
	f := embed.Options{Hide: b.Without, Chosen: !b.All, Lanes: b.Lanes}
	f.Controls = slices.DeleteFunc(slices.Clone(b.Controls), func(name string) bool {
		_, setting := e.page.Schema().Field(name)
		return setting && !embed.IsControl(name) && !e.page.Config().Reads(name)
	})
	if b.Autoplay {
		f.Autoplay = "1"
	}
	var text strings.Builder
	text.WriteString(e.page.LinkIn(b.Theme) + "&embed=1")
	f.Write(func(key, value string) { text.WriteString("&" + key + "=" + value) })
	return text.String()
}

// FrameTitle is the name of the frame, for those who do not see it.
func (e *Exporter) FrameTitle() string {
	var names []string
	for lane := range e.page.Config().Lanes() {
		names = append(names, e.page.Title(lane))
	}
	title := "Flockscope: " + strings.Join(names, ", ")
	if e.page.Shown() > 0 {
		title += ", round " + strconv.Itoa(e.page.Shown())
	}
	return title
}

// Snippet is the text for pasting that the builder shows.
func (e *Exporter) Snippet() string {
	size := embed.Sizes[e.Builder.Size]
	f := Frame{Src: e.Home + "?" + e.FrameQuery(), Page: e.Home + "?" + e.page.LinkIn(e.page.Theme()), Picture: e.Home +
		"og.png?" + e.page.LinkIn(e.page.Theme()),
		Title: e.FrameTitle(), Width: "100%", Height: strconv.Itoa(size.Height)}
	if size.Width > 0 {
		f.Width = strconv.Itoa(size.Width)
	}
	return Snippets[e.Builder.Kind].Text(f)
}
