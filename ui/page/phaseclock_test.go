package page

import (
	"testing"
)

func TestMove(t *testing.T) {
	var m Move
	if m.Fraction() != 1 || m.Active() {
		t.Error("a move that never began is on its way")
	}
	m.Begin(1000)
	last := float32(0)
	for now := 1000.0; now < 1000+MoveTime; now += 50 {
		m.Tick(now, false)
		if s := m.Fraction(); s < last || s > 1 || !m.Active() {
			t.Errorf("%v ms on, %v of the way is done after %v", now-1000, s, last)
		} else {
			last = s
		}
	}
	if m.Tick(1000+MoveTime, false); m.Active() || m.Fraction() != 1 {
		t.Error("it does not arrive")
	}
	m.Begin(5)
	if m.Tick(6, true); m.Active() {
		t.Error("it does not stop")
	}
	at, memory := Interpolate(nil, []float32{0, 2}, []float32{4, 2}, 0.5)
	if at[0] != 2 || at[1] != 2 || len(memory) != 2 {
		t.Errorf("half the way is %v", at)
	}
}
