package page_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// sendStart sends the header of the newest request, and the starts of its lanes; then its cost if it is not 0.
func sendStart(p *pagetest.Engines, work float64) {
	p.SendMessage(p.Last().ID, func(m *wire.Message) {
		h := p.Header(p.Last().Query)
		m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
		if work > 0 {
			m.Record(wire.Cost, func(dst []byte) []byte {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(work))
				return binary.LittleEndian.AppendUint64(dst, 120e6)
			})
		}
		for lane := range h.Lanes {
			m.Record(wire.Start, func(dst []byte) []byte {
				return trace.AppendFrame(append(dst, byte(lane)), p.StartFrame(h, lane))
			})
		}
	})
}

// sendCount says how many clients of the first lane are done within the present round.
func sendCount(p *pagetest.Engines, done uint32) {
	p.SendMessage(p.Last().ID, func(m *wire.Message) {
		m.Record(wire.Count, func(dst []byte) []byte { return binary.LittleEndian.AppendUint32(append(dst, 0), done) })
	})
}

// A run that begins slowly shows its start at once if there is nothing else to show, and its rounds as they come.
func TestStartOfASlowRun(t *testing.T) {
	a, p := open(t, "data=digits&T=60")
	sendStart(p, 0)
	if a.Run == nil || a.Run.Finished() != 0 || !math.IsNaN(a.Run.Tracks[0].Frames[0].Loss) || !a.Runs.Busy() {
		t.Fatal("the start is not on screen")
	}
	if _, err := a.Export.File("csv"); err != ErrNoRun {
		t.Errorf("exporting a start: %v", err)
	}
	a.Wait(1000)
	sendCount(p, 7)
	if want := "evaluating the first models · 7 of 16 clients"; said(a) != want {
		t.Errorf("before round 0 the page says %q, want %q", said(a), want)
	}
	p.Rounds(p.Last(), -1, 1)
	if a.Run.Finished() != 1 || math.IsNaN(a.Run.Tracks[0].Frames[0].Loss) || a.Runs.Busy() {
		t.Error("the rounds do not follow the start")
	}
	p.Finish()
	if !a.Runs.Complete() {
		t.Error("the run is not complete")
	}
}

// Over older figures a start appears only once the run takes long.
func TestStartAfterAnotherRun(t *testing.T) {
	a, p := ready(t, "data=digits&T=60")
	before := a.Run
	set(t, a, "lr", "0.2")
	sendStart(p, 0)
	a.Tick(p.Time + 500)
	if a.Run != before {
		t.Error("a start hides figures within half a second")
	}
	a.Tick(p.Time + 800)
	if a.Run == before || a.Run.Header.Query != a.Config.String() {
		t.Error("after 0.8 seconds the start is not on screen")
	}
	a.Do(StopOrRun{})
	if !a.Runs.Stopped() || len(noticed(a)) > 0 {
		t.Errorf("stopped: %v, and the page says %q", a.Runs.Stopped(), noticed(a))
	}
}

// A run above the limit says what it costs and waits; then longer runs ask, and others do not.
func TestRunCosts(t *testing.T) {
	a, p := pagetest.New(t, "data=digits&T=60")
	a.Do(Begin{Processors: 4, Phone: true})
	if want := 30 * 4 * 3e9; p.Limit != want {
		t.Errorf("the limit is %g multiply-adds, want %g", p.Limit, want)
	}
	sendStart(p, 240*4*3e9)
	if a.Run == nil || said(a) != "not started yet" || a.Runs.Busy() || !a.Runs.Stopped() {
		t.Errorf("the page says %q, busy: %v", said(a), a.Runs.Busy())
	}
	if got := noticed(a); !slices.Equal(got, []string{"This run takes about 4 min and 120 MB of memory on this phone."}) {
		t.Fatalf("the page says %q", got)
	}
	a.Do(RunAction{0, 0})
	if len(p.Requests) != 2 || p.Limit != 240*4*3e9 || len(noticed(a)) > 0 {
		t.Errorf("%d requests, limit %g, and the page says %q", len(p.Requests), p.Limit, noticed(a))
	}
	p.Time += 10000
	p.Finish() // it took ten seconds
	set(t, a, "lr", "0.2")
	speed := 0.0
	for i := range a.Run.Tracks {
		speed += a.Run.Tracks[i].Summary.Computed * float64(a.Run.Header.Clients) / 10
	}
	if want := max(30*speed, 240*4*3e9); p.Limit != want {
		t.Errorf("then the limit is %g multiply-adds, want %g", p.Limit, want)
	}
	sendStart(p, 1e15)
	a.Do(TogglePlay{}) // starts it, too
	if len(noticed(a)) > 0 || p.Limit != 1e15 || !a.Player.Playing {
		t.Errorf("after Play the limit is %g, and the page says %q", p.Limit, noticed(a))
	}
	p.Finish()
	set(t, a, "lr", "0.25")
	sendStart(p, 1e16)
	set(t, a, "lr", "0.3") // instead of starting it
	if len(noticed(a)) > 0 || a.Runs.Stopped() {
		t.Errorf("after another setting the page says %q", noticed(a))
	}
}

