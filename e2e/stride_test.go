package e2e

import (
	"strconv"
	"testing"
)

// someFrames lets half a second of pictures go by.
const someFrames = `new Promise((done) => {
	let n = 0;
	const look = () => ++n > 30 ? done(true) : requestAnimationFrame(look);
	look();
})`

// A step inside a round moves what it changes, in several pictures, and then the
// page rests. Who wants no motion sees the new place at once.
func TestStride(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		for _, still := range few(1, []bool{false, true}) {
			if still {
				p.ReducedMotion()
			}
			p.Run("?t=12&hide=story") // without the card of the phase figures keep their size
			p.Eval(`(() => {
				const paint = window.flockscopePaint;
				window.pictures = new Set();
				window.flockscopePaint = (canvas, ...rest) => {
					const out = paint(canvas, ...rest);
					if (canvas.dataset.figure === "map" && canvas.dataset.lane === "0") window.pictures.add(canvas.toDataURL());
					return out;
				};
			})()`, nil)
			end := p.drawing("0")
			p.Key(".")
			p.When("s.phase === 1 && s.phases[3] === 'Embed'")
			p.Until(someFrames, patience)
			start := p.drawing("0")
			if start == end {
				t.Error("before its phases the map shows the round's end")
			}
			to := func(key string, phase int) {
				p.Key(key)
				p.When("s.phase === " + strconv.Itoa(phase))
				p.Until(someFrames, patience)
			}
			to(".", 2)
			to(".", 3)
			pictures := 0
			// A motion has its time, in which a busy machine may draw one picture: then again.
			for try := 1; ; try++ {
				p.Eval("window.pictures.clear()", nil)
				to(".", 4)
				if pictures, _ = strconv.Atoi(p.Text("window.pictures.size")); still || pictures > 1 || try == 10 {
					break
				}
				to(",", 3)
			}
			if still != (pictures == 1) {
				t.Errorf("reduced motion %v: the map had %d pictures", still, pictures)
			}
			if p.drawing("0") == start {
				t.Error("nobody has come to a new place")
			}
			p.Text(drawnFrames)
			for range 10 {
				p.Until(someFrames, patience)
				if p.Text(drawnFrames) == "0" {
					break
				}
			}
			p.Until(someFrames, patience)
			if got := p.Text(drawnFrames); got != "0" {
				t.Errorf("reduced motion %v: at rest the page draws %s frames", still, got)
			}
			p.Key(".")
			p.Key(".")
			p.When("s.phase === 6")
			p.Until(someFrames, patience)
			if p.drawing("0") != end {
				t.Error("after all phases the map does not show the round's end")
			}
		}
	})
}
