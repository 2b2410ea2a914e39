package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// listener serves a page of another site with the page in a frame, far down if
// away is set, that keeps all messages it gets.
func (p *Page) listener(query, attributes string, away bool) (host, frame string) {
	p.t.Helper()
	frame = strings.Replace(p.origin, "127.0.0.1", "localhost", 1) + "/"
	margin := 0
	if away {
		margin = 4000
	}
	return p.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Host</title><link rel="icon" href="data:,">
			<style>body { margin: 0; height: 9000px } iframe { border: 0; display: block; margin-top: %dpx }</style>
			<script>
				window.heard = [];
				addEventListener("message", (e) => heard.push({ ...e.data, origin: e.origin }));
				window.say = (message) => frames[0].postMessage(message, "*");
				window.pictures = (n) => new Promise((done) => { // after n animation frames
					const next = () => n-- ? requestAnimationFrame(next) : done(true);
					next();
				});
			</script>
			<iframe src="%s%s" %s width="800" height="450" title="Flockscope"></iframe>`, margin, frame, query, attributes)
	})), frame
}

// heard waits for a message of which an expression about m is true, and returns
// the first such.
func (p *Page) heard(condition string) map[string]any {
	p.t.Helper()
	p.Until("heard.some(m => "+condition+")", patience)
	var m map[string]any
	if err := json.Unmarshal([]byte(p.Text("JSON.stringify(heard.find(m => "+condition+"))")), &m); err != nil {
		p.t.Fatal(err)
	}
	return m
}

const finished = "m.type === 'flockscope/state' && m.done"

// The page around drives the page in the frame, and hears what happens there.
func TestMessages(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, frame := p.listener("?embed=1&id=slide%203&T=60", "", false)
		p.Open(host)
		ready := p.heard("m.type === 'flockscope/ready'")
		if ready["version"] != 1.0 || ready["id"] != "slide 3" || ready["origin"] != strings.TrimSuffix(frame, "/") {
			t.Errorf("at first the page says %v", ready)
		}
		first := p.heard(finished)
		p.heard("m.type === 'flockscope/height' && m.px === 450")

		p.Eval(`heard.length = 0, say({ type: "flockscope/set", params: { dphi: 8, t: 14 } })`, nil)
		second := p.heard(finished + " && m.round === 14")
		if second["config"] != "data=linreg&dphi=8&T=60&algos=cflgp,ifca" ||
			second["fingerprint"] == first["fingerprint"] || len(second["lanes"].([]any)) != 2 {
			t.Errorf("a setting from outside leads to %v, before it was %v", second, first)
		}
		p.Eval(`heard.length = 0, say({ type: "flockscope/set", params: { dphi: 900 } })`, nil)
		if m := p.heard("m.type === 'flockscope/error'"); m["about"] != "set" ||
			!strings.Contains(m["message"].(string), "want a number from 0 to 80") {
			t.Errorf("a bad value is answered by %v", m)
		}
		for _, bad := range []string{`{ type: "flockscope/seek", t: "14" }`, `{ type: "flockscope/seek", t: 1.5 }`,
			`{ type: "flockscope/set", params: { dphi: { toString() {} } + "" , b: [1] } }`,
			`{ type: "flockscope/set" }`, `{ type: "flockscope/set", params: { dphi: { a: 1 } } }`, `{ type: "flockscope/<b>" }`} {
			p.Eval("heard.length = 0, say("+bad+")", nil)
			p.heard("m.type === 'flockscope/error'")
		}
		// What is not for this page is not answered.
		p.Eval(`heard.length = 0, [null, 1, "x", [], {}, { type: 1 }, { type: "flockscope/" }, { type: "other/seek", t: 3 }].forEach(say), say({ type: "flockscope/get" })`, nil)
		if m := p.heard("true"); m["type"] != "flockscope/state" || m["round"] != 14.0 {
			t.Errorf("noise is answered by %v", m)
		}
		p.Eval(`heard.length = 0, say({ type: "flockscope/step", by: -4 })`, nil)
		p.heard("m.type === 'flockscope/round' && m.t === 10 && m.lanes[0].ari <= 1")
		p.Eval(`heard.length = 0, say("slide:start")`, nil)
		p.heard("m.type === 'flockscope/state' && m.playing")
		p.Eval(`say("slide:stop")`, nil)
		p.heard("m.type === 'flockscope/state' && !m.playing")
		p.Eval(`heard.length = 0, say({ type: "flockscope/set", params: { dphi: 40, t: 0 } })`, nil)
		p.heard(finished)
		p.Eval(`heard.length = 0, say({ type: "flockscope/set", params: { t: 60 } })`, nil)
		p.heard("m.type === 'flockscope/event' && m.kind === 'all-correct' && m.lane === 'cflgp' && m.t > 0")

		// A message of anybody else is none.
		p.EnterFrame(frame)
		p.Eval(`new Promise((done) => { addEventListener("message", done, { once: true }); postMessage({ type: "flockscope/seek", t: 3 }, "*") }).then(() => 1)`, nil)
		if s := p.State(); s.Round != 60 {
			t.Errorf("a message of the page itself moved it to round %d", s.Round)
		}
	})
}

// What a frame is told before its program has started is not lost: reveal.js tells a
// slide's frame once, when that has loaded.
func TestMessagesThatComeEarly(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		arrives := p.withhold()
		host, _ := p.listener("?embed=1&t=3&T=400", `onload="loaded = true"`, false)
		p.Open(host)
		p.Until("window.loaded", patience)
		p.Eval(`say("slide:start")`, nil)
		close(arrives)
		p.heard("m.type === 'flockscope/state' && m.playing")
		p.heard("m.type === 'flockscope/round' && m.t > 3")
	})
}

// The author of a frame says with whom it talks.
func TestMessagesOfOneOrigin(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.AllowProblem("target origin") // Chromium
		p.AllowProblem("postMessage")   // Firefox
		host, frame := p.listener("?embed=1&T=20&origin=https%3A%2F%2Fexample.org", "", false)
		p.Open(host)
		p.EnterFrame(frame)
		p.When(complete)
		p.LeaveFrame()
		p.Eval(`say({ type: "flockscope/seek", t: 9 })`, nil)
		p.EnterFrame(frame)
		p.Until(`new Promise((done) => setTimeout(() => done(true)))`, patience)
		if s := p.State(); s.Round != 20 {
			t.Errorf("the page of another origin moved it to round %d", s.Round)
		}
		p.LeaveFrame()
		if got := p.Text("heard.length"); got != "0" {
			t.Errorf("the page of another origin heard %s messages", got)
		}
	})
}

// Escape leads out of a frame, and nothing leads in but the person.
func TestFocusOfFrame(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, frame := p.listener("?embed=1&T=20&t=0", "", false)
		p.Open(host)
		p.heard(finished)
		if got := p.Text("document.activeElement.tagName"); got != "BODY" {
			t.Errorf("after loading the focus is on %s", got)
		}
		p.EnterFrame(frame)
		x, y := p.Middle("#step")
		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"release", x, y})
		p.When("s.round === 1")
		p.LeaveFrame()
		p.Until("document.activeElement.tagName === 'IFRAME'", patience)
		p.EnterFrame(frame)
		p.Key("ArrowRight") // the slide's, not the page's
		p.Key("Escape")
		p.LeaveFrame()
		if m := p.heard("m.type === 'flockscope/focus-exit'"); m["direction"] != "forward" {
			t.Errorf("Escape is told as %v", m)
		}
		p.Until("document.activeElement.tagName === 'BODY'", patience) // and no longer the frame
		p.EnterFrame(frame)
		if s := p.State(); s.Round != 1 || p.Text("document.activeElement.tagName") != "BODY" {
			t.Errorf("after an arrow and Escape the page stands at round %d with the focus on %s", s.Round,
				p.Text("document.activeElement.tagName"))
		}
	})
}
