package fl

import (
	"slices"
	"testing"
)

// TestClock: an exchange lasts as long as the slowest answer, by hand: latency and
// all floats over the bandwidth, models of two floats; a model that is there takes no
// time again.
func TestClock(t *testing.T) {
	r := fixture(2, 3)
	r.Clock = &Clock{Latency: []float64{1, 2, 0.5}, Bandwidth: []float64{1, 4, 2}}
	want := 0.0
	for round := range 2 {
		r.Begin(round)
		for i := range 3 {
			r.AskUpdate(i, 0) // 2 down, 2 up: 1 + 4, 2 + 1, 0.5 + 2
		}
		r.Ask()
		if want += 5; r.Clock.Elapsed != want {
			t.Errorf("round %d: the clock shows %v, want %v", round, r.Clock.Elapsed, want)
		}
		r.AskUpdate(1, 0) // there already: 2 up
		r.AskLosses(2)    // the other model down, 2 losses up
		r.Ask()
		if want += 2.5; r.Clock.Elapsed != want {
			t.Errorf("round %d: the clock shows %v, want %v", round, r.Clock.Elapsed, want)
		}
		if r.Ask(); r.Clock.Elapsed != want {
			t.Errorf("round %d: a server that asks nobody waits until %v", round, r.Clock.Elapsed)
		}
	}
}

// TestDeadline: who is late is not heard of in this round any more and has not sent
// anything, and the server waits for nobody after the deadline. Nor does it know who
// dropped out by itself.
func TestDeadline(t *testing.T) {
	r := fixture(2, 3)
	r.Clock = &Clock{Latency: []float64{1, 2, 0.5}, Bandwidth: []float64{1, 4, 2}, Deadline: 3}
	ask := func() {
		for i := range 3 {
			r.AskUpdate(i, 0)
		}
		r.Ask()
	}
	r.Begin(0)
	ask() // 5, 3 and 2.5
	if !slices.Equal(r.Replied, []int{1, 2}) || !r.Dropped(0) || r.Clock.Elapsed != 3 {
		t.Errorf("answers by %v after %v, want those of 1 and 2 after 3", r.Replied, r.Clock.Elapsed)
	}
	if want := (Traffic{Down: 6, Up: 4}); *r.Traffic != want {
		t.Errorf("traffic %+v, want %+v", *r.Traffic, want)
	}
	if ask(); !slices.Equal(r.Replied, []int{1, 2}) || r.Clock.Elapsed != 6 {
		t.Errorf("asked again, answers by %v after %v, want no other than before, at 6", r.Replied, r.Clock.Elapsed)
	}
	r.Begin(1)
	r.Clock.Bandwidth[0] = 4
	r.SetParticipants([]int{0, 1, 2}, []bool{false, false, true})
	if ask(); !slices.Equal(r.Replied, []int{0, 1}) || r.Clock.Elapsed != 9 {
		t.Errorf("in the next round answers by %v after %v, want those of 0 and 1 at 9", r.Replied, r.Clock.Elapsed)
	}
	r.Clock.Deadline, r.Clock.Elapsed = 0, 0
	r.Begin(2)
	r.SetParticipants([]int{0, 1, 2}, []bool{false, true, false})
	if ask(); r.Clock.Elapsed != 2.5 {
		t.Errorf("without a deadline the server waits for %v, want 2.5: not for the one who drops out", r.Clock.Elapsed)
	}
}

// TestHome: what stays at home costs neither floats nor time, and is never late; of an
// answer the model stays.
func TestHome(t *testing.T) {
	r := fixture(2, 2)
	r.Clock = &Clock{Latency: []float64{9, 9}, Bandwidth: []float64{1, 1}, Deadline: 1}
	r.Begin(0)
	r.Local = true
	r.AskUpdate(0, 0)
	r.AskUpdate(1, 1)
	if r.Ask(); *r.Traffic != (Traffic{}) || r.Clock.Elapsed != 0 || len(r.Replied) != 2 {
		t.Errorf("at home: traffic %+v after %v by %v", *r.Traffic, r.Clock.Elapsed, r.Replied)
	}
	r.Clock.Deadline = 0
	r.Exchange.Replies[0].Answer = []float32{1, 2, 3}
	r.AskCall(0, 1, []float32{4, 5}, 0)
	if r.Ask(); *r.Traffic != (Traffic{Down: 2, Up: 1}) || r.Clock.Elapsed != 9+3 {
		t.Errorf("traffic %+v after %v, want 2 down, 1 up, 12", *r.Traffic, r.Clock.Elapsed)
	}
}
