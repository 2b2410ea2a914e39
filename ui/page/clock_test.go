package page

import "testing"

// The first rounds are slow, to show what a round does, then faster.
func TestDelay(t *testing.T) {
	p := startClock(0, 0)
	last := SlowDelay
	for round := range 40 {
		d := p.Delay(1)
		switch {
		case round <= SlowRounds && d != SlowDelay, d > last, d < FastDelay, round > 30 && d != FastDelay:
			t.Errorf("round %d stays %v ms after %v ms", round, d, last)
		case p.Delay(2) != d/2:
			t.Errorf("at twice the pace round %d stays %v ms of %v ms", round, p.Delay(2), d)
		}
		last = d
		p.Next(d)
	}
}

// After a suspension one round is due.
func TestClockAfterSuspension(t *testing.T) {
	p := startClock(0, 7)
	if p.End(200) != 7 || p.End(3) != 3 || p.PlaysToEnd() {
		t.Errorf("it pauses at round %d of 200", p.End(200))
	}
	p.Tick(1e6, SlowDelay)
	if p.Elapsed() != SlowDelay {
		t.Errorf("after a long sleep the round has been there for %v ms", p.Elapsed())
	}
	p.Next(SlowDelay)
	p.BeginSlide(SlowDelay)
	if p.SlideOffset() != 1 {
		t.Errorf("marks set out %v of their way back", p.SlideOffset())
	}
	p.Tick(1e6+SlowDelay/2, SlowDelay)
	if p.SlideOffset() != 0 {
		t.Errorf("half a round later marks are still %v back", p.SlideOffset())
	}
}
