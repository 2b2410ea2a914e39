package vdom

import (
	"github.com/vugu/vugu"

	"flockscope/ui/i18n"
)

// The page is translated after it is built and before it is rendered: every
// text of it and every attribute that people read or hear. So components and
// templates are plain English.

// Spoken are the attributes that people read or hear.
var Spoken = map[string]bool{"title": true, "aria-label": true, "placeholder": true, "alt": true,
	"aria-valuetext": true, "label": true}

// Translate translates what a component has built, and the components in it.
func Translate(l *i18n.Locale, page *vugu.BuildResults, component any) {
	if l.Empty() {
		return
	}
	for _, n := range page.ResultFor(component).Out {
		translate(l, page, n)
	}
}

func translate(l *i18n.Locale, page *vugu.BuildResults, n *vugu.VGNode) {
	if n.Component != nil {
		Translate(l, page, n.Component)
		return
	}
	switch {
	case n.Type == vugu.TextNode:
		n.Data = l.Text(n.Data)
	case n.InnerHTML != nil:
		text := l.Markup(*n.InnerHTML)
		n.InnerHTML = &text
	}
	for i, a := range n.Attr {
		if Spoken[a.Key] {
			n.Attr[i].Val = l.Text(a.Val)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		translate(l, page, c)
	}
}
