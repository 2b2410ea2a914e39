package page

// The pace: slow enough at first that one sees what a round does, then faster.
const (
	SlowRounds = 5
	SlowDelay  = 700.0 // ms
	FastDelay  = 45.0
	LoopDelay  = 1800.0 // before a frame begins again

	ease     = 0.75 // each delay is this share of the one before
	maxSlide = 220.0
	minSlide = 60.0
)

// Clock says when the next round is due. Times are in ms, of the clock of animation
// frames.
type Clock struct {
	roundStart   float64 // time at which the present round was reached
	roundsPlayed int     // rounds since play was pressed: the first ones go slowly
	until        int     // round at which to pause; 0 for the last
	slideTime    float64 // how long marks slide into their new places
	now          float64
}

// startClock is a clock that begins now and pauses at a round, 0 for the last.
func startClock(now float64, until int) Clock { return Clock{roundStart: now, now: now, until: until} }

// Delay is how long the present round stays on screen at a speed; 1 is the usual one.
func (c *Clock) Delay(speed float64) float64 {
	d := SlowDelay
	for range c.roundsPlayed - SlowRounds {
		if d *= ease; d < FastDelay {
			d = FastDelay
			break
		}
	}
	return d / speed
}

// End is the round at which to pause, of a run of rounds.
func (c *Clock) End(rounds int) int {
	if c.until > 0 {
		return min(rounds, c.until)
	}
	return rounds
}

// PlaysToEnd reports whether it plays all rounds.
func (c *Clock) PlaysToEnd() bool { return c.until == 0 }

// Tick moves on to the time now. After a long time in which it was not called, as in a tab
// that was asleep, one round is due and not many.
func (c *Clock) Tick(now, delay float64) {
	if now-c.roundStart > max(2000, 2*delay) {
		c.roundStart = now - delay
	}
	c.now = now
}

// Elapsed is for how long the present round has been on screen.
func (c *Clock) Elapsed() float64 { return c.now - c.roundStart }

// RestartRound begins with the present round anew.
func (c *Clock) RestartRound() { c.roundStart = c.now }

// Next goes to the next round after the delay of the present one.
func (c *Clock) Next(delay float64) {
	c.roundStart += delay
	c.roundsPlayed++
}

// BeginSlide has marks slide into their new places, within the delay of the round.
func (c *Clock) BeginSlide(delay float64) { c.slideTime = min(maxSlide, 0.8*delay) }

// Resume goes on where the page fell asleep.
func (c *Clock) Resume(now float64) { c.roundStart, c.now = now, now }

// SlideOffset is how far marks still are from their new places, 1 to 0.
func (c *Clock) SlideOffset() float32 {
	if c.slideTime < minSlide {
		return 0
	}
	t := (c.now - c.roundStart) / c.slideTime
	if t >= 1 {
		return 0
	}
	t = 1 - t
	return float32(t * t * t)
}
