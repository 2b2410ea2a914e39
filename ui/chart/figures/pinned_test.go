package figures_test

import (
	"bytes"
	"slices"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/lane"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/samples"
	"flockscope/ui/chart/stage"
	"flockscope/ui/testing/charttest"
)

func drawn(f chart.Figure, v *chart.View) []byte {
	var l scene.List
	f.Draw(&l, nil, v, chart.Box{W: 388, H: 320})
	return slices.Clone(l.Bytes())
}

// A pinned run is drawn behind the figures that support it, and they say so; without such a
// lane it is neither drawn nor mentioned.
func TestPinnedRuns(t *testing.T) {
	now, then := charttest.Run(charttest.CFLGP, charttest.IFCA), charttest.Run(charttest.CFLGP, charttest.IFCA)
	for i := range then.Tracks {
		for j := range then.Tracks[i].Frames {
			f := &then.Tracks[i].Frames[j]
			for n := range f.Label {
				f.Label[n] = (f.Label[n] + 1) % 3
			}
			for _, list := range [...][]float32{f.XY, f.Models, f.Spectrum} {
				for n := range list {
					list[n] *= 1.1
				}
			}
			f.ARI /= 2
		}
	}
	tried, before := charttest.Run(charttest.Digits), charttest.Run(charttest.Digits)
	for j := range before.Tracks[0].Frames {
		for n := range before.Tracks[0].Frames[j].Accuracies {
			before.Tracks[0].Frames[j].Accuracies[n] /= 2
		}
	}
	for _, tt := range []struct {
		name      string
		figure    chart.Figure
		now, then *trace.Run
		lane      int
	}{
		{"curves", &progress.Curves{}, now, then, 0}, {"map", &clientmap.Map{}, now, then, 1}, {"stage", &stage.Stage{}, now, then, 1}, {"spectrum", &lane.Spectrum{}, now, then, 0}, {"models", &lane.Models{}, now, then, 0},
		{"data", &samples.Plane{}, now, then, 0}, {"losses", &lane.Losses{}, now, then, 0}, {"answers", &lane.Answers{}, tried, before, 0},
	} {
		v := charttest.View(tt.now, tt.lane, 14)
		alone := drawn(tt.figure, v)
		if chart.PinnedNote(tt.figure, v) != "" {
			t.Errorf("%s: tells of a run that is not there", tt.name)
		}
		v.Pinned = tt.then
		if bytes.Equal(drawn(tt.figure, v), alone) || chart.PinnedNote(tt.figure, v) == "" {
			t.Errorf("%s: no pinned run is seen, or none is told of: %q", tt.name, chart.PinnedNote(tt.figure, v))
		}
		if v.Pinned = charttest.Run(charttest.FedAvg); !bytes.Equal(drawn(tt.figure, v), alone) ||
			chart.PinnedNote(tt.figure, v) != "" {
			t.Errorf("%s: a pinned run without such a lane is seen or told of: %q", tt.name, chart.PinnedNote(tt.figure, v))
		}
	}
	// Planes of principal components have no common axes.
	v := charttest.View(now, 0, 14)
	if v.Pinned = then; chart.PinnedNote(&clientmap.Map{}, v) != "" {
		t.Error("planes of two runs are laid over each other")
	}
}

// With several clients selected the others are dimmed, in every figure of clients.
func TestDimmed(t *testing.T) {
	for name, f := range map[string]chart.Figure{"map": &clientmap.Map{}, "stage": &stage.Stage{}, "losses": &lane.Losses{},
		"flow": &lane.Flow{}, "tree": &lane.Tree{}, "data": &samples.Plane{}} {
		v := charttest.View(charttest.Run(charttest.CFLGP, charttest.IFCA), 0, 14)
		if name == "tree" {
			v = charttest.View(charttest.Branched(charttest.CFLGP), 0, 28)
		}
		plain := drawn(f, v)
		v.MultiSelection = []int{0, 1, 5}
		if some := drawn(f, v); bytes.Equal(some, plain) {
			t.Errorf("%s: the others are as plain as before", name)
		}
	}
	h := chart.Hits{{X: 10, Y: 10, R: 6, Client: 0}, {X: 30, Y: 10, R: 6, Client: 1}, {X: 50, Y: 60, R: 60, Client: 2},
		{X: 100, Y: 10, R: 5, Half: 40, Client: 3}, {X: 12, Y: 12, R: 9, Client: chart.Handle}}
	for _, tt := range []struct {
		x0, y0, x1, y1 float32
		want           []int
	}{
		{0, 0, 20, 20, []int{0}}, {20, 20, 0, 0, []int{0}}, {5, 20, 59, 5, []int{0, 1, 2}}, {40, 100, 60, 105, []int{2}}, {55, 0, 62, 20, []int{3}}, {11, 11, 29, 30, nil},
	} {
		if got := h.Within(nil, tt.x0, tt.y0, tt.x1, tt.y1); !slices.Equal(got, tt.want) {
			t.Errorf("%v catches %v, want %v", tt, got, tt.want)
		}
	}
}
