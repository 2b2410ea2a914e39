package e2e

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
)

// recorder is a page that writes down the events it receives. Tab leads from its button
// to its link: beyond the page, the browser would keep the rest of the key press.
const recorder = `<!doctype html><title>Recorder</title><link rel="icon" href="data:,">
<style>body { margin: 0; height: 3000px } button { position: absolute; left: 40px; top: 2000px; width: 100px; height: 50px }</style>
<button>Press</button><a href="#">After</a>
<script>
window.events = [];
for (const kind of ["pointerdown", "pointermove", "pointerup", "click"]) {
	addEventListener(kind, (e) => events.push([e.type, Math.round(e.clientX), Math.round(e.clientY), e.buttons, e.isTrusted].join(" ")));
}
for (const kind of ["keydown", "keyup"]) {
	addEventListener(kind, (e) => events.push([e.type, e.key, e.shiftKey, e.isTrusted].join(" ")));
}
</script>`

// The harness acts on pages as users do.
func TestHarness(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Open(p.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, recorder)
		})))

		p.Viewport(700, 500)
		p.Until("innerWidth === 700 && innerHeight === 500", patience)
		picture, err := p.browser.shot()
		if err != nil {
			t.Fatal(err)
		}
		if config, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil || config.Width != 700 ||
			config.Height != 500 {
			t.Errorf("the picture is %d by %d (%v), want 700 by 500", config.Width, config.Height, err)
		}

		for _, scheme := range []string{"dark", "light"} {
			p.ColorScheme(scheme)
			p.Until(fmt.Sprintf("matchMedia('(prefers-color-scheme: %s)').matches", scheme), patience)
		}

		p.ReducedMotion()
		p.Until("matchMedia('(prefers-reduced-motion: reduce)').matches && matchMedia('(prefers-color-scheme: light)').matches", patience)

		// A page that counted as hidden would get no animation frames.
		p.Until("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))", patience)

		// recorded waits for the last event and returns all since the last call.
		recorded := func(last string) string {
			t.Helper()
			p.Until(fmt.Sprintf("events.some((e) => e.startsWith(%q))", last), patience)
			return p.Text("events.splice(0).join('; ')")
		}
		p.Drag(100, 100, 180, 140)
		got := recorded("pointerup")
		if want := "pointerdown 100 100 1 true; pointermove 110 105 1 true"; !strings.Contains(got, want) {
			t.Errorf("dragging gave %q, want %q in it", got, want)
		}
		if want := "pointermove 180 140 1 true; pointerup 180 140 0 true"; !strings.Contains(got, want) {
			t.Errorf("dragging gave %q, want %q in it", got, want)
		}

		p.Click("button")
		if got, want := recorded("click"), "click 90 250 0 true"; !strings.Contains(got, want) {
			t.Errorf("clicking gave %q, want %q in it", got, want)
		}

		for _, tt := range []struct{ combination, last, want string }{
			{"ArrowRight", "keyup ArrowRight", "keydown ArrowRight false true; keyup ArrowRight false true"},
			{"a", "keyup a", "keydown a false true; keyup a false true"},
			{"Space", "keyup  ", "keydown   false true; keyup   false true"},
			{"Tab", "keyup Tab", "keydown Tab false true; keyup Tab false true"},
			{"Shift+ArrowLeft", "keyup ArrowLeft", "keydown ArrowLeft true true; keyup ArrowLeft true true"},
		} {
			p.Key(tt.combination)
			if got := recorded(tt.last); !strings.Contains(got, tt.want) {
				t.Errorf("Key(%q) gave %q, want %q in it", tt.combination, got, tt.want)
			}
		}
	})
}
