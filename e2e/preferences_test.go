package e2e

import (
	"strings"
	"testing"
)

// hues counts the hues of the first map's pixels: what is nearly grey has none.
const hues = `(() => {
	const c = document.querySelector("canvas[data-figure=stage]"), found = new Set();
	const pixels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
	for (let i = 0; i < pixels.length; i += 4) {
		const [r, g, b, a] = pixels.slice(i, i + 4);
		if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 60) found.add((r >> 5) + " " + (g >> 5) + " " + (b >> 5));
	}
	return found.size;
})()`

// With forced colours, figures use the system's colours, and letters replace hues.
func TestForcedColours(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14")
		if p.Text(hues) == "0" {
			t.Fatal("the map has no hues to begin with")
		}
		p.must("forcing colours", p.browser.(*chromiumPage).forcedColours(true))
		for _, scheme := range []string{"light", "dark"} {
			p.ColorScheme(scheme)
			p.When("s.theme === " + quote(scheme))
			p.Drawn()
			p.audit("forced colours, " + scheme)
			p.Shot("forced-" + scheme)
			if got := p.Text(hues); got != "0" {
				t.Errorf("under forced %s colours the map has %s hues, want none", scheme, got)
			}
		}
		p.must("freeing colours", p.browser.(*chromiumPage).forcedColours(false))
		p.ColorScheme("light")
		p.Until(hues+" > 0", patience)
	})
}

// The projector theme is light, whatever the system prefers, and passes the tests of the
// other themes.
func TestProjector(t *testing.T) {
	SkipIfShort(t)
	InChromium(t, func(t *testing.T, p *Page) {
		p.ColorScheme("dark")
		for _, screen := range screens {
			p.Viewport(screen.width, screen.height)
			query := "?t=14&theme=projector"
			if screen.height < 500 {
				query += "&embed=1"
			}
			p.Run(query)
			p.When("s.theme === 'light' && s.query.includes('theme=projector')")
			p.audit(screen.name + " projector")
			p.Shot("projector-" + screen.name)
		}
	})
}

// A change of the system's preference for reduced motion takes effect at once.
func TestReducedMotionWhileOpen(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run("?t=14")
		const map0 = "document.querySelector('canvas[data-figure=stage]').toDataURL()"
		before := p.Text(map0) // with trails
		p.ReducedMotion()
		p.Until(map0+" !== "+quote(before), patience)
		p.Key("Space")
		p.When("s.playing && s.shown > 15")
		p.Key("Space")
	})
}

// A printed page shows the figures, dark on white, without controls.
func TestPrint(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ColorScheme("dark")
		p.Viewport(800, 1100)
		p.Run("?t=14")
		p.must("asking for the look on paper", p.browser.(*chromiumPage).print(true))
		p.Eval("void dispatchEvent(new Event('beforeprint'))", nil)
		p.When("s.theme === 'light'")
		p.Drawn()
		p.Shot("print")
		if got := p.Text("getComputedStyle(document.body).backgroundColor"); got != "rgb(255, 255, 255)" {
			t.Errorf("the paper is %s", got)
		}
		if got := p.Text("document.querySelector('.on-paper').innerText"); !strings.Contains(got, "Round 14 of 200") ||
			!strings.Contains(got, "?data=linreg") {
			t.Errorf("the paper says %q, want the round and the link", got)
		}
		var buttons, figures []string
		p.Eval("[...document.querySelectorAll('button, input')].filter((e) => e.checkVisibility() && !e.closest('.metrics, figcaption')).map((e) => e.id || e.ariaLabel || e.textContent)", &buttons)
		if len(buttons) > 0 {
			t.Errorf("on paper there are the buttons %q", buttons)
		}
		p.Eval(`[...document.querySelectorAll("canvas.figure")].filter((c) => c.checkVisibility()).flatMap((c) => {
			const box = c.getBoundingClientRect();
			return box.height < 40 || box.right > innerWidth ? [c.dataset.figure + " " + box.width + " by " + box.height] : [];
		})`, &figures)
		if len(figures) > 0 {
			t.Errorf("on paper figures do not fit: %q", figures)
		}
		p.Eval("void dispatchEvent(new Event('afterprint'))", nil)
		p.must("going back to the screen", p.browser.(*chromiumPage).print(false))
		p.When("s.theme === 'dark'")
	})
}
