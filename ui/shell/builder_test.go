package shell

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/files"
	"flockscope/ui/page"
)

// building is a page with the builder open.
func building(t *testing.T, query string) *App {
	t.Helper()
	a, _ := ready(t, query)
	a.Export.Home = "https://host/sim/"
	a.Do(page.OpenSheet{Name: "embed"})
	return a
}

// What the builder says opens as it says, without a word of complaint.
func TestFrameQuery(t *testing.T) {
	tests := []struct {
		change func(c *EmbedSheet)
		want   string // what follows the link
	}{
		{func(*EmbedSheet) {}, "&embed=1&controls=play,scrub,open,dphi&autoplay=0"},
		{func(c *EmbedSheet) { c.all(); c.kind(3) }, "&embed=1&autoplay=0&keys=0"}, // Reveal.js
		{func(c *EmbedSheet) { c.all() }, "&embed=1&autoplay=0"},
		{func(c *EmbedSheet) { c.control("dphi"); c.control("b") }, "&embed=1&controls=play,scrub,open,b&autoplay=0"},
		{func(c *EmbedSheet) {
			for _, name := range []string{"play", "scrub", "open", "dphi"} {
				c.control(name)
			}
		}, "&embed=1&controls=none&autoplay=0"},
		{func(c *EmbedSheet) { c.all(); c.view("data"); c.view("curves"); c.view("data") }, "&embed=1&hide=curves&autoplay=0"},
		{func(c *EmbedSheet) { c.all(); c.lanes(1); c.autoplay(); c.theme("dark") }, "&theme=dark&embed=1&lanes=1&autoplay=1"},
	}
	for _, tt := range tests {
		a := building(t, "t=14")
		c := &EmbedSheet{App: a}
		tt.change(c)
		rendered(t, a)
		got := a.Export.FrameQuery()
		if got != usual+"&t=14"+tt.want {
			t.Errorf("the frame is %q, want %q", got, usual+"&t=14"+tt.want)
		}
		b := page.New(catalog.Schema(), got)
		if b.Query() != got || len(b.AllNotices())+len(b.ConsoleWarnings) > 0 {
			t.Errorf("the frame %q opens as %q with %q, %q", got, b.Query(), b.AllNotices(), b.ConsoleWarnings)
		}
	}
}

// A setting that the present run does not have is not at hand in its frame.
func TestFrameOfOtherSettings(t *testing.T) {
	a := building(t, "")
	set(t, a, "data", "mix1d")
	if got := a.Export.FrameQuery(); strings.Contains(got, "dphi") {
		t.Errorf("a frame of mix1d has %q", got)
	}
}

// Each place gets what it can take.
func TestSnippets(t *testing.T) {
	const frame = "https://host/sim/?data=linreg&dphi=8&algos=cflgp,ifca&t=14&embed=1&controls=play,scrub,open,dphi&autoplay=0"
	wants := map[string][]string{
		"HTML":      {`<iframe src="` + html.EscapeString(frame) + `" title="Flockscope: CFL-GP, IFCA, round 14" width="800" height="450" loading="lazy"`, `<a href="https://host/sim/?data=linreg&amp;dphi=8`, `allow-scripts allow-same-origin`},
		"Element":   {`<script src="https://host/sim/assets/flockscope-element.js" defer></script>`, `<flock-scope query="data=linreg&amp;dphi=8`},
		"Quarto":    {`data-external="1"`, "```{=html}", `unless-format="html"`, "(https://host/sim/og.png?data=linreg"},
		"Reveal.js": {`<iframe data-src="` + html.EscapeString(frame) + `&amp;keys=0"`, "<section>"},
		"MyST":      {":::{iframe} " + frame, ":placeholder: https://host/sim/og.png?", ":width: 100%"},
		"Notebook":  {"from IPython.display import IFrame", "width=800, height=450)"},
		"Moodle":    {"<iframe src="},
		"Canvas":    {`allowfullscreen="allowfullscreen"`},
	}
	for i, k := range files.Snippets {
		a := building(t, "dphi=8&t=14")
		(&EmbedSheet{App: a}).kind(i)
		text := a.Export.Snippet()
		if len(wants[k.Title]) == 0 {
			t.Errorf("nobody knows what %s wants", k.Title)
		}
		for _, want := range wants[k.Title] {
			if !strings.Contains(text, want) {
				t.Errorf("for %s there is no %s in\n%s", k.Title, want, text)
			}
		}
		if k.Title == "Canvas" && (strings.Contains(text, " allow=") || strings.Contains(text, "loading")) {
			t.Errorf("Canvas takes no such attributes:\n%s", text)
		}
		if k.Doc == "" {
			t.Errorf("nobody says what is special about %s", k.Title)
		}
	}
	a := building(t, "")
	c := &EmbedSheet{App: a}
	c.size(2)
	c.kind(5)
	if got := a.Export.Snippet(); !strings.Contains(got, `width="100%", height=600`) {
		t.Errorf("in full width a notebook has\n%s", got)
	}
}

// A text in a link does not break out of the attribute that it stands in.
func TestSnippetIsSafe(t *testing.T) {
	a := building(t, `algos=cflgp&id=`+url.QueryEscape(`"><script>`))
	for i := range files.Snippets {
		a.Export.Builder.Kind = i
		if got := a.Export.Snippet(); strings.Contains(got, "<script>") {
			t.Errorf("the snippet is\n%s", got)
		}
	}
}

// The builder is closed with its preview.
func TestPreviewEnds(t *testing.T) {
	a := building(t, "")
	(&EmbedSheet{App: a}).live()
	if !strings.Contains(rendered(t, a), "<iframe") {
		t.Error("there is no preview")
	}
	a.Do(page.CloseSheet{})
	a.Do(page.OpenSheet{Name: "embed"})
	if strings.Contains(rendered(t, a), "<iframe") {
		t.Error("the preview runs on its own")
	}
}
