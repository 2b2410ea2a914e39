package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// withhold serves the site, but its program only when the channel is closed.
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

// Before the program has arrived the recorded run plays and scrubs, and the
// page goes on from where it is.
func TestRecordedRun(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		arrives := p.withhold()
		p.Open("/")
		const slider, shown = "#first input", "document.querySelector('#first .round').textContent"
		p.Until("document.querySelector('"+slider+"')", patience)
		if got := p.Text("document.getElementById('poster').checkVisibility()"); got != "true" {
			t.Error("the poster goes before anybody has touched the player")
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
			if !strings.Contains(said, lane.Score) {
				t.Errorf("the recording said %q, the engine %q", said, lane.Score)
			}
		}
	})
}

// A link to another experiment is no occasion to play this one; where there can
// be no engine it plays on.
func TestRecordedRunElsewhere(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run("?data=mix1d")
		if got := p.Text("typeof flockscopeFirst"); got != "undefined" {
			t.Errorf("beside another experiment the player is %s", got)
		}
		p.AllowProblem("404")
		p.Serve(changed("/flockscope.pack", func(a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound }))
		p.Open("/?t=3")
		p.Until("document.getElementById('why').textContent.includes('recorded run') && document.querySelector('#first .round').textContent === 'round 3 / 200'", patience)
		p.Click("#first button")
		p.Until("parseInt(document.querySelector('#first .round').textContent.slice(6)) > 5", patience)
	})
}
