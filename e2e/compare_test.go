package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// The first slider shows by itself what lies ahead. Another setting calls that
// off, and it begins anew.
func TestPreview(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14&scent=1")
		p.When("s.previews.length === 1 && s.previews[0].key === 'dphi' && s.previews[0].done > 5")
		p.Until(`(() => {
			const el = document.querySelector(".hero canvas.scent");
			return el.width > 0 && el.getContext("2d").getImageData(0, 0, el.width, el.height).data.some((v) => v > 0);
		})()`, patience)
		p.Enter("#heroset-b", "20")
		p.When("s.config.includes('b=20') && s.previews.every((x) => x.around.includes('b=20'))")
		p.When("s.previews.length === 1 && s.previews[0].done > 5 && s.done")
		if got := p.Text(`document.querySelector(".hero canvas.scent").getAttribute("aria-label")`); !strings.HasPrefix(got, "Gap Δφ") {
			t.Errorf("the curve is described as %q", got)
		}
		p.Run("?t=14&scent=0")
		if got := p.Text(`String(document.querySelectorAll("canvas.scent").length)`); got != "0" {
			t.Errorf("with scent=0 there are %s curves", got)
		}
	})
}

// A sweep of two settings, two values each, gives a map a lane; a click on a cell
// opens its first run.
func TestSweepSheet(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?T=20&t=14")
		p.Click("#open-sweep")
		p.When("s.sheet === 'sweep'")
		p.Drawn()
		p.Choose(`[data-sweep="1.key"]`, "b")
		for _, field := range [][2]string{{"0.count", "2"}, {"1.count", "2"}, {"seeds", "2"}} {
			p.Enter(`[data-sweep="`+field[0]+`"]`, field[1])
		}
		p.Click("#sweep-run")
		p.When("s.sweep && !s.sweep.busy && s.sweep.done === 8 && s.sweep.of === 8")
		p.Until(`[...document.querySelectorAll('canvas[data-figure="heat"]')].filter((el) => el.width > 100).length === 2`, patience)
		p.Drawn()
		at := p.Box(`canvas[data-figure="heat"]`)
		x, y := at.X+0.8*at.Width, at.Y+0.3*at.Height
		p.Mouse(mouseEvent{"move", x, y})
		p.When("s.sweep.light.startsWith('Gap Δφ 45°, Batch b 200: CFL-GP')")
		p.Mouse(mouseEvent{"press", x, y}, mouseEvent{"release", x, y})
		p.When("!s.sheet && " + complete + " && s.config.includes('dphi=45')")
		if s := p.State(); !strings.Contains(s.Config, "b=200") || !strings.Contains(s.Config, "T=20") || !s.CanUndo {
			t.Errorf("the upper right cell opens %s, can undo: %v", s.Config, s.CanUndo)
		}
	})
}

// A pinned run stays behind the next ones, and the page says what has changed.
func TestPinned(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14&scent=0")
		p.Key("g")
		p.When("s.pinned")
		p.Enter("#heroset-dphi", "8")
		p.When(complete + " && s.changed.includes('8°')")
		p.Until(`document.getElementById("changed").textContent.startsWith("Gap Δφ 20° → 8°: CFL-GP correct from round 12 → ")`, patience)
		// It is behind every figure that can have it, and they say so.
		const behind = " The pinned run is drawn behind, in grey."
		says := func(figure string, with bool) {
			t.Helper()
			canvas := "document.querySelector('canvas[data-figure=" + figure + "]')"
			p.Until(fmt.Sprintf("%s.getAttribute('aria-label').endsWith(%q) === %v", canvas, behind, with), patience)
		}
		says("data", true)
		says("stage", false) // a plane of its own
		says("curves", true)
		for _, figure := range []string{"losses", "spectrum", "models"} {
			p.Click("[data-below=" + figure + "]")
			says(figure, true)
		}
		p.audit("a pinned run")
		p.Focus("#pin")
		p.Key("g")
		p.When("!s.pinned && s.changed === ''")
		says("models", false)
		says("data", false)
	})
}
