package ui

import (
	"flockscope/ui/host"
	"flockscope/ui/player"
)

// delay is how long the present round stays on screen: at the slowest pace as long
// as its phases want, where they can be told.
func (a *App) delay() float64 {
	if a.phased() {
		return player.SlowDelay / a.Speed
	}
	return a.player.Delay(a.Speed)
}

// phased reports whether playing goes through the phases of each round.
func (a *App) phased() bool {
	return a.Speed == Speeds[0] && a.Run != nil && a.Run.Done() && !a.Phases.TooLong() && a.Runs.RunTime() > 0
}

// tickPhases puts the phase in the light whose time it is.
func (a *App) tickPhases() {
	n := len(a.Phases.All())
	if !a.phased() || n == 0 || a.Phases.At == 0 {
		return
	}
	if p := 1 + min(n-1, int(float64(n)*a.player.Shown()/a.delay())); p != a.Phases.At {
		a.Phases.At = p
		a.Phases.BeginMove()
		a.Host.Change(host.Shell)
	}
}

// back is how far marks still are from their new places, 1 to 0.
func (a *App) back() float32 {
	if !a.Playing || a.Still || a.Shown() == 0 || a.Run.Header.Clients > player.MostSliding {
		return 0
	}
	return a.player.Back()
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
	a.Playing, a.stoppedEarly, a.Phases.At = true, false, 0
	a.player = player.Start(now, until)
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
	a.Phases.Ask()
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
	moves := a.Run != nil && a.Phases.Tick(now)
	if !a.Playing || a.Run == nil {
		return a.Playing || moves
	}
	p := &a.player
	end := p.End(a.Rounds())
	sliding := a.back() > 0 // so that the last picture of a slide is drawn too
	p.Tick(now, a.delay())
	for p.Shown() >= a.delay() {
		if a.Round >= end {
			if a.Frame.Loop && p.ToTheEnd() {
				if p.Shown() < player.LoopDelay/a.Speed {
					break
				}
				*p = player.Start(now, 0)
				a.Round = 0
				a.Host.Change(host.Live | host.Figures)
				break
			}
			a.Pause()
			return false
		}
		if a.Round >= a.Run.Finished() {
			if a.Runs.Stopped() {
				a.Pause()
				return false
			}
			p.Wait() // for the engine
			break
		}
		p.Next(a.delay())
		a.Round++
		if a.Round == a.autoStopRound() {
			a.stoppedEarly = true
			a.Pause()
			return false
		}
		if a.Phases.At = 0; a.phased() {
			a.Phases.At = 1
			a.Phases.Ask()
		}
		p.Slide(a.delay())
		a.Host.Change(host.Live | host.Figures)
	}
	a.tickPhases()
	if sliding || a.back() > 0 {
		a.Host.Change(host.Slides)
	}
	return true
}
