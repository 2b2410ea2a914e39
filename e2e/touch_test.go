package e2e

import "testing"

// tooSmall lists the controls in sight that a finger would miss: with their
// labels they are less than 44 by 44 CSS pixels.
const tooSmall = `(() => {
	const out = [];
	for (const el of document.querySelectorAll("#flockscope :is(button, select, input, summary, a[href])")) {
		if (!el.checkVisibility({ visibilityProperty: true }) || el.closest(".hush")) continue;
		// A press on the label is a press on its box; a file's button is its label.
		const boxes = [el, ...(el.type === "checkbox" || el.type === "file" || el.type === "radio" ? el.labels : [])].map((e) => e.getBoundingClientRect());
		const width = Math.max(...boxes.map((b) => b.width)), height = Math.max(...boxes.map((b) => b.height));
		if (width < 43.5 || height < 43.5) out.push((el.id || el.ariaLabel || el.textContent.trim()) + ": " + width.toFixed(1) + " by " + height.toFixed(1));
	}
	return out;
})()`

// On a telephone everything that can be pressed is large enough for a thumb.
func TestTouchTargets(t *testing.T) {
	states := []struct {
		name string
		on   bool // from the state before; otherwise the page is opened anew
		open func(p *Page)
	}{
		{"the page", false, func(*Page) {}},
		{"data", true, func(p *Page) { p.Click("[data-tab=data]") }},
		{"curves", true, func(p *Page) { p.Click("[data-tab=curves]") }},
		{"a figure", true, func(p *Page) { p.Click("[data-tab=flow]") }},
		{"its numbers", true, func(p *Page) { p.Key("t"); p.When("s.sheet") }},
		{"a phase", false, func(p *Page) { p.Key("3"); p.When("s.phase === 3") }},
		{"all settings", false, func(p *Page) {
			p.Click(".tools [aria-label=Settings]")
			p.Until("getComputedStyle(document.querySelector('.settings')).opacity === '1'", patience)
			p.Click("#advanced")
		}},
		{"after one setting", false, func(p *Page) { p.Enter("#heroset-dphi", "30") }},
		{"the sheet of keys", false, func(p *Page) { p.Key("?"); p.When("s.sheet") }},
	}
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(390, 844)
		for _, state := range firstStates(7, states) {
			if !state.on {
				p.Run("?t=14&nonsense=1")
			}
			state.open(p)
			p.Drawn()
			var found []string
			p.Eval(tooSmall, &found)
			for _, text := range found {
				t.Errorf("%s: %s", state.name, text)
			}
		}
	})
}

// A finger that moves up or down over a slider scrolls, and changes nothing; one that moves
// along it, or taps it, does.
func TestSwipeOverSlider(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		c := p.browser.(*chromiumPage)
		p.Viewport(390, 640)
		p.must("having a touch screen", c.touchScreen())
		p.Run("?t=14")
		p.Eval("document.querySelector('.hero [data-slide]').scrollIntoView({ block: 'center' }), 0", nil)
		p.Drawn()
		before, top := p.State().Config, p.Text("document.querySelector('.stage').scrollTop")
		x, y := p.Middle(".hero [data-slide]")
		p.must("swiping down", c.swipe(x+60, y, x+58, y+90))
		p.Until("document.querySelector('.stage').scrollTop !== "+top, patience)
		p.Drawn()
		if got := p.State().Config; got != before {
			t.Errorf("a swipe down over a slider changes %q to %q", before, got)
		}
		p.Eval("document.querySelector('.hero [data-slide]').scrollIntoView({ block: 'center' }), 0", nil)
		p.Drawn()
		x, y = p.Middle(".hero [data-slide]")
		p.must("swiping along", c.swipe(x, y, x+70, y+3))
		p.When(complete + " && s.config !== " + quote(before))
		now := p.State().Config
		p.must("tapping", c.swipe(x-100, y, x-100, y))
		p.When(complete + " && s.config !== " + quote(now))
	})
}
