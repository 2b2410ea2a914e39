package ui

import "strings"

// A SnippetKind is a place that a frame can be pasted into, and how it wants it.
type SnippetKind struct {
	Title, Doc string
	text       func(f snippet) string
}

// snippet is what a text for pasting is made of; see each platform's own manual
// for why it looks as it does.
type snippet struct {
	src, page, picture string // the frame, the same for a window, and a picture of it
	title              string
	width, height      string // width is "100%" or a number
}

var SnippetKinds = []SnippetKind{
	{"HTML", "For any page that you write yourself, and for Sphinx, whose MyST takes HTML but knows no frames.", func(f snippet) string {
		return "<figure>\n " + f.frame(`src`, ` loading="lazy" style="border:0;max-width:100%"`) + "\n " +
			`<figcaption><a href="` + attribute(f.page) + `">Open the simulator</a></figcaption>` + "\n</figure>"
	}},
	{"Element", "The script wraps the frame, fits its height and passes events on.", func(f snippet) string {
		home, _, _ := strings.Cut(f.src, "?")
		style := ""
		if f.width != "100%" { // it is as wide as the text by itself
			style = `" style="max-width:` + f.width + `px`
		}
		return `<script src="` + attribute(home) + `assets/flockscope-element.js" defer></script>` + "\n" +
			`<flock-scope query="` + attribute(strings.TrimPrefix(f.src, home+"?")) + `" title="` + attribute(f.title) + `" height="` + f.height + style + `"></flock-scope>`
	}},
	{"Quarto", "data-external keeps the frame alive when the document is self-contained; other formats get the picture.", func(f snippet) string {
		return "::: {.content-visible when-format=\"html\"}\n```{=html}\n" + f.frame(`data-external="1" src`, ` style="border:0;max-width:100%"`) +
			"\n```\n:::\n::: {.content-visible unless-format=\"html\"}\n[![" + f.title + "](" + f.picture + ")](" + f.page + ")\n:::"
	}},
	{"Reveal.js", "Loads with its slide, plays when the slide comes and pauses when it goes. Add data-preload to load it a few slides ahead.", func(f snippet) string {
		return "<section>\n " + f.frame(`data-src`, ` style="border:0"`) + "\n</section>"
	}},
	{"MyST", "Jupyter Book 2. The theme sets the height; in print there is the picture.", func(f snippet) string {
		return ":::{iframe} " + f.src + "\n:width: 100%\n:title: " + f.title + "\n:placeholder: " + f.picture + "\n[Open the simulator](" + f.page + ")\n:::"
	}},
	{"Notebook", "A cell of a Jupyter notebook.", func(f snippet) string {
		width := f.width
		if width == "100%" {
			width = `"100%"`
		}
		return "from IPython.display import IFrame\nIFrame(\"" + f.src + "\", width=" + width + ", height=" + f.height + ")"
	}},
	{"Moodle", "Paste this into the HTML view of a Page or of an activity's introduction. Forums and wikis take frames away. A picture that does not move means that the editor took scripts away from the frame; whoever runs the site can allow this address.", func(f snippet) string {
		return f.frame(`src`, ` style="border:0;max-width:100%"`) + "\n" + `<p><a href="` + attribute(f.page) + `">Open the simulator</a></p>`
	}},
	{"Canvas", "Paste this into the HTML editor of a Page. Canvas drops some attributes; the frame does without them. A picture that does not move means that the editor took scripts away from the frame; whoever runs the site can allow this address.", func(f snippet) string {
		return `<iframe src="` + attribute(f.src) + `" title="` + attribute(f.title) + `" width="` + f.width + `" height="` + f.height +
			`" style="border:0" allowfullscreen="allowfullscreen"></iframe>` + "\n" + `<p><a href="` + attribute(f.page) + `">Open the simulator</a></p>`
	}},
}

// frame is the iframe itself. Whatever a platform takes away of it, it works.
func (f snippet) frame(src, more string) string {
	return `<iframe ` + src + `="` + attribute(f.src) + `" title="` + attribute(f.title) + `" width="` + f.width + `" height="` + f.height + `"` + more +
		` allow="fullscreen; clipboard-write" allowfullscreen sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"></iframe>`
}

// attribute escapes a text for an attribute in quotation marks.
func attribute(text string) string { return attributes.Replace(text) }

var attributes = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// Snippet is the text for pasting that the builder shows.
func (a *App) Snippet() string {
	size := FrameSizes[a.Builder.Size]
	f := snippet{src: a.Home + "?" + a.FrameQuery(), page: a.Home + "?" + a.Link(), picture: a.Home + "og.png?" + a.Link(),
		title: a.FrameTitle(), width: "100%", height: itoa(size.height)}
	if size.width > 0 {
		f.width = itoa(size.width)
	}
	return SnippetKinds[a.Builder.Kind].text(f)
}
