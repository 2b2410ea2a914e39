package words

import (
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// lane is a lane of four clients of two groups, in a round.
func lane(round, misplaced int) Lane {
	h := &trace.Header{Clients: 4, Rounds: 9, Groups: 2, Group: []int16{0, 0, 1, 1},
		Lanes: []trace.Lane{{ID: "ifca", Models: 2, Columns: 2}}}
	h.Scenery.Floor = 0.25
	run := trace.NewRun(h)
	f := trace.Frame{Round: round, Label: []uint16{0, 0, 1, 1}, Losses: make([]float32, 8)}
	f.Clusters, f.Misplaced, f.ARI, f.Loss = 2, misplaced, 1, 0.5
	if misplaced > 0 {
		f.ARI = 0.5
	}
	f.Down, f.Up = 84, 56
	for t := range round {
		before := f
		before.Round = t
		run.Tracks[0].Frames = append(run.Tracks[0].Frames, before)
	}
	run.Tracks[0].Frames = append(run.Tracks[0].Frames, f)
	v := chart.View{Run: run, Round: round, Hover: -1, Selected: -1, Finds: func(string) bool { return false }}
	return Lane{View: v, Frame: &run.Tracks[0].Frames[round]}
}

func TestLane(t *testing.T) {
	for name, tt := range map[string]struct {
		lane               Lane
		score, story, cost string
	}{
		"nothing": {Lane{}, "", "Nothing computed yet.", ""},
		"start":   {lane(0, 0), "", "The start. No client has been heard yet.", "84 down · 56 up"},
		"right":   {lane(3, 0), "ARI 1.00 · 0 wrong", "All 4 clients are in the right place.", "84 down · 56 up"},
		"wrong":   {lane(3, 1), "ARI 0.50 · 1 wrong", "1 of 4 clients is in the wrong place.", "84 down · 56 up"},
	} {
		if got := tt.lane.Score(); got != tt.score {
			t.Errorf("%s: the score is %q, want %q", name, got, tt.score)
		}
		if got := tt.lane.Story(); got != tt.story {
			t.Errorf("%s: the story is %q, want %q", name, got, tt.story)
		}
		if got := tt.lane.Cost(); got != tt.cost {
			t.Errorf("%s: the cost is %q, want %q", name, got, tt.cost)
		}
	}
	alone := lane(3, 0)
	alone.Unclustered = true
	got := alone.Score() + "; " + alone.Story()
	if got != "no clusters; Each client has a model of its own: error 0.500, best possible 0.250." {
		t.Errorf("of a method that makes no clusters is said %q", got)
	}
	mended := lane(5, 0)
	card := mended.Card(2)
	if !strings.HasPrefix(card, ": model ") || !strings.Contains(card, " since round 0") {
		t.Errorf("of client 3 is said %q", card)
	}
}
