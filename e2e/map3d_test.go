package e2e

import (
	"strings"
	"testing"
)

// drawing returns a lane's map as a data URL.
func (p *Page) drawing(lane string) string {
	p.t.Helper()
	p.Mouse(mouseEvent{"move", 1, 1}) // nobody is pointed at
	p.Drawn()
	return p.Text("document.querySelector('canvas[data-figure=stage][data-lane=" + quote(lane) + "]').toDataURL()")
}

// A map is shown in three dimensions, and turned with the pointer and by keys; all maps
// follow, and the link restores the same picture.
func TestTurnMap(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ReducedMotion()
		p.Run("?t=14&algos=cflgp,clove&scent=0")
		flat := p.drawing("0")
		p.Click("[aria-label='3-D map of CFL-GP']")
		p.When("s.query.endsWith('&map=3d&scent=0')")
		lifted, other := p.drawing("0"), p.drawing("1")
		if lifted == flat {
			t.Error("the map in three dimensions looks like the flat one")
		}

		// Half a degree for every pixel, wherever the drag begins.
		b := p.Box("canvas[data-figure=stage][data-lane='0']")
		x, y := b.X+b.Width/2, b.Y+b.Height/2
		p.Drag(x, y, x+80, y+20)
		p.When("s.query.endsWith('&map=3d.70.45&scent=0')")
		if p.State().Selected != -1 {
			t.Error("turning the map selects a client")
		}
		turned := p.drawing("0")
		if turned == lifted || p.drawing("1") == other {
			t.Error("a drag does not turn all maps")
		}

		p.Focus("canvas[data-figure=stage][data-lane='0']")
		for _, key := range []string{"Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowLeft"} {
			p.Key(key)
		}
		p.When("s.query.endsWith('&map=3d.75.40&scent=0')")
		p.Eval("document.activeElement.blur()", nil)
		last := p.drawing("0")
		if last == turned {
			t.Error("the keys do not turn the map")
		}
		p.audit("turned maps")
		p.Shot("turned-1440")

		p.Until("location.search.includes('map=3d.75.40')", patience)
		query := p.Text("location.search")
		if again := p.Run(query); again.Query != strings.TrimPrefix(query, "?") {
			t.Errorf("the link %s is %s again", query, again.Query)
		}
		if p.drawing("0") != last {
			t.Error("the link shows another picture")
		}
		p.Click("[aria-label='3-D map of CFL-GP']")
		p.When("!s.query.includes('map=')")
		if p.drawing("0") != flat {
			t.Error("the map laid flat again is not what it was")
		}
	})
}
