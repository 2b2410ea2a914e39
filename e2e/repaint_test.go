package e2e

import "testing"

// While the run plays, static parts of figures are not painted again; the result equals a
// canvas on which everything is painted.
func TestRepaint(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=12&algos=cflgp,ifca,clove")
		p.Eval(`(() => {
			const paint = window.flockscopePaint;
			window.painted = [];
			window.flockscopePaint = (canvas, bytes, ...rest) => {
				window.painted.push([canvas.dataset.figure, rest[5]]);
				if (canvas.dataset.figure === "curves") window.newest = [canvas, bytes.slice(), ...rest.slice(0, 4)];
				return paint(canvas, bytes, ...rest);
			};
			window.alike = () => {
				const [canvas, ...list] = window.newest, whole = document.createElement("canvas");
				paint(whole, ...list);
				const [a, b] = [canvas, whole].map((c) => c.getContext("2d").getImageData(0, 0, c.width, c.height).data);
				return a.length === b.length && a.every((v, i) => Math.abs(v - b[i]) < 16); // browsers round, and more so where pale lines cross
			};
		})()`, nil)
		curves := func(step string) string {
			p.Drawn()
			if p.Text("window.alike()") != "true" {
				t.Errorf("%s: the curves are not what their list paints", step)
			}
			return p.Text(`window.painted.splice(0).filter(([kind]) => kind === "curves").map(([_, stays]) => stays).join()`)
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
		p.Key("ArrowRight")
		p.When("s.shown === 14")
		if got := curves("two rounds on"); got != "true" {
			t.Errorf("two rounds on, of the curves there stays: %s; want true", got)
		}
		p.Eval(`(() => {
			const [canvas] = window.newest;
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
		p.When("s.round === 14")
		p.Drawn()
		if got := p.Text("String(window.painted.splice(0))"); got != "" {
			t.Errorf("of a sheet that opens, there was painted: %s", got)
		}
	})
}
