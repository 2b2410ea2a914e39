package page

import (
	"strconv"

	"flockscope/sim/registry"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// Speeds are the available speeds.
var Speeds = []float64{0.25, 0.5, 1, 2, 4}

// SpeedText formats a speed.
func SpeedText(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) + "×" }

// Player plays the rounds of a run. Times are in ms, of the clock of animation frames.
type Player struct {
	Playing       bool
	ReducedMotion bool // no animations and no autoplay
	HoveredRound  int  // round of the timeline under the pointer, 0 for none
	Scrubbing     bool // the scrubber has the keyboard focus

	page         *State
	clock        Clock
	autoStop     AutoStop
	stoppedEarly bool // auto-stop has ended playing
	resting      int  // the round that the page chose for a link without one, 0 for none
	events       progress.History
}

// delay returns how long the current round stays on screen: at the slowest speed, as long as its
// phases need.
func (p *Player) delay() float64 {
	if p.playsPhases() {
		return SlowDelay / p.page.Speed
	}
	return p.clock.Delay(p.page.Speed)
}

// playsPhases reports whether playing shows the phases of each round.
func (p *Player) playsPhases() bool {
	return p.page.Speed == Speeds[0] && p.page.Run != nil && p.page.Run.Done() && !p.page.Phases.ReplayTooLong() &&
		p.page.Runs.RunTime() > 0
}

// tickPhases shows the phase that is due.
func (p *Player) tickPhases() {
	if !p.playsPhases() || p.page.Phases.At == 0 {
		return
	}
	n := int(registry.Phases)
	if at := 1 + min(n-1, int(float64(n)*p.clock.Elapsed()/p.delay())); at != p.page.Phases.At {
		p.page.Phases.At = at
		p.page.Phases.BeginMove()
		p.page.effects.Redraw(host.Shell)
	}
}

// SlideOffset returns how far marks are from their new positions, from 1 to 0.
func (p *Player) SlideOffset() float32 {
	if !p.Playing || p.ReducedMotion || p.page.Shown() == 0 || p.page.Run.Header.Clients > MaxSliding {
		return 0
	}
	return p.clock.SlideOffset()
}

// TogglePlay: the user starts or pauses playing. At the end, and where a link without a round opens, it
// starts over.
type TogglePlay struct{}

func (TogglePlay) update(s *State) {
	if s.Player.Playing {
		s.pause()
		return
	}
	if s.Runs.waiting {
		s.Runs.RunAgain()
	}
	if s.Round >= s.Rounds() || s.Round == s.Player.resting {
		s.Round = 0
	}
	StartPlaying{}.update(s)
}

// StartPlaying plays up to a round, 0 for the last.
type StartPlaying struct{ Until int }

func (m StartPlaying) update(s *State) {
	p := s.Player
	p.Playing, p.stoppedEarly, s.Phases.At, s.Phases.Watching = true, false, 0, false
	p.clock = startClock(s.now, m.Until)
	s.Runs.setPaused(false)
	s.effects.Redraw(host.Shell | host.Figures)
}

// Pause: playing pauses at the current round.
type Pause struct{}

func (Pause) update(s *State) {
	if s.Player.Playing {
		s.Player.Playing = false
		s.Lessons.HandlePause()
		s.effects.Redraw(host.Shell | host.Figures | host.Link)
	}
}

// Seek: the user goes to a round.
type Seek struct{ Round int }

func (m Seek) update(s *State) {
	s.Player.Playing, s.Player.stoppedEarly, s.Phases.Watching = false, false, false
	s.Round = max(0, min(m.Round, s.requestedRounds()))
	s.Lessons.HandlePause()
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// StepRound: the user goes some rounds forward or back.
type StepRound struct{ By int }

func (m StepRound) update(s *State) {
	Seek{s.Shown() + m.By}.update(s)
}

// SetSpeed: the user changes the speed.
type SetSpeed struct{ Speed float64 }

func (m SetSpeed) update(s *State) {
	s.Speed = m.Speed
	s.effects.Redraw(host.Shell | host.Link)
}

// Tick: an animation frame is due.
type Tick struct{}

func (Tick) update(s *State) {
	s.Runs.showStart()
	s.Animating = s.Player.tick(s.now)
}

// tick advances playing and animations, and reports whether it needs another animation frame.
func (p *Player) tick(now float64) bool {
	moves := p.page.Run != nil && p.page.Phases.tick(now)
	if !p.Playing || p.page.Run == nil {
		return p.Playing || moves
	}
	c := &p.clock
	end := c.End(p.page.Rounds())
	sliding := p.SlideOffset() > 0 // to draw the last picture of a slide
	c.Tick(now, p.delay())
	for c.Elapsed() >= p.delay() {
		if p.page.Round >= end {
			if p.page.Frame.Loop && c.PlaysToEnd() {
				if c.Elapsed() < LoopDelay/p.page.Speed {
					break
				}
				*c = startClock(now, 0)
				p.page.Round = 0
				p.page.effects.Redraw(host.Live | host.Figures)
				break
			}
			Pause{}.update(p.page)
			return false
		}
		if p.page.Round >= p.page.Run.Finished() {
			if p.page.Runs.Stopped() {
				Pause{}.update(p.page)
				return false
			}
			c.RestartRound() // for the engine
			break
		}
		c.Next(p.delay())
		p.page.Round++
		if p.page.Round == p.autoStopRound() {
			p.stoppedEarly = true
			Pause{}.update(p.page)
			return false
		}
		if p.page.Phases.At = 0; p.playsPhases() {
			p.page.Phases.At = 1
			p.page.Phases.RequestDetail()
		}
		c.BeginSlide(p.delay())
		p.page.effects.Redraw(host.Live | host.Figures)
	}
	p.tickPhases()
	if sliding || p.SlideOffset() > 0 {
		p.page.effects.Redraw(host.Slides)
	}
	return true
}

// UpdateTime sets the time: the progress texts of a run depend on it.
type UpdateTime struct{}

func (UpdateTime) update(s *State) { s.Runs.showStart() }

// Resume: the browser resumes a suspended page, and playing continues.
type Resume struct{}

func (Resume) update(s *State) { s.Player.clock.Resume(s.now) }

// SetReducedMotion: the system turns reduced motion on or off.
type SetReducedMotion struct{ On bool }

func (m SetReducedMotion) update(s *State) {
	s.Player.ReducedMotion = m.On
	s.effects.Redraw(host.Shell | host.Figures)
}
