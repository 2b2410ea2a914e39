package e2e

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// withoutOrigin is how the engine runs in a frame without an origin: in a worker from a
// blob, for which WebKit forgets that the page allows it.
func (p *Page) withoutOrigin() string {
	if p.InWebKit() {
		return "main thread"
	}
	return "blob worker"
}

// Every way in which other sites put the page into a frame: it runs, and gives
// the same result as in a window of its own. The frame is of another site each
// time: the one is 127.0.0.1, the other localhost.
func TestEmbedMatrix(t *testing.T) {
	const query = "?embed=1&dphi=8&T=60&algos=cflgp,clove&t=14"
	tests := []struct {
		name, attributes string
		headers          map[string]string // of the page around
		away             bool              // the frame is scrolled out of sight
		origin, engine   string
	}{
		{name: "plain", engine: "worker"},
		{name: "sandbox without an origin", attributes: `sandbox="allow-scripts"`, origin: "null"},
		{name: "in an isolated page, sandboxed", attributes: `sandbox="allow-scripts"`, headers: map[string]string{"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}, origin: "null"},
		{name: "out of sight", away: true, engine: "worker"},
		{name: "as our snippets have it", attributes: `loading="lazy" allow="fullscreen; clipboard-write" allowfullscreen sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"`, engine: "worker"},
		{name: "sandbox with its origin", attributes: `sandbox="allow-scripts allow-same-origin"`, engine: "worker"},
		{name: "as WordPress has it", attributes: `sandbox="allow-scripts" security="restricted"`, origin: "null"},
		{name: "in an isolated page", headers: map[string]string{"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}, engine: "worker"},
	}
	want := native(t, strings.TrimPrefix(query, "?embed=1&"))
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		for _, tt := range firstStates(3, tests) {
			p.Serve(built()) // at a new address, of which the browser has nothing yet
			host, frame := p.listener(query, tt.attributes, tt.away)
			if tt.headers != nil {
				host = p.Server(withHeaders(host, tt.headers))
			}
			p.Open(host)
			if tt.away {
				p.EnterFrame(frame)
				p.Until("window.flockscope", patience)
				p.LeaveFrame()
				p.Eval("void scrollTo(0, 4000)", nil)
			}
			p.EnterFrame(frame)
			p.When(complete)
			p.Drawn()
			s, origin := p.State(), tt.origin
			if origin == "" {
				origin = strings.TrimSuffix(frame, "/")
			} else {
				tt.engine = p.withoutOrigin()
			}
			if got := p.Text("origin"); prints(s) != want || s.Engine != tt.engine || got != origin || s.Shown != 14 ||
				s.Problem != "" {
				t.Errorf("%s: the origin is %s, the engine a %s, the results are %s, want %s; %s", tt.name, got,
					s.Engine, prints(s), want, s.Problem)
			}
			p.LeaveFrame()
			p.heard(finished)
		}
	})
}

// withHeaders serves the page at an address with more headers.
func withHeaders(address string, headers map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response, err := http.Get(address)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		io.Copy(w, response.Body)
	})
}

