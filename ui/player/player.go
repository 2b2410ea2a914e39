// Package player moves through the rounds of a run on screen.
//
//	player.go    playing, pausing, seeking; the phases of rounds at the slowest pace
//	clock.go     when the next round is due, and how far marks have slid
//	autostop.go  where playing stops by itself
//	events.go    what happened in the rounds of the lane in focus
package player

import (
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
	"flockscope/ui/phases"
)

// Page is what the player sees of the page, and asks of it.
type Page interface {
	Host() host.Host
	Run() *trace.Run  // on screen, nil for none
	RunTime() float64 // of the run asked for last, in ms; 0 while that is not known
	Stopped() bool    // the run was stopped before its end
	Phases() *phases.Phases
	LookedAt() int    // the round, which may lie ahead of what has been computed
	LookAt(round int) // another one
	Shown() int       // the round on screen
	Rounds() int      // of the run on screen
	Length() int      // of the run that was asked for
	Lane() int        // in focus
	View(lane int) chart.View
	Speed() float64 // 1 is the usual pace
	SetSpeed(speed float64)
	Loops() bool      // at the end playing starts over
	StopsEarly() bool // playing stops where nothing changes any more
	Paused()          // playing has ended
}

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

	page         Page
	clock        Clock
	autoStop     AutoStop
	stoppedEarly bool // playing has stopped by itself, since nothing changes any more
	events       progress.History
}

// New returns the player of a page, at rest.
func New(page Page) *Player { return &Player{page: page} }

// PlayNow starts or pauses at the browser's time.
func (p *Player) PlayNow() { p.Play(p.page.Host().Now()) }

// delay is how long the present round stays on screen: at the slowest pace as long
// as its phases want, where they can be told.
func (p *Player) delay() float64 {
	if p.phased() {
		return SlowDelay / p.page.Speed()
	}
	return p.clock.Delay(p.page.Speed())
}

// phased reports whether playing goes through the phases of each round.
func (p *Player) phased() bool {
	return p.page.Speed() == Speeds[0] && p.page.Run() != nil && p.page.Run().Done() && !p.page.Phases().TooLong() &&
		p.page.RunTime() > 0
}

// tickPhases puts the phase on screen whose time it is.
func (p *Player) tickPhases() {
	n := len(p.page.Phases().All())
	if !p.phased() || n == 0 || p.page.Phases().At == 0 {
		return
	}
	if at := 1 + min(n-1, int(float64(n)*p.clock.Shown()/p.delay())); at != p.page.Phases().At {
		p.page.Phases().At = at
		p.page.Phases().BeginMove()
		p.page.Host().Change(host.Shell)
	}
}

// Back is how far marks still are from their new places, 1 to 0.
func (p *Player) Back() float32 {
	if !p.Playing || p.Still || p.page.Shown() == 0 || p.page.Run().Header.Clients > phases.MostSliding {
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
	if p.page.LookedAt() >= p.page.Rounds() {
		p.page.LookAt(0)
	}
	p.Start(now, 0)
}

// Start plays until a round, 0 for the last.
func (p *Player) Start(now float64, until int) {
	p.Playing, p.stoppedEarly, p.page.Phases().At = true, false, 0
	p.clock = startClock(now, until)
	p.page.Host().Change(host.Shell | host.Figures)
}

// Pause stops where it is.
func (p *Player) Pause() {
	if p.Playing {
		p.Playing = false
		p.page.Paused()
		p.page.Host().Change(host.Shell | host.Figures | host.Link)
	}
}

// Seek looks at a round.
func (p *Player) Seek(round int) {
	p.Playing, p.stoppedEarly = false, false
	p.page.LookAt(max(0, min(round, p.page.Length())))
	p.page.Paused()
	p.page.Phases().Ask()
	p.page.Host().Change(host.Shell | host.Figures | host.Link)
}

// Step moves by some rounds.
func (p *Player) Step(by int) { p.Seek(p.page.Shown() + by) }

// SetSpeed changes the pace.
func (p *Player) SetSpeed(speed float64) {
	p.page.SetSpeed(speed)
	p.page.Host().Change(host.Shell | host.Link)
}

// Tick advances a playing run to the time now, in ms. It reports whether it
// wants to be called again on the next animation frame.
func (p *Player) Tick(now float64) bool {
	moves := p.page.Run() != nil && p.page.Phases().Tick(now)
	if !p.Playing || p.page.Run() == nil {
		return p.Playing || moves
	}
	c := &p.clock
	end := c.End(p.page.Rounds())
	sliding := p.Back() > 0 // so that the last picture of a slide is drawn too
	c.Tick(now, p.delay())
	for c.Shown() >= p.delay() {
		if p.page.LookedAt() >= end {
			if p.page.Loops() && c.ToTheEnd() {
				if c.Shown() < LoopDelay/p.page.Speed() {
					break
				}
				*c = startClock(now, 0)
				p.page.LookAt(0)
				p.page.Host().Change(host.Live | host.Figures)
				break
			}
			p.Pause()
			return false
		}
		if p.page.LookedAt() >= p.page.Run().Finished() {
			if p.page.Stopped() {
				p.Pause()
				return false
			}
			c.Wait() // for the engine
			break
		}
		c.Next(p.delay())
		p.page.LookAt(p.page.LookedAt() + 1)
		if p.page.LookedAt() == p.autoStopRound() {
			p.stoppedEarly = true
			p.Pause()
			return false
		}
		if p.page.Phases().At = 0; p.phased() {
			p.page.Phases().At = 1
			p.page.Phases().Ask()
		}
		c.Slide(p.delay())
		p.page.Host().Change(host.Live | host.Figures)
	}
	p.tickPhases()
	if sliding || p.Back() > 0 {
		p.page.Host().Change(host.Slides)
	}
	return true
}

// Awake goes on playing where the page fell asleep.
func (p *Player) Awake(now float64) { p.clock.Awake(now) }