// A computer has a larger limit, and a frame's author can switch it off.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		query string
		begin Begin
		want  float64
	}{
		{"", Begin{Processors: 2}, 1800 * 2 * 8e9},
		{"", Begin{}, 1800 * 8e9},
		{"", Begin{Processors: 64}, 1800 * 8 * 8e9},
		{"", Begin{Processors: 2, NoSIMD: true}, 1800 * 2 * 8e8},
		{"&embed=1&autoplay=1", Begin{Processors: 2, Phone: true}, 0},
		{"&embed=1&autoplay=0", Begin{Processors: 2, Phone: true}, 30 * 2 * 3e9},
	} {
		a, p := pagetest.New(t, "data=digits&T=60"+tt.query)
		if a.Do(tt.begin); p.Limit != tt.want {
			t.Errorf("%s on %+v: limit %g, want %g", tt.query, tt.begin, p.Limit, tt.want)
		}
	}
}

// Pausing a long run pauses the engines, playing lets them continue, and the time between does not count.
func TestPauseComputing(t *testing.T) {
	a, p := open(t, "data=digits&T=60")
	p.Time = 1000
	p.Rounds(p.Last(), -1, 3)
	a.Do(TogglePlay{})
	p.Time = 2000
	sendCount(p, 5)
	a.Do(TogglePlay{})
	if !p.Paused || a.Player.Playing {
		t.Fatalf("engines paused: %v, playing: %v", p.Paused, a.Player.Playing)
	}
	if short, full := a.Runs.ProgressWords(); short != "paused" || full != "paused · 3 of 60 computed · 5 of 16 clients" {
		t.Errorf("paused, the page says %q and %q", short, full)
	}
	a.Do(PauseEngines{true})
	a.Do(PauseEngines{false})
	if !p.Paused {
		t.Error("a page that is visible again goes on though its user has paused it")
	}
	p.Time = 60000
	a.Do(TogglePlay{})
	if p.Paused || said(a) != "3 of 60 computed · 5 of 16 clients" {
		t.Errorf("engines paused: %v, and the page says %q", p.Paused, said(a))
	}
	p.Time = 63000
	p.Rounds(p.Last(), 3, 6)
	if want := "6 of 60 computed · 1.0 rounds/s · 54 s left"; said(a) != want {
		t.Errorf("three rounds later the page says %q, want %q", said(a), want)
	}
	p.Rounds(p.Last(), 6, 60)
	p.End(p.Last())
	if got := a.Runs.RunTime(); got != 5000 {
		t.Errorf("the run took %v ms without the pause, want 5000", got)
	}

	// A setting is computed at once; and playing a short run pauses nothing.
	set(t, a, "lr", "0.2")
	p.Time += 2000
	p.Rounds(p.Last(), -1, 3)
	a.Do(TogglePlay{})
	a.Do(TogglePlay{})
	set(t, a, "lr", "0.3")
	if p.Paused {
		t.Error("a new run is paused")
	}
	p.Rounds(p.Last(), -1, 3)
	a.Do(TogglePlay{})
	a.Do(TogglePlay{})
	if p.Paused {
		t.Error("a short run is paused")
	}
}
