package e2e

import (
	"strconv"
	"testing"
)

// drawn counts the animation frames of the page since the last call, and
// engines the messages that came from its engines so far.
const (
	drawnFrames = "flockscope.frames().length"
	engineCount = "JSON.parse(flockscope.state()).heard"
)

// A page at rest does nothing: no animation frame, and no message of an engine.
func TestRest(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, frame := p.listener("?embed=1&T=60&t=5", "", false)
		p.Open(host)
		p.heard(finished)
		p.EnterFrame(frame)
		p.When("s.scents.every((x) => !x.busy)") // what a slider shows is tried once
		p.LeaveFrame()
		// still lets half a second of pictures of the page around it go by, and
		// returns how many frames this one drew meanwhile.
		still := func() (frames string) {
			p.LeaveFrame()
			p.Until("pictures(30)", patience)
			p.EnterFrame(frame)
			return p.Text(drawnFrames)
		}
		quiet := func(what string) {
			t.Helper()
			for range 20 {
				if still() == "0" {
					break // what was under way, or waited for its time, has come
				}
			}
			before := p.Text(engineCount)
			if frames, after := still(), p.Text(engineCount); frames != "0" || after != before {
				t.Errorf("%s the page drew %s frames and heard %s messages after %s", what, frames, after, before)
			}
			p.LeaveFrame()
		}
		quiet("paused,")

		if t.Name() == "TestRest/firefox" {
			return // it does not tell a frame that its page was scrolled, and gives it hardly any frames instead
		}
		// Scrolled away while it plays.
		p.Eval(`say({ type: "flockscope/play" })`, nil)
		p.heard("m.type === 'flockscope/state' && m.playing")
		p.Eval("void scrollTo(0, 5000)", nil)
		p.EnterFrame(frame)
		p.When("s.asleep")
		quiet("out of sight,")
		p.EnterFrame(frame)
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

// A run waits while its frame is out of sight, and comes to the same end.
func TestRunRests(t *testing.T) {
	const query = "C=60&T=5000&algos=cflgp,clove"
	want := native(t, query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1000, 700)
		host, frame := p.listener("?embed=1&"+query, "", true)
		p.Open(host)
		p.EnterFrame(frame)
		p.Until("document.hidden === false && window.flockscope", patience)
		p.When("s.asleep")
		p.LeaveFrame()
		p.Until("pictures(30)", patience)
		p.EnterFrame(frame)
		before := p.Text(engineCount)
		p.LeaveFrame()
		p.Until("pictures(30)", patience)
		p.EnterFrame(frame)
		if s := p.State(); s.Done || p.Text(engineCount) != before {
			t.Errorf("out of sight the run goes on: done %v, %s messages after %s", s.Done, p.Text(engineCount), before)
		}
		p.LeaveFrame()
		p.Eval("void scrollTo(0, 4000)", nil)
		p.EnterFrame(frame)
		p.When("!s.asleep && " + complete)
		if got := prints(p.State()); got != want {
			t.Errorf("a run that waited gives %s, want %s", got, want)
		}
	})
}
