package verdict

import (
	"math"
	"testing"

	"flockscope/sim/trace"
)

// A lane is diverging from the round in which its loss explodes, until it recovers.
func TestDiverging(t *testing.T) {
	no := math.NaN()                                                 // not evaluated
	slow := []float64{2, 2.4, 2.9, 3.5, 4.2, 5, 6, 7.2, 8.6, 10, 12} // a fifth a round
	for _, tt := range []struct {
		name   string
		losses []float64
		from   int // the first round that is called diverging, −1 for none
		to     int // the last
	}{
		{"falls", []float64{2, 1, 0.5, 0.4, 0.3, 0.2, 0.1}, -1, -1},
		{"slow", slow, -1, -1},
		{"doubles", []float64{2, 1, 2, 4, 8, 16, 32, 64}, 6, 7},
		{"jumps", []float64{2, 1, 30_000, 40_000, 1, 1}, 2, 3},
		{"doubles where evaluated", []float64{2, no, 4, no, 8, no, 16, no, 32, no, 64, no, 1, no}, 10, 11},
		{"jumps where evaluated", []float64{2, no, 30_000, no, no, 1, no}, 2, 4},
		{"from nothing", []float64{0, 1, 2, 4, 8, 16, 32}, -1, -1},
	} {
		run := &trace.Run{Tracks: []trace.Track{{}}}
		for round, loss := range tt.losses {
			f := trace.Frame{Round: round}
			f.Loss = loss
			run.Tracks[0].Frames = append(run.Tracks[0].Frames, f)
		}
		for round := range tt.losses {
			want := tt.from >= 0 && round >= tt.from && round <= tt.to
			if got := Diverging(run, 0, round); got != want {
				t.Errorf("%s: in round %d it is diverging: %v, want %v", tt.name, round, got, want)
			}
		}
	}
}
