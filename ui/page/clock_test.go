package page

import "testing"

// The first rounds go slowly, so that one sees what a round does, then faster.
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

// A tab that was asleep goes on with one round.
func TestAsleep(t *testing.T) {
	p := startClock(0, 7)
	if p.End(200) != 7 || p.End(3) != 3 || p.ToTheEnd() {
		t.Errorf("it pauses at round %d of 200", p.End(200))
	}
	p.Tick(1e6, SlowDelay)
	if p.Shown() != SlowDelay {
		t.Errorf("after a long sleep the round has been there for %v ms", p.Shown())
	}
	p.Next(SlowDelay)
	p.Slide(SlowDelay)
	if p.Back() != 1 {
		t.Errorf("marks set out %v of their way back", p.Back())
	}
	p.Tick(1e6+SlowDelay/2, SlowDelay)
	if p.Back() != 0 {
		t.Errorf("half a round later marks are still %v back", p.Back())
	}
}
