package shell

import (
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"flockscope/sim/say"
)

// Fixed texts of the page are translated after the page is built and before it is rendered:
// every text node and every attribute that users read or hear. So components and templates
// are in English.

// TranslatedAttributes are the attributes that people read or hear.
var TranslatedAttributes = map[string]bool{"title": true, "aria-label": true, "placeholder": true, "alt": true,
	"aria-valuetext": true, "label": true}

// Translate translates the output of a component and of the components in it.
func Translate(page *vugu.BuildResults, component any) {
	if say.Language() == "" {
		return
	}
	for _, n := range page.ResultFor(component).Out {
		translate(page, n)
	}
}

func translate(page *vugu.BuildResults, n *vugu.VGNode) {
	if n.Component != nil {
		Translate(page, n.Component)
		return
	}
	switch {
	case n.Type == vugu.TextNode:
		n.Data = translated(n.Data)
	case n.InnerHTML != nil:
		said := Markup(*n.InnerHTML)
		n.InnerHTML = &said
	}
	own := false
	for i, a := range n.Attr {
		if !TranslatedAttributes[a.Key] {
			continue
		}
		if !own {
			n.Attr, own = slices.Clone(n.Attr), true // those of the template belong to every redraw
		}
		n.Attr[i].Val = translated(a.Val)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		translate(page, c)
	}
}

// translated translates a text and keeps the white space around it.
func translated(s string) string {
	core := strings.TrimSpace(s)
	if core == "" {
		return s
	}
	before, after, _ := strings.Cut(s, core)
	return before + say.Text(core) + after
}

// Package html has a table of all named characters, which would enlarge the program.
var (
	unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&amp;", "&")
	escape   = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;")
)

// Markup translates the texts between the tags of a piece of HTML.
func Markup(source string) string {
	var b strings.Builder
	for {
		between, rest, tag := strings.Cut(source, "<")
		if plain := unescape.Replace(between); translated(plain) != plain {
			between = escape.Replace(translated(plain))
		}
		b.WriteString(between)
		if !tag {
			return b.String()
		}
		inside, after, _ := strings.Cut(rest, ">")
		b.WriteString("<" + inside + ">")
		source = after
	}
}
