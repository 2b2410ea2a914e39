package e2e

import (
	"strings"
	"testing"
)

// While the run plays, static parts of figures that were the same twice are not painted again; the result equals a canvas
// on which everything is painted.
func TestRepaint(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=12&algos=cflgp,ifca,clove")
		p.Eval(`(() => {
			const paint = window.flockscopePaint;
			window.painted = [];
			window.newest = {};
			window.flockscopePaint = (canvas, bytes, ...rest) => {
				window.painted.push([canvas.dataset.figure, rest[5]]);
				window.newest[canvas.dataset.figure] = [canvas, bytes.slice(), ...rest.slice(0, 4)];
				return paint(canvas, bytes, ...rest);
			};
			window.alike = (figure) => {
				const [canvas, ...list] = window.newest[figure], whole = document.createElement("canvas");
				paint(whole, ...list);
				const [a, b] = [canvas, whole].map((c) => c.getContext("2d").getImageData(0, 0, c.width, c.height).data);
				return a.length === b.length && a.every((v, i) => Math.abs(v - b[i]) < 16); // browsers round, and more so where pale lines cross
			};
		})()`, nil)
		figure := func(kind, step string) string {
			p.Drawn()
			if p.Text("window.alike("+quote(kind)+")") != "true" {
				t.Errorf("%s: the %s is not what its list paints", step, kind)
			}
			return p.Text(`window.painted.splice(0).filter(([kind]) => kind === ` + quote(kind) + `).map(([_, stays]) => stays).join()`)
		}
		curves := func(step string) string { return figure("curves", step) }
		p.Key("ArrowRight")
		p.When("s.shown === 13")
		if got := curves("their second round"); got != "false" {
			t.Errorf("in their second round, of the curves there stays: %s; want false", got)
		}
		p.Key("ArrowLeft")
		p.When("s.shown === 12")
		if got := figure("stage", "its third round"); !strings.HasPrefix(got, "true") {
			t.Errorf("in the third round, of the stages there stays: %s; want that of the first", got)
		}
		p.Key("ArrowRight")
		p.When("s.shown === 13")
		if got := curves("a round on"); got != "true" {
			t.Errorf("a round on, of the curves there stays: %s; want true", got)
		}
		p.Click(`[data-metric="loss"]`)
		p.When("s.round === 13")
		if got := curves("another metric"); got != "false" {
			t.Errorf("of another metric's curves there stays: %s; want false", got)
		}
		p.Key("ArrowLeft")
		p.When("s.shown === 12")
		curves("a round back")
		p.Key("ArrowRight")
		p.When("s.shown === 13")
		if got := curves("again a round on"); got != "true" {
			t.Errorf("again a round on, of the curves there stays: %s; want true", got)
		}
		p.Eval(`(() => {
			const [canvas] = window.newest.curves;
			canvas.getContext("2d").reset(); // as when graphics are reset
			canvas.dispatchEvent(new Event("contextrestored"));
		})()`, nil)
		if got := curves("what was lost"); got != "false" {
			t.Errorf("of curves that were lost there stays: %s; want false", got)
		}
		p.Viewport(1300, 900)
		p.Drawn()
		curves("a smaller window")
		p.Text("String(window.painted.splice(0))")
		p.Click("#help")
		p.When("s.round === 13")
		p.Drawn()
		if got := p.Text("String(window.painted.splice(0))"); got != "" {
			t.Errorf("of a sheet that opens, there was painted: %s", got)
		}
	})
}
