package files

import "strings"

// Snippet is a platform into which frames can be pasted, and the text for it.
type Snippet struct {
	Title, Doc string
	Text       func(f Frame) string
	Slides     bool // the keys must stay with the slides
}

// Frame has the parts of a snippet. The manual of each platform explains its form.
type Frame struct {
	Src, Page, Picture string // address of the frame, of the page in a window, and of a picture
	Title              string
	Width, Height      string // "100%" or a number
}

// Snippets are all platforms.
var Snippets = []Snippet{
	{Title: "HTML", Doc: "For any page that you write yourself, and for Sphinx: MyST accepts HTML and has no directive for " +
		"frames.", Text: func(f Frame) string {
		return "<figure>\n " + f.frame(`src`, ` loading="lazy" style="border:0;max-width:100%"`) + "\n " +
			`<figcaption><a href="` + attribute(f.Page) + `">Open the simulator</a></figcaption>` + "\n</figure>"
	}},
	{Title: "Element", Doc: "The script wraps the frame, fits its height and passes events on.", Text: func(f Frame) string {
		home, _, _ := strings.Cut(f.Src, "?")
		style := ""
		if f.Width != "100%" { // its default is the width of the text
			style = `" style="max-width:` + f.Width + `px`
		}
		return `<script src="` + attribute(home) + `assets/flockscope-element.js" defer></script>` + "\n" +
			`<flock-scope query="` + attribute(strings.TrimPrefix(f.Src, home+"?")) + `" title="` + attribute(f.Title) + `" height="` + f.Height + style + `"></flock-scope>`
	}},
	{Title: "Quarto", Doc: "data-external keeps the frame alive when the document is self-contained; other formats get the picture.", Text: func(f Frame) string {
		return "::: {.content-visible when-format=\"html\"}\n```{=html}\n" +
			f.frame(`data-external="1" src`, ` style="border:0;max-width:100%"`) +
			"\n```\n:::\n::: {.content-visible unless-format=\"html\"}\n[![" + f.Title + "](" + f.Picture + ")](" + f.Page + ")\n:::"
	}},
	{Title: "Reveal.js", Slides: true, Doc: "Loads with its slide, and plays while the slide is shown if it plays by itself. Keys go to the slides. " +
		"Add data-preload to load it a few slides ahead.", Text: func(f Frame) string {
		return "<section>\n " + f.frame(`data-src`, ` style="border:0"`) + "\n</section>"
	}},
	{Title: "MyST", Doc: "Jupyter Book 2. The theme sets the height; in print there is the picture.", Text: func(f Frame) string {
		return ":::{iframe} " + f.Src + "\n:width: 100%\n:title: " + f.Title + "\n:placeholder: " + f.Picture +
			"\n[Open the simulator](" + f.Page + ")\n:::"
	}},
	{Title: "Notebook", Doc: "A cell of a Jupyter notebook.", Text: func(f Frame) string {
		width := f.Width
		if width == "100%" {
			width = `"100%"`
		}
		return "from IPython.display import IFrame\nIFrame(\"" + f.Src + "\", width=" + width + ", height=" +
			f.Height + ")"
	}},
	{Title: "Moodle", Doc: "Paste this into the HTML view of a Page or of an activity's introduction. Forums and wikis remove frames. A picture that does not move means that the editor removed scripts from the frame; the administrator of the site can allow this address.", Text: func(f Frame) string {
		return f.frame(`src`, ` style="border:0;max-width:100%"`) + "\n" + `<p><a href="` + attribute(f.Page) +
			`">Open the simulator</a></p>`
	}},
	{Title: "Canvas", Doc: "Paste this into the HTML editor of a Page. Canvas drops some attributes; the frame works without them. A picture that does not move means that the editor removed scripts from the frame; the administrator of the site can allow this address.", Text: func(f Frame) string {
		return `<iframe src="` + attribute(f.Src) + `" title="` + attribute(f.Title) + `" width="` + f.Width +
			`" height="` + f.Height +
			`" style="border:0" allowfullscreen="allowfullscreen"></iframe>` + "\n" + `<p><a href="` + attribute(f.Page) + `">Open the simulator</a></p>`
	}},
}

// frame returns the iframe. It works even if a platform removes attributes.
func (f Frame) frame(src, more string) string {
	return `<iframe ` + src + `="` + attribute(f.Src) + `" title="` + attribute(f.Title) + `" width="` + f.Width +
		`" height="` + f.Height + `"` + more +
		` allow="fullscreen; clipboard-write" allowfullscreen sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"></iframe>`
}

// attribute escapes a text for an attribute in quotation marks.
func attribute(text string) string { return attributeEscaper.Replace(text) }

var attributeEscaper = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")
