package page

// The delays of rounds: slow at first, to show what a round does, then faster.
const (
	SlowRounds = 5
	SlowDelay  = 700.0 // ms
	FastDelay  = 45.0
	LoopDelay  = 1800.0 // before a looping frame restarts

	delayRatio = 0.75 // ratio of each delay to the previous one
	maxSlide   = 220.0
	minSlide   = 60.0
)

// Clock computes when the next round is due. Times are in ms, of the clock of animation frames.
type Clock struct {
	roundStart   float64 // when the current round was reached
	roundsPlayed int     // since playing started: the first rounds are slow
	until        int     // round at which playing pauses; 0 for the last
	slideTime    float64 // how long marks slide to their new positions
	now          float64
}

// startClock returns a clock that starts now and pauses at a round, 0 for the last.
func startClock(now float64, until int) Clock { return Clock{roundStart: now, now: now, until: until} }

// Delay returns how long the current round stays on screen at a speed; 1 is the default.
func (c *Clock) Delay(speed float64) float64 {
	d := SlowDelay
	for range c.roundsPlayed - SlowRounds {
		if d *= delayRatio; d < FastDelay {
			d = FastDelay
			break
		}
	}
	return d / speed
}

// End returns the round at which to pause a run of some rounds.
func (c *Clock) End(rounds int) int {
	if c.until > 0 {
		return min(rounds, c.until)
	}
	return rounds
}

// PlaysToEnd reports whether the clock plays all rounds.
func (c *Clock) PlaysToEnd() bool { return c.until == 0 }

// Tick sets the time. After a long gap without ticks, as in a suspended tab, only one round is due.
func (c *Clock) Tick(now, delay float64) {
	if now-c.roundStart > max(2000, 2*delay) {
		c.roundStart = now - delay
	}
	c.now = now
}

// Elapsed returns how long the current round has been on screen.
func (c *Clock) Elapsed() float64 { return c.now - c.roundStart }

// RestartRound restarts the delay of the current round.
func (c *Clock) RestartRound() { c.roundStart = c.now }

// Next moves to the next round, whose time begins at the end of the delay.
func (c *Clock) Next(delay float64) {
	c.roundStart += delay
	c.roundsPlayed++
}

// BeginSlide lets marks slide to their new positions within the delay of the round.
func (c *Clock) BeginSlide(delay float64) { c.slideTime = min(maxSlide, 0.8*delay) }

// Resume restarts the current round after the page was suspended.
func (c *Clock) Resume(now float64) { c.roundStart, c.now = now, now }

// SlideOffset returns how far marks are from their new positions, from 1 to 0.
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
