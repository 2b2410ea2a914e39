package clientmap

import (
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// TestMarksSlide checks that Back = 1 shows the round before.
func TestMarksSlide(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	var l scene.List
	var before, back chart.Hits
	m := Map{}
	m.Draw(&l, &before, charttest.View(r, 0, 13), chart.Box{W: 388, H: 320})
	v := charttest.View(r, 0, 14)
	v.Back = 1
	m.Draw(&l, &back, v, chart.Box{W: 388, H: 320})
	for i := range before {
		if d := math.Hypot(float64(before[i].X-back[i].X), float64(before[i].Y-back[i].Y)); d > 0.01 {
			t.Errorf("client %d is %v px from where it was", i, d)
		}
	}
}

func TestMapDescribe(t *testing.T) {
	f := charttest.CFLGP
	r := charttest.Run(f)
	right := &r.Tracks[0].Frames[14]
	for i := range right.Label { // alias swaps A and B
		right.Label[i] = []uint16{1, 0, 2}[r.Header.Group[i]]
	}
	m := Map{}
	v := charttest.View(r, 0, 14)
	charttest.Describes(t, &m, v,
		"Map, round 14, CFL-GP: 4 circles together as model A; 4 squares as B; 4 diamonds as C; none misplaced.")
	right.Label[0] = 2
	charttest.Describes(t, &m, v,
		"Map, round 14, CFL-GP: 3 circles together as model A; 4 squares as B; 1 circle and 4 diamonds as C; 1 misplaced: client 1.")
	r.Header.Groups, r.Header.Group = 0, nil
	charttest.Describes(t, &m, v,
		"Map, round 14, CFL-GP: 3 clients together as model A; 4 clients as B; 5 clients as C.")
}

// TestNoMap: the reason for a missing map is true for each method.
func TestNoMap(t *testing.T) {
	for _, tt := range []struct {
		charttest.Lane
		unclustered bool
		want        string
	}{
		{charttest.FedAvg, false, "No map: there is one model for all clients."},
		{charttest.Local, true, "No map: each client has a model of its own."},
		{charttest.FedEM, false, "No map: with FedEM each client has weights of several models, see Weights."},
		{charttest.Lane{Clients: 12, Groups: 3, Rounds: 20, Models: 1, Algorithm: "fedala", Title: "FedALA"}, true, "No map: each client adapts the one model."},
	} {
		v := charttest.View(charttest.Run(tt.Lane), 0, 14)
		v.Unclustered = func(string) bool { return tt.unclustered }
		if got := noMapReason(v); got != tt.want {
			t.Errorf("%s: why there is no map: %q, want %q", tt.Title, got, tt.want)
		}
	}
}

// TestNotAsked: a client that has not taken part yet is neither correct nor misplaced, as in
// the engine, and has no model.
func TestNotAsked(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	frames := r.Tracks[0].Frames
	for n := range frames[:15] {
		f := &frames[n]
		for i := range f.Label { // alias swaps A and B
			f.Label[i] = []uint16{1, 0, 2}[r.Header.Group[i]]
		}
		f.Label[4], f.Label[11] = 1, 1
		for i := 0; n > 0 && i < r.Header.Clients; i++ {
			f.State = append(f.State, trace.Present)
		}
		if n > 0 && n < 14 {
			f.State[4] = trace.Absent
		}
		if n > 0 {
			f.State[11] = trace.Dropped
		}
	}
	for _, tt := range []struct {
		round int
		want  []int
		words string
	}{
		{0, nil, ""}, // no client has taken part
		{13, nil, "Map, round 13, CFL-GP: 4 circles together as model A; 3 squares as B; 3 diamonds as C; 2 clients yet to participate; none misplaced."},
		{14, []int{4}, "Map, round 14, CFL-GP: 4 circles and 1 square together as model A; 3 squares as B; 3 diamonds as C; 1 client yet to participate; 1 misplaced: client 5."},
	} {
		m, v := Map{}, charttest.View(r, 0, tt.round)
		if got := m.Misplaced(v); !slices.Equal(got, tt.want) {
			t.Errorf("round %d: misplaced are %v, want %v", tt.round, got, tt.want)
		}
		if got := m.Describe(v); tt.round > 0 && got != tt.words {
			t.Errorf("round %d: Describe = %q, want %q", tt.round, got, tt.words)
		}
		if _, rows := m.Table(v); tt.round > 0 && rows[11][3] != "yet to participate" {
			t.Errorf("round %d: the table says of a client that was lost %q", tt.round, rows[11])
		}
	}
}

// TestUnclustered: in a lane without clusters no client is misplaced, and texts do not
// mention clusters.
func TestUnclustered(t *testing.T) {
	v := charttest.View(charttest.Run(charttest.IFCA, charttest.Local), 1, 5)
	label := v.Run.Tracks[1].Frames[5].Label
	label[4] = label[0] // a stranger, so that somebody is misplaced where clusters count
	if got := (&Map{}).Misplaced(v); len(got) == 0 {
		t.Fatal("with models of their own nobody is misplaced even where it counts")
	}
	v.Unclustered = func(algorithm string) bool { return algorithm == charttest.Local.Algorithm }
	if got := (&Map{}).Misplaced(v); len(got) > 0 {
		t.Errorf("misplaced are %v, want nobody", got)
	}
	if got := (&Map{}).Describe(v); strings.Contains(got, "misplaced") {
		t.Errorf("the map says %q", got)
	}
}
