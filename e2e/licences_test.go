package e2e

import "testing"

// The help leads to the licences of all that the page is made of.
func TestLicences(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run("?T=20")
		p.Key("?")
		p.Until("document.querySelector('#licences')", patience)
		var got string
		p.Eval(`fetch(document.querySelector("#licences").href).then((answer) => answer.text()).then((text) =>
			["Copyright 2009 The Go Authors", "github.com/vugu/vugu v", "The Flockscope authors"].filter((part) => !text.includes(part)).join())`, &got)
		if got != "" {
			t.Errorf("the licences lack %s", got)
		}
	})
}
