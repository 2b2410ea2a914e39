package browser

import (
	"math"
	"runtime/debug"
	"syscall/js"

	"flockscope/ui/guard"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// schedule is when the parts of the page were updated, and may be updated again. Times
// are in ms.
type schedule struct {
	dirty         host.Change // what is out of date
	scheduled     bool        // an animation frame is requested
	alarm         float64     // when a timer will request one; +Inf while there is none
	onFrame       js.Func
	onAlarm       js.Func
	lastShell     float64 // time of the last rendering of the shell
	shellTime     float64 // how long it took
	shellDueSince float64 // since when another one is due; 0 for none
	lastLink      float64
	linkPending   bool // the address is out of date
	drawingLate   bool // some figures show what others do not yet
	lastDrawn     int  // the canvas that was drawn last
	collects      bool // garbage is collected
}

// Gaps between two renderings of the shell and two changes of the address, in
// ms. A rendering costs some milliseconds, and browsers count changes of the
// address.
const (
	shellGap = 30
	liveGap  = 100
	linkGap  = 500

	// While a run is computed or played, its texts are rendered again after renderShare
	// times the last rendering time, at most liveMost, because the engines and the figures
	// need the processors more. The factor is tightShare if the engines can use all
	// processors: the browser's own part of a rendering takes as long again.
	renderShare = 20
	tightShare  = 50
	liveMost    = 400

	// frameTime is about the duration of a frame: what is due sooner needs no timer.
	frameTime = 17

	// frameWork is how long a frame may draw. The rest is drawn in the next frame, before
	// the round advances: with many figures, or on a slow machine, a round then takes two
	// frames, and no frame is missed.
	frameWork = 5
)

func (b *browser) makeTimers() {
	b.alarm = math.Inf(1)
	b.onFrame = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		b.frame(args[0].Float())
		return nil
	})
	b.onAlarm = guard.FuncOf(func(js.Value, []js.Value) any {
		b.alarm = math.Inf(1)
		b.Change(0)
		return nil
	})
}

// change notes what is out of date, and requests an animation frame for when it may be
// updated.
func (b *browser) Change(what host.Change) {
	b.dirty |= what
	if what&host.Link != 0 {
		b.linkPending = true
	}
	if b.scheduled || b.asleep {
		return
	}
	if now := b.now(); what == 0 {
		b.scheduleFrame(now, 0)
	} else {
		b.scheduleFrame(now, b.wait(now))
	}
}

// scheduleFrame requests an animation frame after a time.
func (b *browser) scheduleFrame(now, wait float64) {
	switch {
	case b.scheduled:
	case wait < frameTime:
		b.scheduled = true
		js.Global().Call("requestAnimationFrame", b.onFrame)
	case now+wait < b.alarm:
		b.alarm = now + wait
		js.Global().Call("setTimeout", b.onAlarm, wait)
	}
}

// wait returns the time until the next update.
func (b *browser) wait(now float64) float64 {
	if b.dirty&(host.Figures|host.Slides|host.Stream|host.Previews) != 0 {
		return 0
	}
	wait := math.Inf(1)
	if b.dirty&host.Shell != 0 {
		wait = min(wait, b.lastShell+b.shellGap()-now)
	}
	if b.dirty&host.Live != 0 {
		wait = min(wait, b.lastShell+b.liveGap()-now)
	}
	if b.linkPending {
		wait = min(wait, b.lastLink+linkGap-now)
	}
	if at, ok := b.app.Runs.StoppableAt(); ok && b.lastShell <= at {
		wait = min(wait, at+1-now)
	}
	if at := b.app.Phases.NextDue(); at > 0 {
		wait = min(wait, at-now)
	}
	return max(0, wait)
}

func (b *browser) shellGap() float64 {
	if b.app.Runs.Busy() {
		return liveGap // the texts will change again in a moment
	}
	return shellGap
}

func (b *browser) liveGap() float64 {
	times := float64(renderShare)
	if b.app.Runs.UsesAllProcessors() {
		times = tightShare
	}
	return min(max(liveGap, times*b.shellTime), liveMost)
}

// frame updates the page: the shell if it is due, then the figures.
func (b *browser) frame(now float64) {
	b.scheduled = false
	if b.asleep {
		return
	}
	if len(b.times) < cap(b.times) {
		b.times = append(b.times, now)
	}
	if b.opened && b.app.Runs.CompleteSoon(now) {
		b.Change(0)
		return
	}
	start := b.now()
	again := b.drawingLate
	if again {
		b.doAt(now, page.UpdateTime{})
	} else {
		b.doAt(now, page.Tick{})
		again = b.app.Animating && b.app.Phases.NextDue() == 0
	}
	if at, ok := b.app.Runs.StoppableAt(); ok && b.lastShell <= at && now > at {
		b.dirty |= host.Shell
	}
	if b.shellIsDue(now) {
		if b.dirty&host.Live != 0 {
			b.dirty |= host.Stream
		}
		b.dirty &^= host.Shell | host.Live
		b.lastShell, b.shellDueSince = now, 0
		begin := b.now()
		b.render()
		b.shellTime = b.now() - begin
		if !b.opened {
			b.dirty = 0 // nobody sees it
			return
		}
		// The shell has used this frame; other work waits for the next one.
		if b.dirty&host.Figures == 0 && !b.drawingLate {
			b.Change(0)
			return
		}
	}
	if what := b.dirty & (host.Figures | host.Slides | host.Stream | host.Previews); what != 0 {
		b.dirty &^= what
		b.markStale(what)
		b.drawingLate = true
		b.updateCounters()
		b.tellParent()
	}
	if b.drawingLate {
		b.drawingLate = !b.draw(start + frameWork)
		again = again || b.drawingLate
		if !b.drawingLate && !b.collects {
			b.collects = true
			debug.SetGCPercent(100) // from now on; see run in assets/engine.js
		}
	}
	if b.linkPending && now-b.lastLink >= linkGap {
		b.linkPending, b.lastLink = false, now
		b.writeAddress()
	}
	b.dirty &^= host.Link
	if again {
		b.Change(0)
	} else {
		b.scheduleFrame(now, b.wait(now))
	}
}

// shellIsDue reports whether the shell is to be rendered now.
func (b *browser) shellIsDue(now float64) bool {
	if !b.opened {
		// Once ahead, while the engine starts, and then when there is something to show.
		return b.lastShell == 0 || b.hasContent() || b.app.Problem != ""
	}
	if b.dirty&host.Shell != 0 && b.shellDueSince == 0 {
		b.shellDueSince = now
	}
	// Most runs are complete within milliseconds, and rendering would delay them.
	if b.app.Runs.TextsCanWait(now) && now-b.shellDueSince < liveGap {
		return false
	}
	since := now - b.lastShell
	return (b.dirty&host.Shell != 0 && since >= b.shellGap()) || (b.dirty&host.Live != 0 && since >= b.liveGap())
}
