package page_test

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// said returns the page's texts about a run in progress.
func said(a *pagetest.Page) string { _, full := a.Runs.ProgressWords(); return full }

func TestProgress(t *testing.T) {
	a, p := open(t, "data=digits&T=60")
	if said(a) != "" || a.Runs.Stoppable() {
		t.Errorf("at once the page says %q, stoppable: %v", said(a), a.Runs.Stoppable())
	}
	a.Wait(1000)
	if said(a) != "preparing the data" || !a.Runs.Stoppable() {
		t.Errorf("after a second without a frame the page says %q, stoppable: %v", said(a), a.Runs.Stoppable())
	}
	p.Rounds(p.Last(), -1, 0)
	if said(a) != "0 of 60 computed" {
		t.Errorf("with the start there the page says %q", said(a))
	}
	// A long round shows the progress of the first of its lanes.
	count := func(lane, done uint32) {
		var m wire.Message
		m.Reset(p.Last().ID)
		m.Record(wire.Count, func(dst []byte) []byte {
			return binary.LittleEndian.AppendUint32(append(dst, byte(lane)), done)
		})
		a.Do(EngineAnswered{Engine: 0, How: "a test", Message: slices.Clone(m.Bytes())})
	}
	count(0, 7)
	count(1, 3)
	if want := "0 of 60 computed · 7 of " + strconv.Itoa(a.Run.Header.Clients) + " clients"; said(a) != want {
		t.Errorf("within the first round the page says %q, want %q", said(a), want)
	}
	p.Time = 4000
	p.Rounds(p.Last(), 0, 12)
	short, full := a.Runs.ProgressWords()
	if full != "12 of 60 computed · 4.0 rounds/s · 12 s left" || short != "20% · 12 s" {
		t.Errorf("after three seconds and twelve rounds the page says %q and %q", full, short)
	}
	// The rate follows rounds that become faster.
	p.Time = 8000
	p.Rounds(p.Last(), 12, 52)
	if said(a) != "52 of 60 computed · 10 rounds/s · 1 s left" {
		t.Errorf("after faster rounds the page says %q", said(a))
	}
	p.Rounds(p.Last(), 52, 60)
	p.End(p.Last())
	if said(a) != "" || a.Runs.Stoppable() || a.Runs.Stopped() {
		t.Errorf("done, the page says %q", said(a))
	}
	a.Do(StopOrRun{})
	if a.Runs.Stopped() {
		t.Error("a complete run was stopped")
	}
}

// Texts about a run in progress are never about the previous one on screen.
func TestProgressOfTheNextRun(t *testing.T) {
	a, p := open(t, "data=digits&T=60")
	p.Time = 1000
	p.Rounds(p.Last(), -1, 30)
	a.Do(StopOrRun{})
	set(t, a, "lr", "0.2")
	a.Wait(500)
	if short, full := a.Runs.ProgressWords(); short != "" || full != "" || a.Runs.Progress() != -1 {
		t.Errorf("of a run that has not begun the page says %q and %q", short, full)
	}
	a.Wait(500)
	if said(a) != "preparing the data" {
		t.Errorf("of a run that has not begun in a second the page says %q", said(a))
	}
}

// Long rounds have a rate, too, which stays constant while one is computed.
func TestPaceOfSlowRounds(t *testing.T) {
	a, p := open(t, "data=digits&T=60")
	p.Time = 1000
	p.Rounds(p.Last(), -1, 0)
	count := func(done uint32) {
		var m wire.Message
		m.Reset(p.Last().ID)
		m.Record(wire.Count, func(dst []byte) []byte { return binary.LittleEndian.AppendUint32(append(dst, 0), done) })
		a.Do(EngineAnswered{Engine: 0, How: "a test", Message: slices.Clone(m.Bytes())})
	}
	for round := 1; round <= 4; round++ {
		for done := range uint32(8) { // news twice a second
			p.Time += 500
			count(done)
		}
		p.Time += 1000 // five seconds a round
		p.Rounds(p.Last(), round-1, round)
	}
	if want := "4 of 60 computed · 12 rounds a minute · 5 min left"; said(a) != want {
		t.Errorf("after twenty seconds and four rounds the page says %q, want %q", said(a), want)
	}
	a.Wait(4000)
	if want := "4 of 60 computed · 12 rounds a minute · 5 min left"; said(a) != want {
		t.Errorf("within the fifth round the page says %q, want %q", said(a), want)
	}
}

