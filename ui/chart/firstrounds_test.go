package chart_test

import (
	"slices"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Where a method finds the number of clusters, a model exists as long as a client has it or gives it weight.
func TestExistingModels(t *testing.T) {
	one, two := []uint16{0, 0, 0, 0}, []uint16{0, 0, 2, 2}
	r := labelled([]int16{0, 0, 1, 1}, 3, one, two, one, one)
	r.Tracks[0].Frames[3].Mixture = []float32{0.9, 0, 0.1, 1, 0, 0, 1, 0, 0, 1, 0, 0}
	r.Tracks[0].Frames[3].Events = trace.Soft
	for round, want := range [][]int{{0}, {0, 2}, {0}, {0, 2}} {
		v := chart.View{Run: r, Round: round, FindsClusters: func(string) bool { return true }}
		if got := v.ExistingModels(); !slices.Equal(got, want) {
			t.Errorf("in round %d there are the models %v, want %v", round, got, want)
		}
		v.FindsClusters = nil
		if got := v.ExistingModels(); len(got) != 3 {
			t.Errorf("with a given number there are the models %v", got)
		}
	}
}
