package e2e

import "testing"

const (
	signWords = "document.querySelector('.inside .sign').textContent"
	isLit     = "((e) => getComputedStyle(e).backgroundColor !== 'rgba(0, 0, 0, 0)')"
)

// A symbol of a formula says what it is to the pointer and to the focus, in all
// places where it stands, and lights its figure.
func TestSymbols(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ReducedMotion()
		p.Run("?t=12&ph=1&sel=6")
		p.Key("x")
		p.When("s.phases[s.phase - 1] === 'Broadcast'")
		p.Until(signWords+" === 'Point at a symbol for its meaning.'", patience)
		x, y := p.Middle(".formula [data-sign='θ'] mi")
		p.Mouse(mouseEvent{"move", x, y})
		p.Until(signWords+" === 'θ: parameters of a model. 2 numbers, no unit.'", patience)
		p.Until("[...document.querySelectorAll('[data-sign=θ]')].length > 1 && [...document.querySelectorAll('[data-sign=θ]')].every("+isLit+")", patience)
		p.Until("getComputedStyle(document.querySelector('.data canvas')).outlineStyle === 'solid'", patience)
		p.audit("a symbol")

		// Elsewhere nothing is lit; by keys the next symbol is. Its script is another.
		p.Mouse(mouseEvent{"move", 5, 5})
		p.Until("!"+isLit+"(document.querySelector('[data-sign=θ]')) && getComputedStyle(document.querySelector('.data canvas')).outlineStyle === 'none'", patience)
		p.Focus(".inside .card-head button")
		p.Key("Tab")
		p.Until("document.activeElement.getAttribute('data-sign') === 'θ' && "+signWords+".startsWith('θ: ')", patience)
		p.Key("Tab")
		p.Until("document.activeElement.getAttribute('data-sign') === 'k' && "+signWords+".startsWith('k: model. ')",
			patience)
		p.Until("getComputedStyle(document.querySelector('.lane.focus .map')).outlineStyle === 'solid'", patience)

		// In another phase there are others.
		p.Key(".")
		p.Until("document.querySelector('.formula [data-sign=∇]') !== null", patience)
	})
}

// On a telephone a tap does.
func TestSymbolsByTouch(t *testing.T) {
	t.Parallel()
	c := newChromiumPage(t)
	p := newPage(t, c)
	p.Viewport(390, 844)
	p.must("having a touch screen", c.(*chromiumPage).touchScreen())
	p.Run("?t=12&ph=3&sel=6")
	p.Key("x")
	p.Until("document.querySelector('.formula [data-sign=r], .formula [data-sign=g]') !== null", patience)
	x, y := p.Middle(".formula [data-sign='g'] mi")
	p.must("tapping", c.(*chromiumPage).swipe(x, y, x, y))
	p.Until(signWords+".startsWith('g: memory of a client’s gradients')", patience)
	p.Until(isLit+"(document.querySelector('[data-sign=g]'))", patience)
	p.Shot("symbol-390")
	x, y = p.Middle(".formula [data-sign='g'] [data-sign='c'] mi")
	p.must("tapping", c.(*chromiumPage).swipe(x, y, x, y))
	p.Until(signWords+".startsWith('c: client. ')", patience)
}
