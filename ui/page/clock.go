package page

// The pace: slow enough at first that one sees what a round does, then faster.
const (
	SlowRounds = 5
	SlowDelay  = 700.0 // ms
	FastDelay  = 45.0
	LoopDelay  = 1800.0 // before a frame begins again

	ease      = 0.75 // each delay is this share of the one before
	slideMost = 220.0
	slideMin  = 60.0
)

// Clock says when the next round is due. Times are in ms, of the clock of animation
// frames.
type Clock struct {
	since  float64 // time at which the present round was reached
	played int     // rounds since play was pressed: the first ones go slowly
	until  int     // round at which to pause; 0 for the last
	slide  float64 // how long marks slide into their new places
	now    float64
}

// startClock is a clock that begins now and pauses at a round, 0 for the last.
func startClock(now float64, until int) Clock { return Clock{since: now, now: now, until: until} }

// Delay is how long the present round stays on screen at a speed; 1 is the usual one.
func (c *Clock) Delay(speed float64) float64 {
	d := SlowDelay
	for range c.played - SlowRounds {
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

// ToTheEnd reports whether it plays all rounds.
func (c *Clock) ToTheEnd() bool { return c.until == 0 }

// Tick moves on to the time now. After a long time in which it was not called, as in a tab
// that was asleep, one round is due and not many.
func (c *Clock) Tick(now, delay float64) {
	if now-c.since > max(2000, 2*delay) {
		c.since = now - delay
	}
	c.now = now
}

// Shown is for how long the present round has been on screen.
func (c *Clock) Shown() float64 { return c.now - c.since }

// Wait begins with the present round anew.
func (c *Clock) Wait() { c.since = c.now }

// Next goes to the next round after the delay of the present one.
func (c *Clock) Next(delay float64) {
	c.since += delay
	c.played++
}

// Slide has marks slide into their new places, within the delay of the round.
func (c *Clock) Slide(delay float64) { c.slide = min(slideMost, 0.8*delay) }

// Awake goes on where the page fell asleep.
func (c *Clock) Awake(now float64) { c.since, c.now = now, now }

// Back is how far marks still are from their new places, 1 to 0.
func (c *Clock) Back() float32 {
	if c.slide < slideMin {
		return 0
	}
	t := (c.now - c.since) / c.slide
	if t >= 1 {
		return 0
	}
	t = 1 - t
	return float32(t * t * t)
}
