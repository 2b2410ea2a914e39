package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/registry"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
)

// hasVector reports whether a formula has a vector of these numbers: those of models
// stand in the order of their letters, which the engine does not know.
const hasVector = `(() => {
	const numbers = (text) => text.slice(1, -1).split(",").sort().join();
	return [...document.querySelectorAll(".formula")].some((e) =>
		(e.textContent.match(/\([^()]*\)/g) || []).some((vector) => numbers(vector) === numbers(%s)));
})()`

// Digits show the phases of a round, in words and numbers, and the formulas show the numbers that the engine comes to
// natively.
func TestPhases(t *testing.T) {
	const query = "algos=cflgp,clove"
	c, _ := catalog.Schema().Parse(query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?" + query + "&t=14&sel=6")
		p.Key("x")
		p.When("s.phase === 1")
		for lane, name := range []string{"cflgp", "clove"} {
			if lane > 0 {
				p.Key("l")
			}
			p.When(fmt.Sprintf("s.lane === %d", lane))
			d, err := engine.Explain(context.Background(), c, nil, lane, 14, 5, nil)
			if err != nil {
				t.Fatal(err)
			}
			var vectors [registry.Phases]map[string]bool
			for i := range d.Notes {
				s, _ := catalog.Step(name, d.Notes[i].Step)
				if vectors[s.Phase] == nil {
					vectors[s.Phase] = map[string]bool{}
				}
				for _, slot := range formula.Slots(s.Numbers) {
					if v, ok := d.Notes[i].Value(slot); ok && len(v.Numbers) > 1 && slot != "k" {
						vectors[s.Phase][vector(v.Numbers)] = true
					}
				}
			}
			passed := 0
			for phase := range registry.Phases {
				at := int(phase) + 1
				if at > 1 || lane > 0 {
					p.Key(fmt.Sprint(at))
				}
				p.When(fmt.Sprintf("s.phase === %d && s.shown === 14 && s.phases.length > 0", at))
				p.Until("document.querySelector('.steps [aria-pressed=true]').dataset.phase === "+quote(phase.Name()), patience)
				p.Until("document.querySelector('#headline').textContent.startsWith("+quote(phase.Name()+".")+")", patience)
				if got := p.Text(says("s.phases.includes(" + quote(phase.Name()) + ")")); (got == "true") != (vectors[phase] != nil) {
					t.Errorf("%s does something in %s: %s, want %v", name, phase.Name(), got, vectors[phase] != nil)
				}
				for want := range vectors[phase] {
					p.Until(fmt.Sprintf(hasVector, quote(want)), patience)
					passed++
				}
			}
			if passed < 4 {
				t.Errorf("%s shows %d vectors only", name, passed)
			}
			p.Until("document.querySelector('.formula math').namespaceURI.endsWith('MathML') && document.querySelector('.formula math').getBoundingClientRect().height > 8", patience)
			p.Until("new URLSearchParams(location.search).get('ph') === '6'", patience)
		}
		p.Key("Escape")
		p.When("s.phase === 0")
		p.gone(".inside")
		// On to the next round, and back.
		p.Go("?" + query + "&t=14&ph=6")
		p.When("s.phase === 6")
		p.Key(".")
		p.When("s.phase === 1 && s.shown === 15")
		p.Key(",")
		p.When("s.phase === 6 && s.shown === 14")
	})
}

// vector is a vector as the page writes it.
func vector(numbers []float64) string {
	var words []string
	for i, x := range numbers {
		if i == 4 {
			words = append(words, "…")
			break
		}
		words = append(words, chart.Number(x))
	}
	return "(" + strings.Join(words, ",") + ")"
}

// A lane that diverges says so with a way out, and playing stops by itself where
// nothing changes any more.
func TestWaysOut(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Run("?algos=cflgp,fedavg&lr=3&t=60")
		p.When("s.notices.some((n) => n.includes('diverged in round'))")
		p.Click(".notice .way")
		p.When("s.config.includes('lr=0.4') && " + complete)
		p.When("s.notices.length === 0")

		p.Go("?algos=cflgp,fedavg&t=2")
		p.Choose("#speed", "4×")
		p.When("s.query.includes('speed=4')")
		p.Click("#play")
		p.When("!s.playing && s.notices.some((n) => n.startsWith('Nothing changes any more. Stopped at round '))")
		p.Click(".notice .way")
		p.When("!s.playing && s.shown === 200")

		p.Go("?algos=cflgp,ifca")
		p.Key("]")
		p.When("s.shown > 0")
		first := p.State().Shown
		p.Key("]")
		p.When(fmt.Sprintf("s.shown > %d", first))
		p.Key("[")
		p.When(fmt.Sprintf("s.shown === %d", first))
		p.Until("document.getElementById('scrub').getAttribute('aria-valuetext').includes(' moved')", patience)
	})
}

