package page

import (
	"os"
	"strings"
	"testing"

	"flockscope/sim/say"
	"flockscope/sim/trace"
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
	v := chart.View{Run: run, Round: round, Hover: -1, Selected: -1, Followed: -1, FindsClusters: func(string) bool { return false }}
	return LaneWords{View: v, Frame: &run.Tracks[0].Frames[round]}
}

func TestLane(t *testing.T) {
	for name, tt := range map[string]struct {
		lane               LaneWords
		score, story, cost string
	}{
		"nothing": {LaneWords{}, "", "Nothing computed yet.", ""},
		"start":   {laneOf(0, 0), "", "The start. No client has replied yet.", "84 down · 56 up"},
		"right":   {laneOf(3, 0), "ARI 1.00 · 0 wrong", "All 4 clients are in the right place.", "84 down · 56 up"},
		"wrong":   {laneOf(3, 1), "ARI 0.50 · 1 wrong", "1 of 4 clients is in the wrong place.", "84 down · 56 up"},
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
	alone := laneOf(3, 0)
	alone.Unclustered = true
	got := alone.Score() + "; " + alone.Story()
	if got != "no clusters; Each client has a model of its own: error 0.500, noise floor 0.250." {
		t.Errorf("of a method that makes no clusters is said %q", got)
	}
	mended := laneOf(5, 0)
	card := mended.Card(2)
	if !strings.HasPrefix(card, ": model ") || !strings.Contains(card, " since round 0") {
		t.Errorf("of client 3 is said %q", card)
	}
}

// In Chinese the texts have their own word order, and causes from engines are translated.
func TestLaneInChinese(t *testing.T) {
	stuck := laneOf(3, 0)
	summary := trace.Summary{Settled: -1, Diverged: 2, Cause: say.Messagef("%s: %s", "a", say.Message("diverged"))}
	stuck.View.Run.Tracks[0].Summary = &summary
	told := func() (all []string) {
		for _, l := range []LaneWords{laneOf(3, 0), laneOf(3, 1), stuck} {
			all = append(all, l.Score(), l.Story(), l.Cost())
		}
		client := laneOf(3, 1)
		return append(all, client.Card(2))
	}
	check := func(want ...string) {
		t.Helper()
		for i, got := range told() {
			if got != want[i] {
				t.Errorf("text %d is %q, want %q", i, got, want[i])
			}
		}
	}
	check("ARI 1.00 · 0 wrong", "All 4 clients are in the right place.", "84 down · 56 up",
		"ARI 0.50 · 1 wrong", "1 of 4 clients is in the wrong place.", "84 down · 56 up",
		"diverged", "A: diverged.", "84 down · 56 up", ": model B since round 0; losses A 0, B 0")
	table, err := os.ReadFile("../../assets/zh.txt")
	if err != nil {
		t.Fatal(err)
	}
	say.Use("zh-Hans", say.ReadTable(string(table)))
	t.Cleanup(func() { say.Use("", nil) })
	check("ARI 1.00 · 错 0", "4 个客户端全部到位。", "下行 84 · 上行 56",
		"ARI 0.50 · 错 1", "放错 1 个，共 4 个客户端。", "下行 84 · 上行 56",
		"发散", "A：发散。", "下行 84 · 上行 56", "：模型 B，自第 0 轮起；损失 A 0，B 0")
}
