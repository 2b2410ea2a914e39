package ui

import (
	"strings"

	"github.com/vugu/vugu"
)

// The page is translated after it is built and before it is rendered: every
// text of it and every attribute that people read or hear. So components and
// templates are plain English.

// spoken are the attributes that people read or hear.
var spoken = map[string]bool{"title": true, "aria-label": true, "placeholder": true, "alt": true, "aria-valuetext": true, "label": true}

// Page translates what a component has built, and the components in it.
func (l *Locale) Page(results *vugu.BuildResults, component any) {
	if l == nil || l.texts == nil {
		return
	}
	for _, n := range results.ResultFor(component).Out {
		l.node(results, n)
	}
}

func (l *Locale) node(results *vugu.BuildResults, n *vugu.VGNode) {
	if n.Component != nil {
		l.Page(results, n.Component)
		return
	}
	switch {
	case n.Type == vugu.TextNode:
		n.Data = l.Text(n.Data)
	case n.InnerHTML != nil:
		text := l.markup(*n.InnerHTML)
		n.InnerHTML = &text
	}
	for i, a := range n.Attr {
		if spoken[a.Key] {
			n.Attr[i].Val = l.Text(a.Val)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		l.node(results, c)
	}
}

// The characters that HTML writes otherwise.
var (
	plain  = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&amp;", "&")
	escape = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;")
)

// markup translates the texts between the tags of a piece of HTML.
func (l *Locale) markup(html string) string {
	var b strings.Builder
	for {
		text, rest, tag := strings.Cut(html, "<")
		if said := plain.Replace(text); l.Text(said) != said {
			text = escape.Replace(l.Text(said))
		}
		b.WriteString(text)
		if !tag {
			return b.String()
		}
		inside, after, _ := strings.Cut(rest, ">")
		b.WriteString("<" + inside + ">")
		html = after
	}
}
