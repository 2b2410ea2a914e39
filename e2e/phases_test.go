package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
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

// The point goes through the phases of a round, and the formulas show the numbers
// that the engine comes to natively.
func TestPhases(t *testing.T) {
	const query = "algos=cflgp,clove"
	c, _ := catalog.Schema().Parse(query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?" + query + "&t=14&sel=6")
		for lane, name := range []string{"cflgp", "clove"} {
			p.Key(fmt.Sprint(lane + 1))
			p.When(fmt.Sprintf("s.lane === %d", lane))
			d, err := engine.Explain(context.Background(), c, nil, lane, 14, 5, nil)
			if err != nil {
				t.Fatal(err)
			}
			var phases []string
			var vectors []map[string]bool
			for i := range d.Notes {
				s, _ := catalog.Step(name, d.Notes[i].Step)
				if n := len(phases); n == 0 || phases[n-1] != s.Phase.Name() {
					phases, vectors = append(phases, s.Phase.Name()), append(vectors, map[string]bool{})
				}
				for _, slot := range formula.Slots(s.Numbers) {
					if v, ok := d.Notes[i].Value(slot); ok && len(v.Numbers) > 1 && slot != "k" {
						vectors[len(vectors)-1][vector(v.Numbers)] = true
					}
				}
			}
			if len(phases) < 5 {
				t.Fatalf("%s passes %v only", name, phases)
			}
			for i, phase := range phases {
				p.Key(".")
				p.When(fmt.Sprintf("s.phase === %d && s.shown === 14 && s.passage.join() === %s", i+1, quote(strings.Join(phases, ","))))
				p.Until("document.getElementById('story-head').textContent === "+quote("Round 14 · "+phase), patience)
				p.Until("document.querySelector('.transport .letter.on .short').textContent === "+quote(phase[:1]), patience)
				if got := p.Text("(s => s.scrollWidth - s.clientWidth)(document.querySelector('.story'))"); got != "0" {
					t.Errorf("%s, %s: the story is %s px wider than its card", name, phase, got)
				}
				for want := range vectors[i] {
					p.Until(fmt.Sprintf(hasVector, quote(want)), patience)
				}
			}
			p.Until("document.querySelector('.formula math').namespaceURI.endsWith('MathML') && document.querySelector('.formula math').getBoundingClientRect().height > 8", patience)
			p.Until("getComputedStyle(document.querySelector('.lane:not(.focus)')).opacity === '0.4'", patience)
			p.Until(fmt.Sprintf("new URLSearchParams(location.search).get('ph') === '%d'", len(phases)), patience)
			p.Key("Escape")
			p.When("s.phase === 0")
		}
		// On to the next round, and back.
		p.Go("?" + query + "&t=14&ph=9")
		p.When("s.passage.length > 0 && s.phase === s.passage.length")
		p.Key(".")
		p.When("s.phase === 1 && s.shown === 15 && s.passage.length > 0")
		p.Key(",")
		p.When("s.phase > 1 && s.shown === 14 && s.phase === s.passage.length")
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
		p.When("s.notices.some((n) => n.includes('blew up in round'))")
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
