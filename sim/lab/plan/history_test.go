package plan_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/trace"
)

// handMade returns the lane of a made-up run of four clients of two groups with two classes, whose models have ten
// parameters. frames are the rounds from 0; partial means that only some clients take part.
func handMade(t *testing.T, rounds int, partial bool, frames []trace.Frame) plan.Lane {
	t.Helper()
	c, problems := catalog.Schema().Parse(fmt.Sprintf("data=digits&C=4&T=%d&algos=ifca", rounds))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cell := plan.CellOf(c, 0, "")
	w := cell.Watch()
	h := &trace.Header{Clients: 4, Rounds: rounds, Groups: 2, Group: []int16{0, 0, 1, 1},
		Lanes: []trace.Lane{{ID: "ifca", Algorithm: "ifca", Size: 10, Models: 2}}}
	for _, n := range [][]int{{5, 0}, {4, 1}, {0, 5}, {0, 6}} {
		h.DataPreview.Gallery.Clients = append(h.DataPreview.Gallery.Clients, trace.ClientSummary{PerClass: n})
	}
	w.Begin(h)
	for round := range frames {
		f := &frames[round]
		f.Round = round
		f.Down, f.Up = float64(20*round), float64(10*round) // per client: two models down, one up
		f.Computed = float64(100 * round)
		if partial {
			f.Events |= trace.Partial
		}
		if f.Label == nil {
			f.Label = frames[round-1].Label
		} else if round > 0 {
			f.Events |= trace.Moved
		}
		f.Clusters = len(slices.Compact(slices.Sorted(slices.Values(f.Label))))
		if f.Accuracy > 0 {
			f.Events |= trace.Evaluated
			f.Accuracies, f.Confusion = make([]float32, 4), make([]uint16, 4*2*2)
		} else {
			f.Loss = math.NaN()
		}
		w.Frame(0, f)
	}
	last := frames[len(frames)-1]
	w.End(0, &trace.Summary{Metrics: last.Metrics, Settled: -1, FirstCorrect: -1, Diverged: -1})
	return w.Record().Lanes[0]
}

