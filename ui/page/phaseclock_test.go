package page

import (
	"testing"
)

func TestMove(t *testing.T) {
	const length = 900.0
	var m Move
	if m.Part() != 1 || m.Active() {
		t.Error("a move that never began is active")
	}
	m.Begin(1000, length)
	last := float32(0)
	for now := 1000.0; now < 1000+length; now += 50 {
		m.Tick(now, false)
		if s := m.Part(); s < last || s > 1 || !m.Active() {
			t.Errorf("after %v ms the part is %v, it was %v", now-1000, s, last)
		} else {
			last = s
		}
	}
	if m.Tick(1000+length, false); m.Active() || m.Part() != 1 {
		t.Error("it does not end")
	}
	m.Begin(5, length)
	if m.Tick(6, true); m.Active() {
		t.Error("it does not stop")
	}
	at, memory := Interpolate(nil, []float32{0, 2}, []float32{4, 2}, 0.5)
	if at[0] != 2 || at[1] != 2 || len(memory) != 2 {
		t.Errorf("half the way is %v", at)
	}
	if ease(0) != 0 || ease(0.5) != 0.5 || ease(1) != 1 || ease(0.1) > 0.1 || ease(0.9) < 0.9 {
		t.Errorf("ease is %v %v %v", ease(0), ease(0.5), ease(1))
	}
}
