package e2e

import (
	"fmt"
	"strings"
	"testing"
)

func TestPlayer(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=4&T=30")
		p.Click("#play")
		p.When("s.playing && s.shown > 4")
		p.Until("document.querySelector('#play').getAttribute('aria-label').startsWith('Pause')", patience)
		// It pauses at the end, and starts over from there.
		p.Choose("#speed", "4×")
		p.When("s.query.includes('speed=4')")
		p.When("!s.playing && s.shown === 30")
		p.Choose("#speed", "1×")
		p.Until("document.querySelector('#play').getAttribute('aria-label').startsWith('Play') && document.querySelector('#round').textContent === '30'", patience)
		p.Until("new URLSearchParams(location.search).get('t') === '30'", patience)
		p.Click("#play")
		p.When("s.playing && s.shown < 30")
		p.Click("#play")
		p.When("!s.playing")

		p.Click("#rewind")
		p.When("s.shown === 0")
		p.Click("#back")
		p.Click("#step")
		p.Click("#step")
		p.When("s.shown === 2")
		p.Click("#back")
		p.When("s.shown === 1")

		// The scrubber, by the mouse and by keys.
		x, y, _, right := p.thumb("#scrub")
		p.Drag(x, y, x+right/2, y)
		p.When("s.shown >= 14 && s.shown <= 17")
		p.Drag(x+right/2, y, x+right+40, y)
		p.When("s.shown === 30")
		p.Key("ArrowLeft")
		p.When("s.shown === 29")
		p.Until("document.querySelector('#round').textContent === '29'", patience)

		// Pressing in the curves looks at the round there, dragging follows.
		curves := p.Box("canvas[data-figure=curves]")
		press := func(part float64) (x, y float64) { return curves.X + part*curves.Width, curves.Y + curves.Height/2 }
		x, y = press(0.01)
		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y})
		p.When("s.shown === 0")
		x, y = press(0.4)
		p.Mouse(mouseEvent{"move", x, y})
		p.When("s.shown > 8 && s.shown < 18")
		x, y = press(0.97)
		p.Mouse(mouseEvent{"move", x, y})
		p.When("s.shown === 30")
		p.Mouse(mouseEvent{"release", x, y})
		x, y = press(0.2)
		p.Mouse(mouseEvent{"move", x, y})
		p.Drawn()
		if got := p.State(); got.Shown != 30 || got.CanUndo {
			t.Errorf("after the release the curves lead to round %d, can undo: %v; want 30, false", got.Shown,
				got.CanUndo)
		}
	})
}

// When the run settles, the page says so in words, and with a flag, whose own words
// the thumb of the scrubber never covers.
func TestSettles(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Run("?dphi=40&t=60&algos=cflgp,fedavg")
		// What the figures write, from here on.
		p.Eval(`(() => {
			const paint = CanvasRenderingContext2D.prototype.fillText;
			window.written = new Map(); // and how far their tops are from the top of the window
			CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
				const { d, f } = this.getTransform(), { canvas } = this, box = canvas.getBoundingClientRect();
				written.set(text, box.top + (d * y + f) * box.height / canvas.height - this.measureText(text).actualBoundingBoxAscent);
				return paint.call(this, text, x, y, ...rest);
			};
		})()`, nil)
		p.Key("ArrowRight")
		p.When("s.shown === 61")
		p.Until("[...written.keys()].some((text) => text.startsWith('CFL-GP: all correct from round ')) && written.has('Δφ 40°')", patience)
		if gap := p.Text(`(() => {
			const { top, height } = document.getElementById('scrub').getBoundingClientRect(), half = 9;
			const words = [...written.keys()].find((text) => text.startsWith('CFL-GP: all correct'));
			return String(written.get(words) - (top + height / 2 + half));
		})()`); strings.HasPrefix(gap, "-") || gap == "NaN" {
			t.Errorf("the words of the flag begin %s px below the thumb", gap)
		}
		s := p.State()
		if s.Lanes[0].Settled < 1 || s.Lanes[0].Settled > 60 || s.Lanes[0].FinalARI != 1 || s.Lanes[1].Settled != -1 {
			t.Errorf("with Δφ = 40 the lanes are %+v, want the first settled", s.Lanes)
		}
		want := fmt.Sprintf("All 12 right since round %d", s.Lanes[0].Settled)
		p.Until("document.querySelector('[data-story=\"0\"] .verdict').textContent === "+quote(want), patience)
		p.Until("document.querySelector('[data-story=\"1\"] .verdict').textContent.startsWith('Does not cluster')", patience)
		p.Until("/^Result [0-9A-F]{4}-[0-9A-F]{4}$/.test(document.getElementById('fingerprint').textContent)", patience)
	})
}

// The page as it is found rests where there is something to see. It plays by itself only where its address asks for
// that, and motion is not reduced.
func TestAutoplay(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		const opened = "document.getElementById('poster').hidden" // then it has been decided
		for _, tt := range firstStates(2, []struct {
			address string
			rest    int
		}{{"/", 26}, {"/#dphi=5&algos=cflgp,ifca", 200}, {"/?theme=dark", 26}}) {
			p.Open(tt.address)
			p.Until(opened, patience)
			p.When(complete + fmt.Sprintf(" && s.round === %d", tt.rest))
			if got := p.State(); got.Playing || got.Round != tt.rest {
				t.Errorf("%s is at round %d, playing: %v; want it to rest at %d", tt.address, got.Round, got.Playing,
					tt.rest)
			}
		}
		p.Open("/?autoplay=1&T=40&speed=4")
		p.When("s.playing && s.shown > 0")
		p.When("!s.playing && s.shown === 40")
		p.ReducedMotion()
		p.Open("/?autoplay=1&T=40")
		p.Until(opened, patience)
		p.When(complete)
		if got := p.State(); got.Playing {
			t.Errorf("with reduced motion it plays by itself, at round %d", got.Round)
		}
		// Asked to, it plays all the same.
		p.Drawn()
		p.Click("#play")
		p.When("s.playing && s.shown > 0")
	})
}

// While it plays, everything else goes on.
func TestPlayingPageAnswers(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?T=1000&t=3")
		p.Click("#play")
		p.When("s.playing && s.shown > 3")
		p.Click("[data-metric=loss]")
		p.Until("document.querySelector('[data-metric=loss]').getAttribute('aria-pressed') === 'true'", patience)
		p.Focus(gapSlider)
		p.Key("ArrowRight")
		p.When("s.runQuery.includes('dphi=20.5')")
		p.Key("ArrowRight")
		p.When("s.runQuery.includes('dphi=21') && s.done")
		at := p.State()
		if !at.Playing {
			t.Error("moving a slider stops the player")
		}
		p.When(fmt.Sprintf("s.shown > %d", at.Shown))
		p.Click("#play")
		p.When("!s.playing")
		// A page comes to rest: in 30 frames of ours it asks for none.
		p.Until(`new Promise((done) => {
			let n = 0;
			const next = () => ++n > 30 ? done(flockscope.frames().length === 0) : requestAnimationFrame(next);
			flockscope.frames();
			next();
		})`, patience)
	})
}

// Before the first round a lane has no ARI, whichever round was on screen before.
func TestNoScoreAtStart(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14&algos=cflgp,fedavg")
		const scores = "[...document.querySelectorAll('[data-score]')].map((s) => s.innerText)"
		p.Until(scores+".some((s) => s.includes('ARI'))", patience)
		p.Key("Home")
		p.When("s.shown === 0")
		p.Until(scores+".every((s) => !s.includes('ARI'))", patience)
	})
}
