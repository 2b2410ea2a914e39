package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// host serves a page of another site with the page in a frame of 800 by 450,
// at the corner, so that a place in the frame is the same place in the window.
func (p *Page) host(query, attributes string) (host, frame string) {
	p.t.Helper()
	frame = strings.Replace(p.origin, "127.0.0.1", "localhost", 1) + "/"
	return p.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Host</title><link rel="icon" href="data:,">
			<style>body { margin: 0; height: 3000px } iframe { border: 0; display: block }</style>
			<iframe src="%s%s" %s width="800" height="450"></iframe>
			<input id="mine" autofocus><script>
				window.lost = 0;
				addEventListener("blur", () => lost++);
				document.getElementById("mine").focus();
			</script>`, frame, query, attributes)
	})), frame
}

// Framed as strictly as other sites frame it, the page does its work and
// leaves its host alone.
func TestWorksInSandboxedFrame(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, frame := p.host("?embed=1&t=14", `sandbox="allow-scripts"`)
		p.Open(host)
		p.EnterFrame(frame)
		p.When(complete)
		p.Drawn()
		before := p.State()
		// The page has no origin there: no storage, and no plain worker.
		if p.Text("origin") != "null" || before.Engine != p.withoutOrigin() || before.Shown != 14 || before.Playing ||
			before.Fingerprint == "" {
			t.Errorf("in the frame the page shows %+v", before)
		}
		p.audit("800x450 in a frame")
		p.LeaveFrame()
		want := "mine00"
		if p.InWebKit() {
			want = "mine10" // its driver takes the focus when it enters a frame
		}
		if got := p.Text("document.activeElement.id + lost + scrollY"); got != want {
			t.Errorf("after loading, focus, number of losses and scroll of the host are %q, want %s", got, want)
		}

		p.EnterFrame(frame)
		x, y, left, _ := p.thumb(".hero input[data-slide=dphi]")
		p.Drag(x, y, x-left/2, y)
		p.When(complete + " && s.config !== " + quote(before.Config))
		after := p.State()
		if prints(after) == prints(before) || after.Round != 14 {
			t.Errorf("in the frame, a slider leads to round %d of %s", after.Round, prints(after))
		}
		x, y = p.Middle("#step")
		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"release", x, y})
		p.When("s.shown === 15")
		p.Until("document.querySelector('#round').textContent === '15'", patience)
		// The frame has no scroll bars of its own.
		if got := p.Text("[document.documentElement.scrollWidth > innerWidth, document.documentElement.scrollHeight > innerHeight].join()"); got != "false,false" {
			t.Errorf("the frame scrolls sideways, down: %s", got)
		}
	})
}

// Where neither the clipboard nor the old way is allowed, the link is shown.
func TestCopyInFrame(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1300, 900)
		p.AllowProblem("Clipboard API") // which the page tries first
		host, frame := p.host("?t=3", `sandbox="allow-scripts" style="width: 1200px; height: 700px"`)
		p.Open(host)
		p.EnterFrame(frame)
		p.When(complete)
		p.Drawn()
		// Without the old way either.
		p.Eval("void (document.execCommand = () => false)", nil)
		x, y := p.Middle("#copy-link")
		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"release", x, y})
		p.When("s.copied || s.link")
		s := p.State()
		if s.Copied != "" {
			return // this browser allows it
		}
		if want := frame + "?" + s.Query; s.Link != want {
			t.Errorf("the link is %q, want %q", s.Link, want)
		}
		p.Until("document.querySelector('#link-text').value === "+quote(s.Link)+
			" && document.querySelector('#link-text').checkVisibility()", patience)
		p.audit("the link to copy by hand")
	})
}
