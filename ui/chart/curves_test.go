package chart

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

// No two lanes have the same line.
func TestLanesDiffer(t *testing.T) {
	var seen []string
	for lane := range experiment.MaxLanes {
		dashes := LaneDashes(lane)
		if slices.Contains(seen, dashes) {
			t.Errorf("lane %d has the line %q of a lane before", lane, dashes)
		}
		seen = append(seen, dashes)
	}
}

// upAndDown is a run whose second lane has the ARI that value says; the first climbs.
func upAndDown(rounds int, value func(round int) float64) *trace.Run {
	r := run(cflgp, ifca)
	frame := r.Tracks[1].Frames[1]
	r.Header.Rounds, r.Tracks[1].Frames = rounds, nil
	for t := range rounds + 1 {
		f := frame
		f.Round, f.ARI = t, value(t)
		r.Tracks[1].Frames = append(r.Tracks[1].Frames, f)
	}
	r.Tracks[0].Frames = slices.Clone(r.Tracks[1].Frames)
	for t := range r.Tracks[0].Frames {
		r.Tracks[0].Frames[t].ARI = float64(t) / float64(rounds)
	}
	return r
}

// A curve that goes up and down many times is drawn as a mean, which the figure says;
// one that climbs, or climbs in steps, is not.
func TestMovingMean(t *testing.T) {
	for _, c := range []struct {
		name  string
		value func(round int) float64
		mean  bool
	}{
		{"up and down", func(t int) float64 { return float64(t % 2) }, true},
		{"steps", func(t int) float64 { return float64(t/20) / 5 }, false},
		{"steps with a little noise", func(t int) float64 { return float64(t/20)/5 + 0.01*float64(t%2) }, false},
		{"noise too small to be seen", func(t int) float64 { return 0.5 + 0.02*float64(t%2) }, false},
		{"flat", func(int) float64 { return 1 }, false},
	} {
		var l scene.List
		curves := new(Curves)
		curves.Draw(&l, nil, view(upAndDown(99, c.value), 0, 5), Box{W: 600, H: 160})
		var svg strings.Builder
		if err := scene.SVG(&svg, &l, scene.Light, 600, 160, "", ""); err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(svg.String(), "mean of 5 rounds; pale: every round")
		if said != c.mean {
			t.Errorf("%s: the figure speaks of a mean: %v, want %v", c.name, said, c.mean)
		}
	}
}

// The mean takes as many rounds after a round as before it, and fewer at both ends.
func TestMeanOfRounds(t *testing.T) {
	values := []float64{0, 1, 0, 1, 0, 1, 4}
	c := Curves{sums: []float64{0}}
	for i, v := range values {
		c.sums = append(c.sums, c.sums[i]+v)
	}
	for round, want := range []float64{0, 1. / 3, 2. / 5, 3. / 5, 6. / 5, 5. / 3, 4} {
		if got := c.mean(round, 5); got-want > 1e-12 || want-got > 1e-12 {
			t.Errorf("around round %d the mean is %g, want %g", round, got, want)
		}
	}
}

// The lane next to the pointer is the one whose curve is, and none far from all.
func TestLaneAt(t *testing.T) {
	v, box := view(upAndDown(99, func(int) float64 { return 0.5 }), 0, 5), Box{W: 600, H: 160}
	c := &Curves{Metric: ARI}
	s := c.scale(v, box)
	for _, at := range []struct {
		round int
		value float64
		lane  int
	}{{10, 0.52, 1}, {10, 0.12, 0}, {99, 0.97, 0}, {0, 0.99, -1}} {
		if got := c.LaneAt(v, box, at.round, s.y(at.value)); got != at.lane {
			t.Errorf("at %g in round %d is lane %d, want %d", at.value, at.round, got, at.lane)
		}
	}
}

// All lanes' losses have the same colours, unless each is to have its own.
func TestLossesShareColours(t *testing.T) {
	r := run(cflgp, ifca)
	for t := range r.Tracks[1].Frames {
		f := &r.Tracks[1].Frames[t]
		f.Losses = slices.Clone(f.Losses)
		for i := range f.Losses {
			f.Losses[i] += 10
		}
	}
	var lo, hi [2][2]float32 // by own, lane
	for own := range 2 {
		for lane := range 2 {
			g := Losses{OwnScale: own == 1}
			v := view(r, lane, 5)
			g.arrange(v, v.lane())
			lo[own][lane], hi[own][lane] = g.span(v)
		}
	}
	if lo[0][0] != lo[0][1] || hi[0][0] != hi[0][1] || hi[0][0]-lo[0][0] < 10 {
		t.Errorf("together the ramps end at %v and %v", lo[0], hi[0])
	}
	if hi[1][0] >= 10 || lo[1][1] < 10 {
		t.Errorf("each for itself they end at %v and %v", lo[1], hi[1])
	}
}

// What stays of the curves is the same in every round, and all but the round.
func TestCurvesStay(t *testing.T) {
	paint := func(round int) (ground, all []byte) {
		var l scene.List
		new(Curves).Draw(&l, nil, view(run(cflgp, ifca), 0, round), Box{W: 600, H: 160})
		return l.Bytes()[:l.Ground()], l.Bytes()
	}
	first, all := paint(1)
	second, _ := paint(2)
	if len(first) < len(all)/2 || !bytes.Equal(first, second) {
		t.Errorf("of %d bytes, %d stay from round 1 and %d from round 2; want most, and the same", len(all), len(first), len(second))
	}
}