// A refused run ends the one before it, with a notice.
func TestRefusalDuringRun(t *testing.T) {
	a, p := open(t, "data=digits&T=60")
	p.Time = 1000
	p.Rounds(p.Last(), -1, 6)
	set(t, a, "hidden", "2000")
	p.SendText(p.Last().ID, wire.Refused, "C: there is no room")
	p.Time = 3000
	if said(a) != "stopped at round 6 of 60" || a.Runs.Stoppable() || a.Runs.Progress() != -1 {
		t.Errorf("refused, the page says %q, stoppable: %v, at %d%%", said(a), a.Runs.Stoppable(), a.Runs.Progress())
	}
	if got := a.Notices[0].Text.String(); got != "C: there is no room. "+OldFiguresNotice {
		t.Errorf("refused, the page notices %q", got)
	}
	asked := len(p.Requests)
	a.Do(EngineStarted{})
	a.Do(EngineLost{})
	if len(p.Requests) != asked {
		t.Error("with a new engine, a run that had been stopped begins again by itself")
	}
	set(t, a, "hidden", "20")
	p.Finish()
	if said(a) != "" || len(a.Notices) != 0 {
		t.Errorf("after a run that came through the page says %q and notices %v", said(a), a.Notices)
	}
}

func TestStop(t *testing.T) {
	a, p := open(t, "data=digits&T=60")
	var cancelled []uint32
	p.OnSend = func(engine int, message []byte) {
		id, records, _ := wire.Open(message)
		for kind := range records {
			if kind == wire.Cancel {
				cancelled = append(cancelled, id)
			}
		}
	}
	p.Time = 1000
	ask := p.Last()
	p.Rounds(ask, -1, 12)
	a.Do(TogglePlay{})
	a.Do(StopOrRun{})
	if len(cancelled) != 1 || !a.Runs.Stopped() || a.Player.Playing || said(a) != "stopped at round 12 of 60" ||
		a.Runs.Progress() != -1 {
		t.Errorf("stopped, %d cancels went out, playing: %v, the page says %q", len(cancelled), a.Player.Playing,
			said(a))
	}
	// Messages sent before the stop still count.
	p.Rounds(ask, 12, 13)
	if a.Run.Finished() != 13 {
		t.Errorf("the last frames make %d rounds, want 13", a.Run.Finished())
	}
	// Playing ends with the rounds.
	a.DoAt(2000, TogglePlay{})
	for now := 2000.0; a.Tick(now); now += 16 {
		if now > 60000 {
			t.Fatal("playing does not end where the run was stopped")
		}
	}
	if a.Round != 13 {
		t.Errorf("playing ends at round %d, want 13", a.Round)
	}
	asked := len(p.Requests)
	if !a.Do(PressKey{Key: "s", Shift: false}) || len(p.Requests) != asked+1 || a.Runs.Stopped() {
		t.Errorf("again, %d runs were asked for", len(p.Requests)-asked)
	}
	p.Finish()
	if a.Runs.Stopped() || !a.Run.Done() || a.Do(PressKey{Key: "s", Shift: false}) {
		t.Error("computed again, the run is not complete, or can be stopped")
	}

	// Before its first frame the old figures stay, and late messages are ignored.
	set(t, a, "lr", "0.2")
	late := p.Last()
	p.Time += 1000
	a.Do(StopOrRun{})
	if said(a) != "stopped before the first round" || !a.Runs.Stopped() {
		t.Errorf("stopped at once, the page says %q", said(a))
	}
	if got := a.Export.Citation(); a.Notices[0].Text != OldFiguresNotice || strings.Contains(got, "result") {
		t.Errorf("stopped at once, the page notices %v and is cited as %s", a.Notices, got)
	}
	before := len(a.Run.Tracks[0].Frames)
	p.Rounds(late, -1, 3)
	if a.Run.Header.Query == late.Query || len(a.Run.Tracks[0].Frames) != before {
		t.Error("frames of a run that was stopped found a place")
	}
	// A change of settings requests a run again.
	set(t, a, "lr", "0.3")
	p.Finish()
	if a.Runs.Stopped() || a.Run.Header.Query != p.Last().Query {
		t.Errorf("after a change the run is %q, stopped: %v", a.Run.Header.Query, a.Runs.Stopped())
	}
}

// A run of seconds is shown before it has the selected round.
func TestSlowRunsStream(t *testing.T) {
	a, p := ready(t, "data=digits&T=60&t=40")
	set(t, a, "lr", "0.2")
	next := p.Last()
	p.Rounds(next, -1, 1)
	if a.Run.Header.Query == next.Query {
		t.Error("the new run is on screen at once")
	}
	p.Time += SlowArrival + 1
	p.Rounds(next, 1, 2)
	if a.Run.Header.Query != next.Query || a.Shown() != 2 || a.Round != 40 {
		t.Errorf("after a while the page shows round %d of %q", a.Shown(), a.Run.Header.Query)
	}
}

// During a run its models are named after the clients that they serve.
func TestNamesDuringRun(t *testing.T) {
	a, p := open(t, "data=digits&T=60&algos=cflgp")
	p.EditFrame = func(h *trace.Header, _ int, f *trace.Frame) {
		for i := range f.Label {
			f.Label[i] = uint16(3 - i*4/h.Clients)
		}
	}
	p.Rounds(p.Last(), -1, 9)
	a.Do(Seek{Round: 9})
	v := a.View(0)
	if got := v.Letter(3) + v.Letter(2) + v.Letter(1) + v.Letter(0); got != "ABCD" {
		t.Errorf("the models of groups 1 to 4 are called %s", got)
	}
}
