package e2e

import (
	"fmt"
	"testing"
)

const clientWords = "document.getElementById('client').innerText"

// A drag over empty ground of a map selects the clients that it draws around, in
// every figure; the link keeps them, and Escape or a click beside them lets go.
func TestBrush(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ReducedMotion()
		p.Run("?t=14&view=losses")
		plain, other := p.drawing("0"), p.drawing("1")
		b := p.Box("canvas[data-figure=stage][data-lane='0']")
		x, y := b.X+8, b.Y+8
		p.Drag(x, y, b.X+b.Width*0.3, b.Y+b.Height-8)
		p.When("s.selected === -1 && s.chosen === '1-4' && s.query.includes('&sel=1-4')")
		p.Until(clientWords+".startsWith('4 of 12 clients selected') && "+clientWords+
			".includes('4 clients of group 1.')", patience)
		p.Until("document.querySelector('canvas[data-figure=losses]').getAttribute('aria-label').endsWith(' 4 of 12 clients selected.')", patience)
		some := p.drawing("0")
		if some == plain || p.drawing("1") == other {
			t.Error("the others are as plain as before")
		}
		p.audit("several clients")
		p.Until("location.search.includes('sel=1-4')", patience)
		query := p.Text("location.search")

		// A larger one takes in all; back to none by Escape, with the focus left
		// where it was.
		p.Drag(x, y, b.X+b.Width-8, b.Y+b.Height-8)
		p.When("s.chosen === '1-12'")
		p.Key("Escape")
		p.When("s.chosen === '' && !s.query.includes('sel=')")
		if got := p.Text(focused); got != "stage 0" {
			t.Errorf("after Escape the focus is on %q", got)
		}
		p.Drag(x, y, b.X+b.Width-8, b.Y+b.Height-8)
		p.When("s.chosen === '1-12'")
		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"release", x, y})
		p.When("s.chosen === ''")
		p.Key("Escape") // out of the map
		if p.drawing("0") != plain {
			t.Error("with nobody selected the map is not what it was")
		}

		// The columns of the losses answer to it, too.
		b = p.Box("canvas[data-figure=losses][data-lane='1']")
		p.Drag(b.X+b.Width-2, b.Y+2, b.X+b.Width*0.55, b.Y+20)
		p.When("/^\\d+-12$/.test(s.chosen)")

		if again := p.Run(query); again.Query == "" || p.Text(says("s.chosen")) != "" {
			p.When("s.chosen === '1-4'")
		}
		if p.drawing("0") != some {
			t.Error("the link shows another picture")
		}
	})
}

// With Shift the arrows select those that they pass, and Enter adds one or drops it.
func TestBrushKeys(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.Focus("canvas[data-figure=stage][data-lane='0']")
		for _, tt := range []struct{ key, chosen string }{
			{"ArrowRight", ""}, {"Shift+ArrowRight", "1-2"}, {"Shift+ArrowRight", "1-3"}, {"ArrowRight", "1-3"}, {"ArrowRight", "1-3"},
			{"Shift+Enter", "1-3,5"}, {"ArrowLeft", "1-3,5"}, {"ArrowLeft", "1-3,5"}, {"Shift+Enter", "1-2,5"}, {"Escape", ""},
		} {
			p.Key(tt.key)
			p.When(fmt.Sprintf("s.chosen === %q", tt.chosen))
		}
		// A map that turns is turned by Shift and arrows; Enter still selects.
		p.Key("m")
		p.When("s.query.includes('map=3d')")
		for _, key := range []string{"ArrowRight", "Shift+Enter", "ArrowRight", "Shift+Enter"} {
			p.Key(key)
		}
		p.When("s.chosen.length === 3 && s.query.includes('map=3d&') || s.chosen.length === 3 && s.query.endsWith('map=3d')")
		p.Key("Shift+ArrowRight")
		p.When("s.query.includes('map=3d.35.35') && s.chosen.length === 3")
	})
}

// A finger that begins sideways selects, one that begins upwards scrolls.
func TestBrushByTouch(t *testing.T) {
	t.Parallel()
	c := newChromiumPage(t)
	p := newPage(t, c)
	page := c.(*chromiumPage)
	p.Viewport(390, 560)
	p.must("having a touch screen", page.touchScreen())
	p.Run("?t=14")
	swipe := func(x0, y0, x1, y1 float64) {
		t.Helper()
		p.must("touching", page.swipe(x0, y0, x1, y1))
	}
	b := p.Box("canvas[data-figure=stage][data-lane='0']")
	x, y := b.X+b.Width/2, b.Y+b.Height-30
	swipe(x, y, x+3, y-180)
	p.Until("document.querySelector('.stage').scrollTop > 20", patience)
	if got := p.Text(says("s.chosen")); got != "" {
		t.Errorf("scrolling selects clients %s", got)
	}
	// What was thrown rolls on for a while.
	p.Until("(() => { const stage = document.querySelector('.stage'), rests = stage.scrollTop === 0; stage.scrollTo(0, 0); return rests; })()", patience)
	b = p.Box("canvas[data-figure=stage][data-lane='0']")
	swipe(b.X+4, b.Y+70, b.X+b.Width-6, b.Y+190)
	p.When("s.chosen !== ''")
	p.Until("document.getElementById('client').checkVisibility()", patience)
	p.Shot("brush-390")
}