// tooWide are the parts of the card that are cut or run out of it: formulas, messages
// and lines of pseudo-code that are marked.
const tooWide = `[...document.querySelectorAll(".formula, .message, .code, .told-step p")].flatMap((box) => {
	const right = Math.min(box.getBoundingClientRect().right, document.querySelector(".inside").getBoundingClientRect().right);
	return [...box.querySelectorAll("math, b, span, small, li")].concat(box).filter((e) => {
		if (e.closest("li:not(.on)")) return false;
		return e.getBoundingClientRect().right > right + 1 || getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1;
	}).map((e) => e.tagName + " " + e.textContent + " +" + (e.getBoundingClientRect().right - right));
}).join("; ")`

// No formula with the numbers of a client is wider than its box, in any phase of any
// method: in a window, on a phone and in a frame.
func TestPhasesFit(t *testing.T) {
	windows := [][2]int{{1440, 900}, {1080, 720}, {390, 844}}
	frames := [][2]int{{800, 450}}
	var names []string
	for _, a := range catalog.Algorithms() {
		names = append(names, a.Name)
	}
	const most = 4 // lanes
	var queries []string
	for some := range slices.Chunk(names, most) {
		queries = append(queries, "T=6&K=4&C=16&algos="+strings.Join(some, ","))
	}
	queries = append(queries, "data=digits&n=80&C=8&K=4&b=8&exam=5&net=softmax&T=4&algos=cflgp,clove,hcfl,hcflplus")
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		for n, sizes := range [][][2]int{windows, frames} {
			p.Run("?T=6" + []string{"", "&embed=1"}[n])
			for _, query := range queries {
				p.Go("?" + query + []string{"&t=4", "&t=1"}[n])
				p.When("s.phase === 0")
				p.Key(".")
				p.When("s.phase === 1")
				p.Drawn()
				if p.Text("!document.querySelector('.inside')") == "true" {
					p.Key("x")
				}
				for lane := range strings.Count(query, ",") + 1 {
					if lane > 0 {
						p.Key("l")
					}
					p.When(fmt.Sprintf("s.lane === %d", lane))
					for phase := 1; phase <= int(registry.Phases); phase++ {
						if p.Text(says(fmt.Sprintf("s.phase !== %d", phase))) == "true" {
							p.Key(fmt.Sprint(phase))
						}
						p.When(fmt.Sprintf("s.phase === %d && s.phases.length > 0", phase))
						for _, size := range sizes {
							p.Viewport(size[0], size[1])
							p.Until(fmt.Sprintf("innerWidth === %d && innerHeight === %d", size[0], size[1]), patience)
							p.Until("document.querySelector('.told-step p, .inside > .hint:not(:empty)')", patience)
							if wide := p.Text(tooWide); wide != "" {
								t.Errorf("%s, lane %d, phase %d at %dx%d: too wide are %s", query, lane+1, phase,
									size[0], size[1], wide)
							}
						}
					}
				}
			}
		}
	})
}

// Messages move to the client and to the server, with what they hold and how large they
// are; where nothing is to move, arrows stand.
func TestMessagesMove(t *testing.T) {
	const moves = "getComputedStyle(document.querySelector('.message i'), '::before').animationName"
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14&ph=1&sel=6")
		p.Key("x")
		p.Until("document.querySelector('.message.down').textContent.includes('4 numbers, 16 bytes')", patience)
		p.Until(moves+" === 'sent'", patience)
		p.Key(".")
		p.Until("document.querySelector('.message.up').textContent.includes('gradient')", patience)
		p.Eval("window.first = document.querySelector('.message'), 0", nil)
		p.Key("6") // up again, and from the beginning
		p.Until("document.querySelector('.message.up').textContent.includes('update') && document.querySelector('.message') !== window.first", patience)
		p.Until(moves+" === 'sent'", patience)
		p.ReducedMotion()
		p.When(complete)
		if p.Text("document.querySelectorAll('.message').length") == "0" { // WebKit has begun anew
			p.Key("x")
		}
		p.Until(moves+" === 'none'", patience)
		p.Until("getComputedStyle(document.querySelector('.message i'), '::after').borderLeftWidth === '8px'", patience)
	})
}

// Formulas have a font of their own, which comes with the first formula, and what stands
// low stands low.
func TestFormulaFont(t *testing.T) {
	const font = "[...document.fonts].find((f) => f.family === 'formulas').status"
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Run("?t=14&sel=6")
		if got := p.Text(font); got != "unloaded" {
			t.Errorf("before any formula its font is %s", got)
		}
		p.Key("x")
		p.Until(font+" === 'loaded'", patience)
		p.Until(`[...document.querySelectorAll(".formula msub")].length > 0 && [...document.querySelectorAll(".formula msub")].every((e) => {
			const [base, low] = [...e.children];
			const size = (e) => parseFloat(getComputedStyle(e).fontSize);
			return low.getBoundingClientRect().bottom > base.getBoundingClientRect().bottom && size(low) < size(base);
		})`, patience)
	})
}
