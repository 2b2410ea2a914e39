package e2e

import (
	"strconv"
	"testing"
)

// waitFrames waits for half a second of animation frames.
const waitFrames = `new Promise((done) => {
	let n = 0;
	const look = () => ++n > 30 ? done(true) : requestAnimationFrame(look);
	look();
})`

// A step inside a round moves marks in several frames, and then the page is idle. With
// reduced motion the new position is shown at once.
func TestPhaseAnimation(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		for _, still := range firstStates(1, []bool{false, true}) {
			if still {
				p.ReducedMotion()
			}
			p.Run("?t=12&hide=story") // without the card of the phase figures keep their size
			p.Eval(`(() => {
				const paint = window.flockscopePaint;
				window.pictures = new Set();
				window.flockscopePaint = (canvas, ...rest) => {
					const out = paint(canvas, ...rest);
					if (canvas.dataset.figure === "stage" && canvas.dataset.lane === "0") window.pictures.add(canvas.toDataURL());
					return out;
				};
			})()`, nil)
			end := p.drawing("0")
			p.Key(".")
			p.When("s.phase === 1 && s.phases.includes('Embed')")
			p.Until(waitFrames, patience)
			start := p.drawing("0")
			if start == end {
				t.Error("before its phases the map shows the round's end")
			}
			to := func(key string, phase int) {
				p.Key(key)
				p.When("s.phase === " + strconv.Itoa(phase))
				p.Until(waitFrames, patience)
			}
			to(".", 2)
			pictures := 0
			// A motion has its time, in which a busy machine may draw one picture: then again.
			for try := 1; ; try++ {
				p.Eval("window.pictures.clear()", nil)
				to(".", 3)
				if pictures, _ = strconv.Atoi(p.Text("window.pictures.size")); still || pictures > 1 || try == 10 {
					break
				}
				to(",", 2)
			}
			if still != (pictures == 1) {
				t.Errorf("reduced motion %v: the map had %d pictures", still, pictures)
			}
			if p.drawing("0") == start {
				t.Error("nobody has come to a new place")
			}
			p.Text(drawnFrames)
			for range 10 {
				p.Until(waitFrames, patience)
				if p.Text(drawnFrames) == "0" {
					break
				}
			}
			p.Until(waitFrames, patience)
			if got := p.Text(drawnFrames); got != "0" {
				t.Errorf("reduced motion %v: at rest the page draws %s frames", still, got)
			}
			p.Key("Escape")
			p.When("s.phase === 0")
			if p.drawing("0") != end {
				t.Error("after the phases the stage does not show the round's end")
			}
		}
	})
}
