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
		{"a lane's settings", false, func(p *Page) { p.Click(".lane.focus [aria-label^='Settings of']") }},
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
		for _, state := range few(7, states) {
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

// A finger that goes up over a slider scrolls and changes nothing; one that goes sideways,
// or only taps, sets it.
func TestSliderByTouch(t *testing.T) {
	t.Parallel()
	c := newChromiumPage(t)
	p := newPage(t, c)
	page := c.(*chromiumPage)
	p.Viewport(390, 640)
	p.must("having a touch screen", page.touchScreen())
	p.Run("?t=14&scent=0")
	const slider = ".hero [data-slide=dphi]"
	swipe := func(fromX, fromY, toX, toY float64) {
		t.Helper()
		p.must("touching", page.swipe(fromX, fromY, toX, toY))
	}
	p.Eval("document.querySelector('.stage').scrollTo(0, 9999), 0", nil)
	p.Drawn()
	before := p.State().Config
	b := p.Box(slider)
	at := p.Text("document.querySelector('.stage').scrollTop")
	swipe(b.X+0.8*b.Width, b.Y+b.Height/2, b.X+0.8*b.Width+2, b.Y+b.Height/2+200)
	p.Until("document.querySelector('.stage').scrollTop < "+at+" - 20", patience)
	// What was thrown rolls on for a while.
	p.Until("(() => { const stage = document.querySelector('.stage'), rests = stage.scrollTop === "+at+"; stage.scrollTo(0, 9999); return rests; })()", patience)
	p.Drawn()
	if got := p.State(); got.Config != before || got.CanUndo {
		t.Errorf("scrolling over a slider makes the experiment %q, can undo: %v", got.Config, got.CanUndo)
	}
	b = p.Box(slider)
	swipe(b.X+0.3*b.Width, b.Y+b.Height/2, b.X+0.6*b.Width, b.Y+b.Height/2+4)
	p.When("s.config !== " + quote(before) + " && s.canUndo")
	moved := p.State().Config
	b = p.Box(slider)
	swipe(b.X+0.9*b.Width, b.Y+b.Height/2, b.X+0.9*b.Width, b.Y+b.Height/2)
	p.When("s.config !== " + quote(moved))
}
