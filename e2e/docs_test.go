package e2e

import "testing"

// The help leads to the documentation, whose pages load their style and pictures, fit a
// phone, and keep the rules of accessibility.
func TestDocumentation(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.Click("#help")
		p.When("s.sheet")
		p.Until("document.querySelectorAll('#sheet .pages a').length > 5", patience)
		var pages []string
		p.Eval("[...document.querySelectorAll('#sheet .pages a')].map((a) => a.href)", &pages)
		for _, page := range firstStates(3, pages) {
			p.ColorScheme("light")
			p.Viewport(1440, 900)
			p.Open(page)
			p.Until("document.readyState === 'complete' && document.querySelector('main h1') !== null", patience)
			if p.Text("getComputedStyle(document.body).display") != "grid" {
				t.Errorf("%s has no style", page)
			}
			if broken := p.Text("[...document.images].filter((i) => !i.naturalWidth).map((i) => i.src).join(' ')"); broken != "" {
				t.Errorf("%s shows no picture for %s", page, broken)
			}
			p.faults(page, "", allRules)
			p.ColorScheme("dark")
			p.faults(page+" in the dark", "", colours)
			p.Viewport(390, 844)
			if p.Text("String(document.documentElement.scrollWidth > innerWidth)") == "true" {
				t.Errorf("%s is wider than a phone", page)
			}
		}
	})
}
