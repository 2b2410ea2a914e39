// Package player moves through the rounds of a run on screen.
//
//	player.go    playing, pausing, seeking; the phases of rounds at the slowest pace
//	clock.go     when the next round is due, and how far marks have slid
//	autostop.go  where playing stops by itself
//	events.go    what happened in the rounds of the lane in focus
package page

import (
	"strconv"

	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// Speeds are the paces on offer.
var Speeds = []float64{0.25, 0.5, 1, 2, 4}

// SpeedText is what a pace is called.
func SpeedText(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) + "×" }

// Player moves through the rounds. Times are in ms, of the clock of animation frames.
type Player struct {
	Playing   bool
	Still     bool // reduced motion: nothing slides, nothing starts by itself
	Peeked    int  // round of the timeline under the pointer, 0 for none
	Scrubbing bool // the scrubber has the focus

	page         *State
	clock        Clock
	autoStop     AutoStop
	stoppedEarly bool // playing has stopped by itself, since nothing changes any more
	events       progress.History
}

// PlayNow starts or pauses at the browser's time.
func (p *Player) PlayNow() { p.Play(p.page.now) }

// delay is how long the present round stays on screen: at the slowest pace as long
// as its phases want, where they can be told.
func (p *Player) delay() float64 {
	if p.phased() {
		return SlowDelay / p.page.Speed
	}
	return p.clock.Delay(p.page.Speed)
}

// phased reports whether playing goes through the phases of each round.
func (p *Player) phased() bool {
	return p.page.Speed == Speeds[0] && p.page.Run != nil && p.page.Run.Done() && !p.page.Phases.TooLong() &&
		p.page.Runs.RunTime() > 0
}

// tickPhases puts the phase on screen whose time it is.
func (p *Player) tickPhases() {
	n := len(p.page.Phases.All())
	if !p.phased() || n == 0 || p.page.Phases.At == 0 {
		return
	}
	if at := 1 + min(n-1, int(float64(n)*p.clock.Shown()/p.delay())); at != p.page.Phases.At {
		p.page.Phases.At = at
		p.page.Phases.BeginMove()
		p.page.effects.Redraw(host.Shell)
	}
}

// Back is how far marks still are from their new places, 1 to 0.
func (p *Player) Back() float32 {
	if !p.Playing || p.Still || p.page.Shown() == 0 || p.page.Run.Header.Clients > MostSliding {
		return 0
	}
	return p.clock.Back()
}

// Play starts or pauses. At the end it starts over.
func (p *Player) Play(now float64) {
	if p.Playing {
		p.Pause()
		return
	}
	if p.page.Round >= p.page.Rounds() {
		p.page.Round = 0
	}
	p.Start(now, 0)
}

// Start plays until a round, 0 for the last.
func (p *Player) Start(now float64, until int) {
	p.Playing, p.stoppedEarly, p.page.Phases.At = true, false, 0
	p.clock = startClock(now, until)
	p.page.effects.Redraw(host.Shell | host.Figures)
}

// Pause stops where it is.
func (p *Player) Pause() {
	if p.Playing {
		p.Playing = false
		p.page.Lessons.Paused()
		p.page.effects.Redraw(host.Shell | host.Figures | host.Link)
	}
}

// Seek looks at a round.
func (p *Player) Seek(round int) {
	p.Playing, p.stoppedEarly = false, false
	p.page.Round = max(0, min(round, p.page.length()))
	p.page.Lessons.Paused()
	p.page.Phases.Ask()
	p.page.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Step moves by some rounds.
func (p *Player) Step(by int) { p.Seek(p.page.Shown() + by) }

// SetSpeed changes the pace.
func (p *Player) SetSpeed(speed float64) {
	p.page.Speed = speed
	p.page.effects.Redraw(host.Shell | host.Link)
}

// Tick advances a playing run to the time now, in ms. It reports whether it
// wants to be called again on the next animation frame.
func (p *Player) Tick(now float64) bool {
	moves := p.page.Run != nil && p.page.Phases.Tick(now)
	if !p.Playing || p.page.Run == nil {
		return p.Playing || moves
	}
	c := &p.clock
	end := c.End(p.page.Rounds())
	sliding := p.Back() > 0 // so that the last picture of a slide is drawn too
	c.Tick(now, p.delay())
	for c.Shown() >= p.delay() {
		if p.page.Round >= end {
			if p.page.Frame.Loop && c.ToTheEnd() {
				if c.Shown() < LoopDelay/p.page.Speed {
					break
				}
				*c = startClock(now, 0)
				p.page.Round = 0
				p.page.effects.Redraw(host.Live | host.Figures)
				break
			}
			p.Pause()
			return false
		}
		if p.page.Round >= p.page.Run.Finished() {
			if p.page.Runs.Stopped() {
				p.Pause()
				return false
			}
			c.Wait() // for the engine
			break
		}
		c.Next(p.delay())
		p.page.Round = p.page.Round + 1
		if p.page.Round == p.autoStopRound() {
			p.stoppedEarly = true
			p.Pause()
			return false
		}
		if p.page.Phases.At = 0; p.phased() {
			p.page.Phases.At = 1
			p.page.Phases.Ask()
		}
		c.Slide(p.delay())
		p.page.effects.Redraw(host.Live | host.Figures)
	}
	p.tickPhases()
	if sliding || p.Back() > 0 {
		p.page.effects.Redraw(host.Slides)
	}
	return true
}

// Awake goes on playing where the page fell asleep.
func (p *Player) Awake(now float64) { p.clock.Awake(now) }
