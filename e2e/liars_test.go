package e2e

import "testing"

// A client is made a liar, and honest again, by key in every browser.
func TestLiars(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		honest := p.Run("?t=14").Fingerprint
		p.Focus("canvas[data-figure=stage]")
		p.Key("ArrowRight")
		p.Key("Enter")
		p.When("s.selected === 0")
		p.Key("f")
		p.When("s.query.includes('liars=0,1') && s.pinned && " + complete)
		p.Until("document.querySelector('#lie').innerText.startsWith('Make honest')", patience)
		if got := p.State().Fingerprint; got == honest {
			t.Error("a liar changes nothing")
		}
		p.audit("with a liar")
		p.Shot("liar")
		p.Key("Control+z")
		p.When("!s.query.includes('liars') && " + complete)
		if got := p.State().Fingerprint; got != honest {
			t.Errorf("without the liar the run is %s, before it was %s", got, honest)
		}
	})
}

// The same with a finger on a phone.
func TestLiarsByTouch(t *testing.T) {
	t.Parallel()
	c := newChromiumPage(t)
	p := newPage(t, c)
	p.Viewport(390, 844)
	p.ColorScheme("light")
	p.must("having a touch screen", c.(*chromiumPage).touchScreen())
	p.Run("?t=14")
	tap := func(x, y float64) { p.must("touching", c.(*chromiumPage).swipe(x, y, x, y)) }
	var at [2]float64
	p.Eval(blueMark, &at)
	tap(at[0], at[1])
	p.When("s.selected >= 0")
	tap(p.Middle("#lie"))
	p.When("s.query.includes('liars=') && " + complete)
	p.audit("with a liar on a phone")
	p.Shot("liar-phone")
}
