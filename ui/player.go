package ui

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

// back is how far marks still are from their new places, 1 to 0.
func (p *player) back(a *App) float32 {
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
	a.start(now, 0)
}

// start plays until a round, 0 for the last.
func (a *App) start(now float64, until int) {
	a.Playing, a.rested = true, false
	a.player = player{since: now, now: now, until: until}
	a.OnChange(Shell | Figures)
}

// Pause stops where it is.
func (a *App) Pause() {
	if a.Playing {
		a.Playing = false
		a.reveal()
		a.OnChange(Shell | Figures | Link)
	}
}

// Seek looks at a round.
func (a *App) Seek(round int) {
	a.Playing, a.rested = false, false
	a.Round = max(0, min(round, a.Rounds()))
	a.reveal()
	a.OnChange(Shell | Figures | Link)
}

// Step moves by some rounds.
func (a *App) Step(by int) { a.Seek(a.Shown() + by) }

// SetSpeed changes the pace.
func (a *App) SetSpeed(speed float64) {
	a.Speed = speed
	a.OnChange(Shell | Link)
}

// Tick advances a playing run to the time now, in ms. It reports whether it
// wants to be called again on the next animation frame.
func (a *App) Tick(now float64) bool {
	if !a.Playing || a.Run == nil {
		return a.Playing
	}
	p := &a.player
	end := a.Rounds()
	if p.until > 0 {
		end = min(end, p.until)
	}
	if now-p.since > max(2000, 2*p.delay(a.Speed)) { // the tab was asleep
		p.since = now - p.delay(a.Speed)
	}
	sliding := p.back(a) > 0 // so that the last picture of a slide is drawn too
	p.now = now
	for now-p.since >= p.delay(a.Speed) {
		if a.Round >= end {
			if a.Frame.Loop && p.until == 0 {
				if now-p.since < loopDelay/a.Speed {
					break
				}
				*p = player{since: now, now: now}
				a.Round = 0
				a.OnChange(Live | Figures)
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
		p.since += p.delay(a.Speed)
		p.played++
		a.Round++
		if a.Round == a.restRound() {
			a.rested = true
			a.Pause()
			return false
		}
		p.slide = min(slideMost, 0.8*p.delay(a.Speed))
		a.OnChange(Live | Figures)
	}
	if sliding || p.back(a) > 0 {
		a.OnChange(Slides)
	}
	return true
}
