package clientmap

import (
	"slices"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// TestLiars: a liar belongs to no group: it has a mark of its own, stands behind all groups, is never misplaced, and
// names no model.
func TestLiars(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	f := &r.Tracks[0].Frames[14]
	for i := range f.Label { // alias swaps A and B
		f.Label[i] = []uint16{1, 0, 2}[r.Header.Group[i]]
	}
	f.Label[0] = 2
	m, v := Map{}, charttest.View(r, 0, 14)
	if got := m.Misplaced(v); !slices.Equal(got, []int{0}) {
		t.Fatalf("misplaced are %v, want client 0", got)
	}
	r.Header.Liar, r.Header.LiesFrom = make([]bool, r.Header.Clients), 1
	r.Header.Liar[0] = true
	if got := m.Misplaced(v); len(got) > 0 {
		t.Errorf("misplaced are %v, want none: the liar belongs to no group", got)
	}
	charttest.Describes(t, &m, v,
		"Map, round 14, CFL-GP: 3 circles together as model A; 4 squares as B; 4 diamonds and 1 liar as C; none misplaced.")
	if got := v.Shape(0); got != scene.Liar {
		t.Errorf("its mark is a %v", got)
	}
	if order := v.ByGroup(nil); order[len(order)-1] != 0 {
		t.Errorf("by group the clients are %v, want the liar behind all", order)
	}
	if _, rows := m.Table(v); rows[0][1] != "liar" || rows[0][3] != "" {
		t.Errorf("the table says %q", rows[0])
	}
	// Three diamonds at (1, 0) and the liar at (5, 8): the mean moves from (1, 0) to (2, 2).
	f.XY, f.Label = []float32{5, 8, 1, 0, 1, 0, 1, 0}, []uint16{2, 2, 2, 2}
	if x, y, u, w, ok := Pull(v, f, 2); !ok || x != 1 || y != 0 || u != 2 || w != 2 {
		t.Errorf("the liar moves the mean from (%v, %v) to (%v, %v), %v", x, y, u, w, ok)
	}
	r.Header.LiesFrom = 15
	if _, _, _, _, ok := Pull(v, f, 2); ok {
		t.Error("it moves the mean before it lies")
	}
	if groups, _, wrong := chart.LegendEntries(v, "map", []int{0}); wrong || len(groups) != scene.Shapes+1 ||
		groups[scene.Liar] != "liars" {
		t.Errorf("the legend has %v, misplaced %v", groups, wrong)
	}
}
