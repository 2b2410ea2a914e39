package chart_test

import (
	"slices"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// labelled returns a run of one lane with the labels of its rounds from 0 on.
func labelled(groups []int16, models int, labels ...[]uint16) *trace.Run {
	n := int(slices.Max(groups)) + 1
	h := &trace.Header{Clients: len(groups), Rounds: len(labels) - 1, Groups: n, Group: groups,
		Lanes: []trace.Lane{{Models: models, Columns: models}}}
	r := trace.NewRun(h)
	for t, label := range labels {
		r.Tracks[0].Frames = append(r.Tracks[0].Frames, trace.Frame{Round: t, Label: label})
	}
	return r
}

// aliases returns the names of the models of a lane in a round.
func aliases(names *chart.Names, r *trace.Run, round int) (out []int) {
	v := chart.View{Run: r, Round: round, Names: names}
	for k := range r.Header.Lanes[0].Models {
		out = append(out, v.AliasOf(k))
	}
	return out
}

// The names of a round are those of its run up to there, however the run goes on and however it arrives.
func TestNamesDependOnNoLaterRound(t *testing.T) {
	group := []int16{0, 0, 0, 0, 1, 1, 1, 1}
	mixed, right := []uint16{1, 1, 0, 1, 0, 0, 1, 0}, []uint16{0, 0, 0, 0, 1, 1, 1, 1}
	rounds := [][]uint16{{0, 0, 0, 0, 1, 1, 1, 1}}
	for t := range 30 {
		if t < 25 {
			rounds = append(rounds, mixed)
		} else {
			rounds = append(rounds, right)
		}
	}
	var long chart.Names
	whole := labelled(group, 2, rounds...)
	for end := 1; end <= 30; end++ {
		var short chart.Names
		part := labelled(group, 2, rounds[:end+1]...)
		if got, want := aliases(&short, part, end), aliases(&long, whole, end); !slices.Equal(got, want) {
			t.Errorf("a run of %d rounds ends with the names %v, one of 30 has %v there", end, got, want)
		}
		want := []int{1, 0}
		if end > 25 { // right, and named as in every clustering that is right
			want = []int{0, 1}
		}
		if got := aliases(&long, whole, end); !slices.Equal(got, want) {
			t.Errorf("round %d has the names %v, want %v", end, got, want)
		}
	}
	if got := aliases(&long, whole, 0); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("the start has the names %v, want those of round 1", got)
	}

	var arriving chart.Names
	run := labelled(group, 2, rounds[:1]...)
	for end := 1; end <= 30; end++ {
		run.Tracks[0].Frames = append(run.Tracks[0].Frames, whole.Tracks[0].Frames[end])
		if got, want := aliases(&arriving, run, end), aliases(&long, whole, end); !slices.Equal(got, want) {
			t.Errorf("while it arrives, round %d has the names %v, want %v", end, got, want)
		}
	}
}

// Models without names keep those of the summary, or their own.
func TestUnnamedModels(t *testing.T) {
	two := []int16{0, 0, 1, 1}
	own := labelled(two, 4, []uint16{0, 1, 2, 3}, []uint16{0, 1, 2, 3})
	own.Header.Lanes[0].Columns = 1
	unknown := labelled(two, 2, []uint16{1, 1, 0, 0}, []uint16{1, 1, 0, 0})
	unknown.Header.Groups = 0
	for _, r := range []*trace.Run{own, unknown} {
		var names chart.Names
		got := aliases(&names, r, 1)
		for k, name := range got {
			if name != k {
				t.Errorf("models without names are called %v", got)
			}
		}
	}
	var names *chart.Names
	r := labelled(two, 2, []uint16{1, 1, 0, 0}, []uint16{1, 1, 0, 0})
	r.Tracks[0].Summary = &trace.Summary{Alias: []uint16{1, 0}}
	if got := aliases(names, r, 1); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("without names, models are called %v, the summary has 1, 0", got)
	}
}
