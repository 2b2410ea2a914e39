package page

import (
	"os"
	"strings"
	"testing"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/ui/chart"
)

// laneOf returns a lane of four clients in two groups, in a round.
func laneOf(round, misplaced int) LaneWords {
	h := &trace.Header{Clients: 4, Rounds: 9, Groups: 2, Group: []int16{0, 0, 1, 1},
		Lanes: []trace.Lane{{ID: "ifca", Models: 2, Columns: 2}}}
	h.DataPreview.Floor = 0.25
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
	v := chart.View{Run: run, Round: round, Hover: -1, Selected: -1, Followed: -1,
		FindsClusters: func(string) bool { return false }}
	return LaneWords{View: v, Frame: &run.Tracks[0].Frames[round]}
}

func TestLane(t *testing.T) {
	for name, tt := range map[string]struct {
		lane  LaneWords
		kind  verdict.Kind
		score string
		cost  string
	}{
		"nothing":   {LaneWords{}, verdict.Start, "", ""},
		"start":     {laneOf(0, 0), verdict.Start, "error 0.500", "84 down · 56 up"},
		"right":     {laneOf(3, 0), verdict.Right, "ARI 1.00 · error 0.500", "84 down · 56 up"},
		"misplaced": {laneOf(3, 1), verdict.Misplaced, "ARI 0.50 · error 0.500", "84 down · 56 up"},
		"mixed":     {laneOf(3, 1), verdict.Mixed, "error 0.500", "84 down · 56 up"},
		"alike":     {laneOf(3, 1), verdict.Nothing, "error 0.500", "84 down · 56 up"},
		"none":      {laneOf(3, 1), verdict.None, "error 0.500", "84 down · 56 up"},
		"diverged":  {laneOf(3, 1), verdict.Diverged, "", "84 down · 56 up"},
	} {
		tt.lane.Kind = tt.kind
		if got := tt.lane.Score(); got != tt.score {
			t.Errorf("%s: the score is %q, want %q", name, got, tt.score)
		}
		if got := tt.lane.Cost(); got != tt.cost {
			t.Errorf("%s: the cost is %q, want %q", name, got, tt.cost)
		}
	}
	mended := laneOf(5, 0)
	card := mended.Card(2)
	if !strings.HasPrefix(card, ": model ") || !strings.Contains(card, " since round 0") {
		t.Errorf("of client 3 is said %q", card)
	}
}

// In Chinese the texts have their own word order.
func TestLaneInChinese(t *testing.T) {
	table, err := os.ReadFile("../../assets/zh.txt")
	if err != nil {
		t.Fatal(err)
	}
	say.Use("zh-Hans", say.ReadTable(string(table)))
	t.Cleanup(func() { say.Use("", nil) })
	l := laneOf(3, 1)
	for got, want := range map[string]string{l.Cost(): "下行 84 · 上行 56", l.Card(2): "：模型 B，自第 0 轮起；损失 A 0，B 0"} {
		if got != want {
			t.Errorf("the text is %q, want %q", got, want)
		}
	}
}
