// Package player says how a run moves on screen: at which pace rounds follow each other and
// marks slide (player.go), how a phase of a round moves into place (move.go), and where
// playing stops by itself (autostop.go).
package player

// The pace: slow enough at first that one sees what a round does, then faster.
const (
	SlowRounds = 5
	SlowDelay  = 700.0 // ms
	FastDelay  = 45.0
	LoopDelay  = 1800.0 // before a frame begins again

	ease      = 0.75 // each delay is this share of the one before
	slideMost = 220.0
	slideMin  = 60.0

	// MostSliding is the most clients whose marks slide: with more of them
	// nobody follows a single one, and sixty pictures a second cost a lot.
	MostSliding = 300
)

// Player moves through the rounds by itself. Times are in ms, of the clock of animation
// frames.
type Player struct {
	since  float64 // time at which the present round was reached
	played int     // rounds since play was pressed: the first ones go slowly
	until  int     // round at which to pause; 0 for the last
	slide  float64 // how long marks slide into their new places
	now    float64
}

// Start is a player that begins now and pauses at a round, 0 for the last.
func Start(now float64, until int) Player { return Player{since: now, now: now, until: until} }

// Delay is how long the present round stays on screen at a speed; 1 is the usual one.
func (p *Player) Delay(speed float64) float64 {
	d := SlowDelay
	for range p.played - SlowRounds {
		if d *= ease; d < FastDelay {
			d = FastDelay
			break
		}
	}
	return d / speed
}

// End is the round at which to pause, of a run of rounds.
func (p *Player) End(rounds int) int {
	if p.until > 0 {
		return min(rounds, p.until)
	}
	return rounds
}

// ToTheEnd reports whether it plays all rounds.
func (p *Player) ToTheEnd() bool { return p.until == 0 }

// Tick moves on to the time now. After a long time in which it was not called, as in a tab
// that was asleep, one round is due and not many.
func (p *Player) Tick(now, delay float64) {
	if now-p.since > max(2000, 2*delay) {
		p.since = now - delay
	}
	p.now = now
}

// Shown is for how long the present round has been on screen.
func (p *Player) Shown() float64 { return p.now - p.since }

// Wait begins with the present round anew.
func (p *Player) Wait() { p.since = p.now }

// Next goes to the next round after the delay of the present one.
func (p *Player) Next(delay float64) {
	p.since += delay
	p.played++
}

// Slide has marks slide into their new places, within the delay of the round.
func (p *Player) Slide(delay float64) { p.slide = min(slideMost, 0.8*delay) }

// Awake goes on where the page fell asleep.
func (p *Player) Awake(now float64) { p.since, p.now = now, now }

// Back is how far marks still are from their new places, 1 to 0.
func (p *Player) Back() float32 {
	if p.slide < slideMin {
		return 0
	}
	t := (p.now - p.since) / p.slide
	if t >= 1 {
		return 0
	}
	t = 1 - t
	return float32(t * t * t)
}
