package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Without an engine the page says why, in sight, beside a picture.
func TestNoEngine(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Open("/?engine=none")
		p.Until(started, patience)
		if got := p.State(); got.Engine != "" || !strings.Contains(got.Problem, "could not be started") {
			t.Errorf("state() = %+v, want a problem and no engine", got)
		}
		for _, screen := range screens {
			if screen.width < 500 && strings.Contains(t.Name(), "firefox") {
				continue // narrower than its windows
			}
			p.Viewport(screen.width, screen.height)
			p.Until("document.querySelector('.notice.problem')?.checkVisibility()", patience)
			p.Drawn()
			why, picture := p.Box(".notice.problem"), p.Box("#poster img")
			if why.Y < 0 || why.Y+why.Height > float64(screen.height) || why.X < 0 ||
				why.X+why.Width > float64(screen.width) {
				t.Errorf("%s: the reason is at %+v, out of sight", screen.name, why)
			}
			if picture.Width < 200 || picture.Height < 80 || picture.Y > float64(screen.height)-60 ||
				picture.X+picture.Width > float64(screen.width) {
				t.Errorf("%s: the picture is at %+v, out of sight", screen.name, picture)
			}
		}
	})
}

// ServeMortal serves a page whose workers are in window.workers, and break when they
// are told to die.
func (p *Page) ServeMortal() {
	before := func(script string) func(*httptest.ResponseRecorder) {
		return func(a *httptest.ResponseRecorder) { a.Body = bytes.NewBufferString(script + "\n" + a.Body.String()) }
	}
	boot := changed("/assets/boot.js", before(`window.workers = [];
		window.Worker = class extends Worker { constructor(...a) { super(...a); workers.push(this); } };`))
	engine := changed("/assets/engine.js", before(`if (typeof WorkerGlobalScope !== "undefined") addEventListener("message", (event) => {
		if (event.data === "die") throw new Error("killed on purpose");
	});`))
	p.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/assets/engine.js") {
			engine.ServeHTTP(w, r)
		} else {
			boot.ServeHTTP(w, r)
		}
	}))
}

// An engine that dies in the first run of the page is replaced, and the run is
// computed again to the same bits.
func TestEngineDiesAtFirst(t *testing.T) {
	const query = "data=digits&algos=cflgp&C=16&K=4&T=30"
	want := native(t, query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.ServeMortal()
		p.Open("/?" + query)
		p.Until("window.flockscope && JSON.parse(flockscope.state()).engines === 1 && workers[0]", patience)
		p.Eval("workers[0].postMessage('die')", nil)
		p.When(complete + " && s.rounds === 30")
		if got := p.State(); prints(got) != want || got.Problem != "" {
			t.Errorf("with a new engine the run comes to %s, want %s; the page says %q", prints(got), want, got.Problem)
		}
		if got := p.Text("workers.length > 1"); got != "true" {
			t.Error("nobody was killed")
		}
	})
}

// An engine that dies under way is reported, and what it has sent stays.
func TestEngineDies(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ServeMortal()
		before := p.Run("?t=14&workers=1")
		// One that dies once it is at work is replaced; in the end the page
		// gives up.
		p.Until(`(() => {
			const s = JSON.parse(flockscope.state());
			if (s.done && workers.length !== window.killed) {
				window.killed = workers.length;
				workers.at(-1).postMessage("die");
			}
			return s.problem !== "";
		})()`, patience)
		p.Until("document.querySelector('.notice.problem')?.checkVisibility()", patience)
		if got := p.Text(notices); !strings.Contains(got, "The engine stopped") ||
			!strings.Contains(got, "killed on purpose") {
			t.Errorf("of an engine that died the page says %q", got)
		}
		// What is there can still be looked at.
		p.Focus("#step")
		p.Key("Enter")
		p.When("s.shown === 15")
		p.Focus(gapSlider)
		p.Key("ArrowRight")
		p.When("s.config.includes('dphi=20.5')")
		p.Drawn()
		after := p.State()
		if prints(after) != prints(before) || after.Problem == "" {
			t.Errorf("without its engine the page shows %+v", after)
		}
		for _, figure := range []string{"stage", "data", "curves"} {
			if got := p.Text(fmt.Sprintf("new Set(new Uint32Array((c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)(document.querySelector('canvas[data-figure=%s]')))).size > 2", figure)); got != "true" {
				t.Errorf("without its engine the page has no %s", figure)
			}
		}
	})
}