// The element is a frame that tells its page what happens in it.
func TestElement(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		// Of frames that are taken out below, which Firefox has been seen to call into
		// once more; one that stays would not be heard again.
		p.AllowProblem("Go program has already exited")
		p.Viewport(1000, 900)
		frame := strings.Replace(p.origin, "127.0.0.1", "localhost", 1) + "/"
		p.Open(p.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><title>Host</title><link rel="icon" href="data:,">
				<script src="%sassets/flockscope-element.js" defer></script>
				<flock-scope query="T=40&amp;dphi=8" controls="play,dphi" id="mine" title="Gap of 8" height="450"></flock-scope>
				<script>
					window.heard = [];
					for (const kind of ["ready", "state", "round", "height", "lesson", "error"]) {
						document.querySelector("flock-scope").addEventListener("flockscope-" + kind, (e) => heard.push(e.detail));
					}
					window.mine = document.querySelector("flock-scope");
				</script>`, frame)
		})))
		if m := p.heard(finished); m["config"] != "data=linreg&dphi=8&T=40&algos=cflgp,ifca" || m["id"] != "mine" {
			t.Errorf("the element runs %v", m)
		}
		p.Eval("heard.length = 0, mine.seek(9)", nil)
		p.heard("m.type === 'flockscope/round' && m.t === 9")
		p.Eval("heard.length = 0, mine.set({ dphi: 20 })", nil)
		p.heard(finished + " && m.config === 'data=linreg&T=40&algos=cflgp,ifca'")
		p.Eval("heard.length = 0, mine.play()", nil)
		p.heard("m.type === 'flockscope/state' && m.playing")
		p.Eval("heard.length = 0, mine.pause()", nil)
		p.heard("m.type === 'flockscope/state' && !m.playing")
		const inside = "mine.shadowRoot.querySelector('iframe')"
		if got := p.Text("[mine.offsetHeight, " + inside + ".offsetHeight, " + inside +
			".title].join('|')"); got != "450|450|Gap of 8" {
			t.Errorf("the element has the heights and the title %s", got)
		}
		// Attributes act when they change; "auto" follows what the page needs.
		p.Eval("heard.length = 0, mine.style.width = '390px', mine.setAttribute('height', 'auto'), mine.setAttribute('query', 'T=20')", nil)
		p.heard(finished + " && m.config === 'data=linreg&T=20&algos=cflgp,ifca'")
		p.Until("mine.offsetHeight >= 300 && heard.some((m) => m.px === mine.offsetHeight)", patience)
		// Taken out and put back it is there again, once.
		p.Eval("heard.length = 0, mine.remove(), document.body.append(mine)", nil)
		p.heard(finished)
		if got := p.Text("mine.shadowRoot.querySelectorAll('iframe').length"); got != "1" {
			t.Errorf("the element has %s frames", got)
		}
		if !p.InChromium() {
			return // other browsers do not find a frame in an element
		}
		p.Eval("heard.length = 0, mine.setAttribute('query', 'lesson=3&motion=none')", nil)
		p.heard(finished)
		p.EnterFrame(frame)
		p.Until("(document.querySelector('[data-option=\"1\"]').click(), true)", patience)
		p.LeaveFrame()
		if m := p.heard("m.type === 'flockscope/lesson' && m.answered"); m["lesson"] != 3.0 || m["right"] != true || m["id"] != "mine" {
			t.Errorf("an answer in the element is told as %v", m)
		}
	})
}

// The builder shows what it builds when it is asked to, and hands it over.
func TestBuildFrame(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 1000)
		p.AllowProblem("Clipboard API")
		p.Run("?T=40&t=9&scent=1")
		p.Eval(`void Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => { window.copied = text; return Promise.resolve() } } })`, nil)
		p.Click("#take")
		p.Click("[data-how=build]")
		p.Until("document.querySelector('#snippet')", patience)
		p.audit("building a frame")
		p.Click("[data-size='1']")
		p.Click("[data-view=data]")
		p.Click("[data-control=b]")
		p.Click("[data-kind=Notebook]")
		p.Until("document.querySelector('#snippet').value.includes('hide=data')", patience)
		p.Click("#copy-snippet")
		want := "from IPython.display import IFrame\nIFrame(\"" + p.origin +
			"/?data=linreg&T=40&algos=cflgp,ifca&t=9&embed=1&controls=play,scrub,open,dphi,b&hide=data&autoplay=0\", width=490, height=294)"
		p.Until("window.copied", patience)
		if got := p.Text("copied"); got != want {
			t.Errorf("copied was\n%s, want\n%s", got, want)
		}
		if got := p.Text("frames.length"); got != "0" {
			t.Errorf("there is a preview that nobody asked for")
		}
		p.Click("#preview")
		const inside = "JSON.parse(frames[0].flockscope.state())"
		p.Until("(s => "+complete+" && s.round === 9)("+inside+")", patience)
		// The size, no data, and the batch.
		p.Until("[frames[0].innerWidth, frames[0].innerHeight, frames[0].document.querySelectorAll('[data-part=data]')[0].checkVisibility(), frames[0].document.querySelector('.hero [data-slide=b]').checkVisibility()].join() === '490,294,false,true'", patience)
		// Whatever its size, all of it is in sight.
		for _, size := range []string{"1", "0"} {
			p.Click("[data-size='" + size + "']")
			p.Until(`(() => {
				const room = document.querySelector(".preview").getBoundingClientRect(), frame = document.querySelector(".preview iframe").getBoundingClientRect();
				return frame.left > room.left - 1 && frame.right < room.right + 1 && frame.right > room.right - 4 && frame.bottom < room.bottom + 1;
			})()`, patience)
		}
		p.Key("Escape")
		p.Until("frames.length === 0", patience)
	})
}
