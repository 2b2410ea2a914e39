package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// withhold serves the site, but its program only after the channel is closed.
func (p *Page) withhold() (arrives chan struct{}) {
	arrives = make(chan struct{})
	built := built()
	p.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/flockscope.pack") {
			select {
			case <-arrives:
			case <-r.Context().Done():
			}
		}
		built.ServeHTTP(w, r)
	}))
	return arrives
}

// Before the program has arrived, the recorded run can be played and scrubbed, and the page
// continues from its round.
func TestRecordedRun(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		arrives := p.withhold()
		p.Open("/")
		const slider, shown = "#first input", "document.querySelector('#first .round').textContent"
		p.Until("document.querySelector('"+slider+"')", patience)
		if got := p.Text("document.getElementById('poster').checkVisibility()"); got != "true" {
			t.Error("the poster goes before anybody has touched the player")
		}
		if got := p.Text(`new Set(["a", "b", "c"].map((m) =>
			getComputedStyle(document.querySelector("#first .legend .model-" + m)).fill)).size + ""`); got != "3" {
			t.Errorf("the legend shows %s colours of three models", got)
		}
		if got := p.Text("document.querySelector('#first .legend').textContent"); !strings.Contains(got,
			"hollow: misplaced") {
			t.Errorf("the recorded run explains its marks as %q", got)
		}
		p.Focus(slider)
		p.Key("End")
		p.Until(shown+" === 'round 200 / 200'", patience)
		p.Key("Home")
		for range 20 {
			p.Key("ArrowRight")
		}
		p.Until(shown+" === 'round 20 / 200'", patience)
		said := p.Text("document.querySelector('#first svg').getAttribute('aria-label')")
		p.Shot("recorded")

		close(arrives)
		p.When(complete + " && s.shown === 20 && !s.playing")
		p.Until("!document.getElementById('first') && document.activeElement.id === 'scrub'", patience)
		for _, lane := range p.State().Lanes {
			if ari, _, _ := strings.Cut(lane.Score, " · "); ari == "" || !strings.Contains(said, ari) {
				t.Errorf("the recording said %q, the engine %q", said, lane.Score)
			}
		}
	})
}

// With a link to another experiment the recorded run is not played, unless there can be no
// engine.
func TestRecordedRunElsewhere(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run("?data=mix1d")
		if got := p.Text("typeof flockscopeFirst"); got != "undefined" {
			t.Errorf("beside another experiment the player is %s", got)
		}
		p.AllowProblem("404")
		p.Serve(changed("/flockscope.pack", func(a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound }))
		p.Open("/?theme=dark")
		p.Until("document.getElementById('why').textContent.includes('recorded run') && document.querySelector('#first .round').textContent === 'round 26 / 200'", patience)
		p.Click("#first button")
		p.Until("parseInt(document.querySelector('#first .round').textContent.slice(6)) > 27", patience)
	})
}

// The bare address, and a frame of it, rest where one method has found the groups and the
// other has not, and say in words what there is to see. A link with a moment shows what it
// always has.
func TestOpening(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		for _, size := range firstStates(2, [][2]int{{1440, 900}, {390, 844}, {768, 1024}, {360, 640}, {800, 450}}) {
			p.Viewport(size[0], size[1])
			query := "/"
			if size[1] < 560 {
				query = "/?embed=1"
			}
			p.Open(query)
			p.When(complete + " && s.shown === 26 && !s.playing")
			s := p.State()
			if s.Config != "data=linreg&dphi=8&algos=cflgp,ifca" || s.Lanes[0].Misplaced != 0 ||
				s.Lanes[1].Misplaced < 3 {
				t.Errorf("%v: %s opens with %+v", size, s.Config, s.Lanes)
			}
			p.Drawn()
			var unseen []string
			p.Eval(`["shape: true group", "colour: model", "hollow: misplaced"].filter((words) => {
				const el = [...document.querySelectorAll(".key > span")].find((el) => el.textContent.includes(words)), box = el?.getBoundingClientRect();
				return !box || innerWidth >= 1080 && innerHeight >= 800 && (!el.checkVisibility() || box.bottom > innerHeight || el.querySelector("svg").getBoundingClientRect().width < 10);
			})`, &unseen)
			if len(unseen) > 0 {
				t.Errorf("%v: the key lacks %q", size, unseen)
			}
			var verdicts []string
			p.Eval(`[...document.querySelectorAll(".verdict")].filter((el) => el.checkVisibility() && el.getBoundingClientRect().bottom <= innerHeight).map((el) => el.textContent.trim())`, &verdicts)
			if len(verdicts) != 2 || verdicts[0] == "" || verdicts[0] == verdicts[1] {
				t.Errorf("%v: the verdicts are %q", size, verdicts)
			}
			if lead := "document.querySelector('.top .lead')"; query == "/" &&
				p.Text(lead+".checkVisibility() && "+lead+".scrollWidth <= "+lead+".clientWidth") != "true" {
				t.Errorf("%v: the page does not say what it is", size)
			}
			p.Shot(fmt.Sprintf("opening-%dx%d", size[0], size[1]))
		}
		p.Run("?t=12")
		if got := p.State().Config; got != "data=linreg&algos=cflgp,ifca" {
			t.Errorf("a link with a moment opens %s", got)
		}
	})
}
