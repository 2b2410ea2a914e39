package e2e

import (
	"fmt"
	"testing"
)

// blueMark is the middle of a blue patch of the stage: of a circle of group 1 with model A.
const blueMark = `(() => {
	const canvas = document.querySelector("canvas[data-figure=stage]"), box = canvas.getBoundingClientRect();
	const { width, height } = canvas, data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
	const blue = (x, y) => { const i = 4 * (y * width + x); return data[i] === 0x0b && data[i + 1] === 0x6f && data[i + 2] === 0xb8; };
	for (let y = 3; y < height - 3; y++) for (let x = 3; x < width - 3; x++) {
		if ([-3, 0, 3].every((dy) => [-3, 0, 3].every((dx) => blue(x + dx, y + dy)))) return [box.left + x * box.width / width, box.top + y * box.height / height];
	}
	throw new Error("there is no blue mark");
})()`

// Pointing at a client's mark tells what is known of the client; a click keeps
// it in the light in every figure.
func TestPointAtClients(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ColorScheme("light")
		p.Run("?t=14")
		var at [2]float64
		p.Eval(blueMark, &at)
		p.Mouse(mouseEvent{"move", at[0], at[1]})
		p.When("s.hover >= 0 && s.hover < 4")
		n := p.State().Hover
		card := "document.getElementById('client').innerText"
		p.Until(fmt.Sprintf("%s.startsWith('Client %d, group 1 (circle)')", card, n+1), patience)
		p.Until("document.querySelector('canvas[data-figure=stage]').style.cursor === 'pointer'", patience)
		p.Mouse(mouseEvent{"press", at[0], at[1]}, mouseEvent{"release", at[0], at[1]})
		p.When(fmt.Sprintf("s.selected === %d && s.query.includes('sel=%d')", n, n+1))
		// Elsewhere, the one that was clicked stays in the light.
		title := p.Box(".name")
		p.Mouse(mouseEvent{"move", title.X + 5, title.Y + 5})
		p.When(fmt.Sprintf("s.hover === -1 && s.selected === %d", n))
		p.Until(fmt.Sprintf("%s.startsWith('Client %d,')", card, n+1), patience)
		p.Mouse(mouseEvent{"move", at[0], at[1]}, mouseEvent{"press", at[0], at[1]},
			mouseEvent{"release", at[0], at[1]})
		p.When("s.selected === -1")

		// Copying by the keyboard leaves the focus where it was.
		p.Focus("#copy-link")
		p.Key("Enter")
		p.When("s.copied || s.link")
		p.Drawn()
		if got := p.Text(focused); got != "copy-link" {
			t.Errorf("after copying the link the focus is on %q", got)
		}
	})
}
