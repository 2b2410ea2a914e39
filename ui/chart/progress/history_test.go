package progress

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// told plays a lane with these labels, round by round, and returns the texts of its events.
func told(t *testing.T, labels []string, change func(run *trace.Run)) []string {
	t.Helper()
	h := &trace.Header{Clients: len(labels[0]), Rounds: len(labels) - 1, Groups: 2,
		Lanes: []trace.Lane{{Models: 4, Columns: 4}}}
	run := trace.NewRun(h)
	var history History
	v := &chart.View{Run: run}
	for round, text := range labels {
		f := trace.Frame{Round: round}
		f.Loss = 1 / float64(1+min(round, 3))
		for _, letter := range text {
			f.Label = append(f.Label, uint16(letter-'A'))
		}
		if round > 0 {
			f.Events = trace.Reclustered
			if text != labels[round-1] {
				f.Events |= trace.Moved
			}
		}
		run.Tracks[0].Frames = append(run.Tracks[0].Frames, f)
		history.Of(v) // round by round, as they come in
	}
	run.Tracks[0].Summary = &trace.Summary{Settled: -1, Diverged: -1}
	if change != nil {
		change(run)
		history = History{}
	}
	var out []string
	var whole History
	all := history.Of(v)
	if again := whole.Of(v); !slices.Equal(all, again) {
		t.Errorf("round by round %v, at once %v", all, again)
	}
	for _, e := range all {
		if e.Kind != Clustered {
			out = append(out, strconv.Itoa(e.Round)+" "+e.Words(v))
		}
	}
	return out
}

func TestHistory(t *testing.T) {
	long := func(labels ...string) []string {
		for len(labels) <= 60 {
			labels = append(labels, labels[len(labels)-1])
		}
		return labels
	}
	for _, tt := range []struct {
		name   string
		labels []string
		change func(run *trace.Run)
		want   []string
	}{
		{"split", []string{"AAAA", "AAAA", "AABB", "AABC"}, nil,
			[]string{"2 2 clients moved", "2 cluster A split: model B for 2 clients", "3 1 client moved",
				"3 cluster B split: model C for 1 client"}},
		{"merge", []string{"AABC", "AABC", "AABB", "AAAA"}, nil,
			[]string{"2 1 client moved", "2 cluster C merged into B", "3 2 clients moved",
				"3 cluster B merged into A"}},
		// A swap of names, a move to a model with clients, and clients from several models
		// are neither.
		{"neither", []string{"AABB", "AABB", "BBAA", "BBBA", "ABCC", "BBCA"}, nil,
			[]string{"2 4 clients moved", "3 1 client moved", "4 3 clients moved", "5 2 clients moved"}},
		{"first labels", []string{"AAAA", "AABB"}, nil, []string{"1 2 clients moved"}},
		{"converged", long("AAAA", "AAAA", "AAAA", "AAAA", "AABB", "ABBB"), nil,
			[]string{"4 2 clients moved", "4 cluster A split: model B for 2 clients", "5 1 client moved",
				"5 nothing changes from here on"}},
		{"diverged", long("AAAA"), func(run *trace.Run) { run.Tracks[0].Summary.Diverged = 7 }, []string{"7 diverged"}},
		{"right", long("AABB"), func(run *trace.Run) {
			for i := range run.Tracks[0].Frames {
				if i == 2 || i >= 5 {
					run.Tracks[0].Frames[i].ARI = 1
				}
			}
			run.Tracks[0].Summary.Settled = 5
		}, []string{"2 all correct for the first time", "3 nothing changes from here on", "5 correct from here on"}},
		{"right at once", long("AABB"), func(run *trace.Run) {
			for i := range run.Tracks[0].Frames {
				run.Tracks[0].Frames[i].ARI = 1
			}
			run.Tracks[0].Summary.Settled = 1
		}, []string{"1 correct from here on", "3 nothing changes from here on"}},
	} {
		if got := told(t, tt.labels, tt.change); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// Calm waits for the last move and for the losses.
func TestCalm(t *testing.T) {
	run := trace.NewRun(&trace.Header{Rounds: 50, Lanes: make([]trace.Lane, 1)})
	for round := range 51 {
		f := trace.Frame{Round: round, Label: []uint16{0}}
		f.Loss = 1 / float64(1+round)
		if round >= 20 {
			f.Label[0] = 1
		}
		run.Tracks[0].Frames = append(run.Tracks[0].Frames, f)
	}
	// The range and the last loss add up to 1, 2% of it is 0.02: from 1/26 on.
	if got := ConvergedFrom(run, 0); got != 25 {
		t.Errorf("calm from round %d, want 25", got)
	}
	for round := range 51 {
		if round%5 != 0 { // as on networks: the loss is known in some rounds only
			run.Tracks[0].Frames[round].Loss = math.NaN()
		}
	}
	if got := ConvergedFrom(run, 0); got != 21 {
		t.Errorf("with evaluations in every fifth round calm from round %d, want 21, after that of the last one above 0.04", got)
	}
	for round := range 51 {
		run.Tracks[0].Frames[round].Loss = 1 / float64(1+round)
	}
	run.Tracks[0].Frames[40].Label[0] = 0
	if got := ConvergedFrom(run, 0); got != 41 {
		t.Errorf("with a move back in round 41, calm from round %d", got)
	}
	run.Tracks[0].Frames[40].Label[0], run.Tracks[0].Frames[50].Loss = 1, 3
	if got := ConvergedFrom(run, 0); got != 50 {
		t.Errorf("with a last loss far away, calm from round %d, want the last", got)
	}
}
