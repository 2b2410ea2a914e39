package ui

import (
	"flockscope/ui/host"
)

// player moves through the rounds by itself.
type player struct {
	since  float64 // time at which the present round was reached, in ms
	played int     // rounds since play was pressed: the first ones go slowly
	until  int     // round at which to pause; 0 for the last
	slide  float64 // how long marks slide into their new places, in ms
	now    float64
}

// The pace: slow enough at first that one sees what a round does, then faster.
const (
	slowRounds = 5
	slowDelay  = 700.0 // ms
	fastDelay  = 45.0
	ease       = 0.75 // each delay is this share of the one before
	slideMost  = 220.0
	loopDelay  = 1800.0 // before a frame begins again

	// slideClients is the most clients whose marks slide: with more of them
	// nobody follows a single one, and sixty pictures a second cost a lot.
	slideClients = 300
)

// delay is how long a round stays on screen.
func (p *player) delay(speed float64) float64 {
	d := slowDelay
	for range p.played - slowRounds {
		if d *= ease; d < fastDelay {
			d = fastDelay
			break
		}
	}
	return d / speed
}

// delay is how long the present round stays on screen: at the slowest pace as long
// as its phases want, where they can be told.
func (a *App) delay() float64 {
	if a.phased() {
		return slowDelay / a.Speed
	}
	return a.player.delay(a.Speed)
}

// phased reports whether playing goes through the phases of each round.
func (a *App) phased() bool {
	return a.Speed == Speeds[0] && a.Run != nil && a.Run.Done() && !a.TooLong() && a.requests.took > 0
}

// tickPhases puts the phase in the light whose time it is.
func (a *App) tickPhases(now float64) {
	n := len(a.RoundPhases())
	if !a.phased() || n == 0 || a.Phase == 0 {
		return
	}
	if p := 1 + min(n-1, int(float64(n)*(now-a.player.since)/a.delay())); p != a.Phase {
		a.Phase = p
		a.beginPhaseMove()
		a.Host.Change(host.Shell)
	}
}

// back is how far marks still are from their new places, 1 to 0.
func (a *App) back() float32 {
	p := &a.player
	if !a.Playing || a.Still || p.slide < 60 || a.Shown() == 0 || a.Run.Header.Clients > slideClients {
		return 0
	}
	t := (p.now - p.since) / p.slide
	if t >= 1 {
		return 0
	}
	t = 1 - t
	return float32(t * t * t)
}

// Play starts or pauses. At the end it starts over.
func (a *App) Play(now float64) {
	if a.Playing {
		a.Pause()
		return
	}
	if a.Round >= a.Rounds() {
		a.Round = 0
	}
	a.Start(now, 0)
}

// Start plays until a round, 0 for the last.
func (a *App) Start(now float64, until int) {
	a.Playing, a.stoppedEarly, a.Phase = true, false, 0
	a.player = player{since: now, now: now, until: until}
	a.Host.Change(host.Shell | host.Figures)
}

// Pause stops where it is.
func (a *App) Pause() {
	if a.Playing {
		a.Playing = false
		a.Reveal()
		a.Host.Change(host.Shell | host.Figures | host.Link)
	}
}

// Seek looks at a round.
func (a *App) Seek(round int) {
	a.Playing, a.stoppedEarly = false, false
	a.Round = max(0, min(round, a.length()))
	a.Reveal()
	a.askDetail()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// Step moves by some rounds.
func (a *App) Step(by int) { a.Seek(a.Shown() + by) }

// SetSpeed changes the pace.
func (a *App) SetSpeed(speed float64) {
	a.Speed = speed
	a.Host.Change(host.Shell | host.Link)
}

// Tick advances a playing run to the time now, in ms. It reports whether it
// wants to be called again on the next animation frame.
func (a *App) Tick(now float64) bool {
	strides := a.Run != nil && a.tickPhaseMove(now)
	if !a.Playing || a.Run == nil {
		return a.Playing || strides
	}
	p := &a.player
	end := a.Rounds()
	if p.until > 0 {
		end = min(end, p.until)
	}
	if now-p.since > max(2000, 2*a.delay()) { // the tab was asleep
		p.since = now - a.delay()
	}
	sliding := a.back() > 0 // so that the last picture of a slide is drawn too
	p.now = now
	for now-p.since >= a.delay() {
		if a.Round >= end {
			if a.Frame.Loop && p.until == 0 {
				if now-p.since < loopDelay/a.Speed {
					break
				}
				*p = player{since: now, now: now}
				a.Round = 0
				a.Host.Change(host.Live | host.Figures)
				break
			}
			a.Pause()
			return false
		}
		if a.Round >= a.Run.Finished() {
			if a.requests.stopped {
				a.Pause()
				return false
			}
			p.since = now // wait for the engine
			break
		}
		p.since += a.delay()
		p.played++
		a.Round++
		if a.Round == a.autoStopRound() {
			a.stoppedEarly = true
			a.Pause()
			return false
		}
		if a.Phase = 0; a.phased() {
			a.Phase = 1
			a.askDetail()
		}
		p.slide = min(slideMost, 0.8*a.delay())
		a.Host.Change(host.Live | host.Figures)
	}
	a.tickPhases(now)
	if sliding || a.back() > 0 {
		a.Host.Change(host.Slides)
	}
	return true
}