// Each number of a history is that of a run made by hand.
func TestHistory(t *testing.T) {
	frames := make([]trace.Frame, 13) // rounds 0 to 12
	ari := []float64{0, 0.1, 0.5, 0.8, 0.93, 0.7, 0.7, 0.7, 0.7, 0.7, 0.85, 0.95, 0.96}
	for i := range frames {
		frames[i].ARI, frames[i].ARIParticipants = ari[i], ari[i]/2+0.5
	}
	frames[0].Label = []uint16{0, 0, 0, 0}
	frames[1].Label = []uint16{0, 1, 2, 3}
	frames[3].Label = []uint16{1, 1, 0, 0}
	frames[5].Label = []uint16{0, 0, 1, 1}       // the same clustering under other names
	frames[4].Spectrum = []float32{9, 8, 1, 0.5} // the newest of which counts
	frames[9].Spectrum = []float32{9, 8, 7, 1, 0.5}
	frames[7].Events = trace.ClusteringStopped
	frames[12].Losses = []float32{1, 2, 9, 9, 3, 4, 9, 9} // clients × models; the first clients of groups are 0 and 2
	for round, m := range map[int]trace.Metrics{
		0:  {Accuracy: 0.04, Val: 0.9, Test: 0.9}, // before training: never the best
		4:  {Accuracy: 0.31, Val: 0.5, Test: 0.2},
		8:  {Accuracy: 0.62, Val: 0.4, Test: 0.6},
		12: {Accuracy: 0.6, Val: 0.3, Test: 0.5},
	} {
		m.ARI, m.ARIParticipants = frames[round].ARI, frames[round].ARIParticipants
		frames[round].Metrics = m
	}
	got := handMade(t, 12, false, slices.Clone(frames)).History
	want := `{"rounds":12,"classes":2,"ari10":0.85,"first90":4,"first90of":4,"peak":12,"stable":3,"stopped":7,"most_clusters":4,"gap":3,` +
		`"best":0.62,"best_round":8,"best_val":0.5,"test_then":0.2,"best_test":0.6,"val_then":0.4,` +
		// 12 rounds · 3 models · 4 clients; 5 % to 30 % were reached after 4 rounds, up to 60 % after 8
		`"transmissions":144,"reached":[48,48,48,48,48,48,96,96,96,96,96,96],` +
		`"reached_computed":[400,400,400,400,400,400,800,800,800,800,800,800],` +
		`"curve_ari":[0,0.1,0.5,0.8,0.93,0.7,0.7,0.7,0.7,0.7,0.85,0.95,0.96],` +
		`"curve_clusters":[1,4,4,2,2,2,2,2,2,2,2,2,2],` +
		`"curve_score":[0.04,0.04,0.04,0.04,0.31,0.31,0.31,0.31,0.62,0.62,0.62,0.62,0.6],` +
		`"curve_floats":[0,30,60,90,120,150,180,210,240,270,300,330,360],` +
		`"curve_computed":[0,100,200,300,400,500,600,700,800,900,1000,1100,1200],"contents":[9,1,0,11],"losses":[1,2,3,4],"models":2}`
	if text, _ := json.Marshal(got); string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}

	for _, tt := range []struct {
		floats, computed, score float64
		round                   int
	}{
		{0, 0, 0.6, 12}, {360, 0, 0.6, 12}, {359, 0, 0.62, 11}, {0, 750, 0.31, 7}, {360, 750, 0.31, 7}, {29, 0, 0.04, 0},
	} {
		score, round, ok := got.Within(tt.floats, tt.computed)
		if !ok || float32(score) != float32(tt.score) || round != tt.round {
			t.Errorf("within %g floats and %g multiply-adds: %g after round %d (%v), want %g after %d", tt.floats, tt.computed,
				score, round, ok, tt.score, tt.round)
		}
	}
	if _, _, ok := (&plan.History{Rounds: 1, CurveScore: []float32{0, 1}}).Within(1, 0); ok {
		t.Error("an old record has a budget")
	}

	// The model of the first group's client comes first, whatever its number.
	frames[5].Label = []uint16{1, 1, 0, 0}
	if got := handMade(t, 12, false, slices.Clone(frames)).Losses; !slices.Equal(got, []float32{2, 1, 4, 3}) {
		t.Errorf("the losses are %v", got)
	}
	frames[12].Losses[0] = float32(math.Inf(1))
	if got := handMade(t, 12, false, slices.Clone(frames)).Losses; got != nil {
		t.Errorf("beyond all bounds, the losses are %v", got)
	}

	some := handMade(t, 12, true, slices.Clone(frames)).History
	if some.ARI10Participants == nil || *some.ARI10Participants != 0.925 || some.First90Participants == nil ||
		*some.First90Participants != 3 { // 0.8/2 + 0.5
		t.Errorf("of the participants: %v after round 10, at least 0.9 from round %v", some.ARI10Participants,
			some.First90Participants)
	}

	short := handMade(t, 12, false, slices.Clone(frames[:3])).History // it never has these
	if short.ARI10 != nil || short.First90 != nil || short.Stopped != nil || short.Best != nil {
		t.Errorf("three rounds have %+v", short)
	}
}

// A curve has both ends, at most 41 points, and every round of a short run.
func TestCurveRounds(t *testing.T) {
	for rounds, want := range map[int][]int{1: {0, 1}, 3: {0, 1, 2, 3}} {
		if got := plan.CurveRounds(rounds); !reflect.DeepEqual(got, want) {
			t.Errorf("%d rounds: %v", rounds, got)
		}
	}
	if got := plan.CurveRounds(1000); len(got) != 41 || got[40] != 1000 || got[1] != 25 {
		t.Errorf("1000 rounds: %v", got)
	}
}
