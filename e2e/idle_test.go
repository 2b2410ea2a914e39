package e2e

import (
	"fmt"
	"strconv"
	"testing"
)

// drawnFrames counts the animation frames of the page since the last call, and engineCount
// the messages from its engines so far.
const (
	drawnFrames = "flockscope.frames().length"
	engineCount = "JSON.parse(flockscope.state()).answers"
)

// still waits, in a frame, until its page does nothing during a second of animation frames of
// the page around it. Work that was pending may finish first.
func (p *Page) still(frame, what string) {
	p.t.Helper()
	var frames, before, after string
	for range 20 {
		p.Text(drawnFrames)
		before = p.Text(engineCount)
		p.LeaveFrame()
		p.Until("pictures(60)", patience)
		p.EnterFrame(frame)
		frames, after = p.Text(drawnFrames), p.Text(engineCount)
		if frames == "0" && after == before {
			return
		}
	}
	p.t.Errorf("%s the page drew %s frames and heard %s messages after %s", what, frames, after, before)
}

// An idle page does nothing: it requests no animation frame, and gets no message of an
// engine.
func TestIdle(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, frame := p.listener("?embed=1&T=60&t=5", "", false)
		p.Open(host)
		p.heard(finished)
		p.EnterFrame(frame)
		p.When("s.previews.every((x) => !x.busy)") // what a slider shows is tried once
		p.still(frame, "paused,")
		p.LeaveFrame()

		if t.Name() == "TestIdle/firefox" {
			return // it does not tell a frame that its page was scrolled, and gives it hardly any frames instead
		}
		// Scrolled away while it plays.
		p.Eval(`say({ type: "flockscope/play" })`, nil)
		p.heard("m.type === 'flockscope/state' && m.playing")
		p.Eval("void scrollTo(0, 5000)", nil)
		p.EnterFrame(frame)
		p.When("s.asleep")
		p.still(frame, "out of sight,")
		if got := p.Text("document.body.inert"); got != "true" {
			t.Error("what nobody can see can be reached with the Tab key")
		}
		at := p.State().Round
		p.LeaveFrame()
		p.Eval("void scrollTo(0, 0)", nil)
		p.EnterFrame(frame)
		p.When("!s.asleep && s.playing && s.round > " + strconv.Itoa(at))
		if p.State().Round == 60 || p.Text("document.body.inert") != "false" {
			t.Errorf("back in sight the page is not where it was: %+v", p.State())
		}
	})
}

// A run pauses while its frame is out of sight, and ends with the same result.
func TestHiddenRunPauses(t *testing.T) {
	SkipIfShort(t)
	const query = "C=60&T=5000&algos=cflgp,clove"
	want := native(t, query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, frame := p.listener("?embed=1&"+query, "", true)
		p.Open(host)
		p.EnterFrame(frame)
		p.Until("document.hidden === false && window.flockscope", patience)
		p.When("s.asleep")
		p.still(frame, "out of sight from the start,")
		scroll := func(to int) {
			p.LeaveFrame()
			p.Eval(fmt.Sprintf("void scrollTo(0, %d)", to), nil)
			p.EnterFrame(frame)
		}
		scroll(4000)
		p.When("!s.asleep && s.answers > 0")
		if t.Name() != "TestHiddenRunPauses/firefox" { // see TestIdle
			scroll(0)
			p.When("s.asleep")
			p.still(frame, "out of sight,")
			if p.State().Done {
				t.Error("out of sight the run goes on to its end")
			}
			scroll(4000)
		}
		p.When("!s.asleep && " + complete)
		if got := prints(p.State()); got != want {
			t.Errorf("a run that waited gives %s, want %s", got, want)
		}
	})
}
