package chart_test

import (
	"slices"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// labelled returns a run of one lane whose newest frame has these labels.
func labelled(groups []int16, models int, labels ...uint16) *trace.Run {
	n := int(slices.Max(groups)) + 1
	h := &trace.Header{Clients: len(groups), Rounds: 9, Groups: n, Group: groups,
		Lanes: []trace.Lane{{Models: models, Columns: models}}}
	r := trace.NewRun(h)
	r.Tracks[0].Frames = []trace.Frame{{Label: labels}}
	return r
}

func TestAlias(t *testing.T) {
	two := []int16{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}
	three := []int16{0, 0, 1, 1, 2, 2}
	for _, tt := range []struct {
		name   string
		before []uint16
		run    *trace.Run
		want   []uint16
	}{
		{"the other way round", nil, labelled(two, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0), []uint16{1, 0}},
		{"a model too many", nil, labelled(two, 3, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0), []uint16{1, 2, 0}},
		{"a model too few", nil, labelled(three, 2, 1, 1, 0, 0, 1, 0), []uint16{1, 0}},
		{"one client is no reason", []uint16{0, 1}, labelled(two, 2, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1), []uint16{0, 1}},
		{"half of them are", []uint16{0, 1}, labelled(two, 2, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1), []uint16{1, 0}},
		{"of another run", []uint16{2, 1, 0}, labelled(two, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1), []uint16{0, 1}},
	} {
		var a chart.Aliaser
		if got := a.Alias(tt.before, tt.run, 0); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Alias(%v) = %v, want %v", tt.name, tt.before, got, tt.want)
		}
	}
	alone := labelled(two, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	alone.Header.Lanes[0].Columns = 1
	unknown := labelled(two, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
	unknown.Header.Groups = 0
	for _, r := range []*trace.Run{alone, unknown} {
		var a chart.Aliaser
		if got := a.Alias(nil, r, 0); got != nil {
			t.Errorf("Alias = %v where models have no names", got)
		}
	}
}

// A run with clear clusters keeps its colours at its end.
func TestAliasOfSummary(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	var a chart.Aliaser
	if got, want := a.Alias(nil, r, 0), r.Tracks[0].Summary.Alias; !slices.Equal(got, want) {
		t.Errorf("Alias = %v, the summary has %v", got, want)
	}
}
