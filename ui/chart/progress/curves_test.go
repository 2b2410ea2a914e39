package progress

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// upAndDown is a run whose second lane has the ARI of value; that of the first rises evenly.
func upAndDown(rounds int, value func(round int) float64) *trace.Run {
	r := charttest.Run(charttest.CFLGP, charttest.IFCA)
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

// A noisy curve is drawn as a mean, and the figure says so; a rising one, or one with steps,
// is not.
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
		curves.Draw(&l, nil, charttest.View(upAndDown(99, c.value), 0, 5), chart.Box{W: 600, H: 160})
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

// The mean is over as many rounds after a round as before it, fewer at both ends.
func TestMeanOfRounds(t *testing.T) {
	values := []float64{0, 1, 0, 1, 0, 1, 4}
	c := Curves{sums: []float64{0}}
	for i, v := range values {
		c.sums = append(c.sums, c.sums[i]+v)
	}
	for round, want := range []float64{0, 1. / 3, 2. / 5, 3. / 5, 6. / 5, 5. / 3, 4} {
		if got := c.movingMean(round, 5); got-want > 1e-12 || want-got > 1e-12 {
			t.Errorf("around round %d the mean is %g, want %g", round, got, want)
		}
	}
}

// The lane at the pointer is that of the nearest curve, and none far from all.
func TestLaneAt(t *testing.T) {
	v, box := charttest.View(upAndDown(99, func(int) float64 { return 0.5 }), 0, 5), chart.Box{W: 600, H: 160}
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

// The static part of the curves is the same in every round, and most of the list.
func TestCurvesStay(t *testing.T) {
	paint := func(round int) (ground, all []byte) {
		var l scene.List
		new(Curves).Draw(&l, nil, charttest.View(charttest.Run(charttest.CFLGP, charttest.IFCA), 0, round),
			chart.Box{W: 600, H: 160})
		return l.Bytes()[:l.StaticLen()], l.Bytes()
	}
	first, all := paint(1)
	second, _ := paint(2)
	if len(first) < len(all)/2 || !bytes.Equal(first, second) {
		t.Errorf("of %d bytes, %d stay from round 1 and %d from round 2; want most, and the same", len(all), len(first),
			len(second))
	}
}

func TestRoundAt(t *testing.T) {
	v := charttest.View(charttest.Run(charttest.CFLGP), 0, 3)
	c, tl := Curves{}, Timeline{Inset: 9}
	box := chart.Box{W: 500, H: 150}
	s := c.scale(v, box)
	for _, round := range []int{0, 1, 30, 60} {
		if got := c.RoundAt(v, box, s.x(round)); got != round {
			t.Errorf("Curves.RoundAt(x of %d) = %d", round, got)
		}
		if got := tl.RoundAt(v, box, tl.x(v, box, round)); got != round {
			t.Errorf("Timeline.RoundAt(x of %d) = %d", round, got)
		}
	}
	if got := c.RoundAt(v, box, -100); got != 0 {
		t.Errorf("RoundAt left of the axis = %d, want 0", got)
	}
	if got := tl.RoundAt(v, box, 9999); got != 60 {
		t.Errorf("RoundAt right of the axis = %d, want 60", got)
	}
}

// TestNoClusters: for a lane without clusters nothing is drawn or said about clusters; other
// lanes do not change.
func TestNoClusters(t *testing.T) {
	v := charttest.View(charttest.Run(charttest.IFCA, charttest.Local), 1, 5)
	v.Unclustered = func(algorithm string) bool { return algorithm == charttest.Local.Algorithm }
	for metric := range Metrics {
		c := &Curves{Metric: Metric(metric)}
		_, rows := c.Table(v)
		judges := c.Metric.comparesGroups() || c.Metric == Clusters
		if got := rows[3][2] == "no clusters"; got != judges {
			t.Errorf("%v: the table says %q", c.Metric, rows[3])
		}
		if got := strings.Contains(c.Describe(v), charttest.Local.Title+" no clusters"); got != judges {
			t.Errorf("%v: the curves say %q", c.Metric, c.Describe(v))
		}
		if rows[3][1] == "no clusters" {
			t.Errorf("%v: the table says %q of %s", c.Metric, rows[3][1], charttest.IFCA.Title)
		}
	}
}

// TestAxisOfRareEvaluations: in a long run with rare evaluations the axis covers all losses.
func TestAxisOfRareEvaluations(t *testing.T) {
	r := upAndDown(1000, func(int) float64 { return 0.5 })
	for i := range r.Tracks {
		for n := range r.Tracks[i].Frames {
			f := &r.Tracks[i].Frames[n]
			if f.Loss = 1; n%50 == 25 {
				f.Loss = 1.8
			} else if n%25 != 0 {
				f.Loss = math.NaN()
			}
		}
	}
	c := Curves{Metric: Loss}
	if _, hi := c.valueRange(charttest.View(r, 0, 5)); hi < 1.8 {
		t.Errorf("the axis ends at %g, want 1.8 or more", hi)
	}
}

// An ARI below 0 is drawn below 0, and the axis still names 0.
func TestCurvesBelowZero(t *testing.T) {
	r := upAndDown(40, func(round int) float64 { return 0.12 * math.Sin(float64(round)) })
	c, v, box := Curves{Metric: ARI}, &chart.View{Run: r, Round: 20, Selected: -1, Hover: -1}, chart.Box{W: 600, H: 200}
	var l scene.List
	c.Draw(&l, nil, v, box)
	s := c.scale(v, box)
	if s.lo > -0.12 || s.lo < -0.2 || s.hi != 1 {
		t.Errorf("the axis is from %v to %v", s.lo, s.hi)
	}
	if d := s.y(-0.12) - s.y(0); d < 10 || s.y(-0.12) > s.Y1 {
		t.Errorf("−0.12 is %v px below 0", d)
	}
	zero := false
	for _, it := range charttest.Items(t, &l) {
		off := math.Abs(float64((it.Visible.Y0+it.Visible.Y1)/2 - s.y(0)))
		zero = zero || it.Op.Kind() == "text" && it.Op.Text == "0" && off < 4
	}
	if !zero {
		t.Error("the axis does not name 0")
	}
	c.Metric = Misplaced
	if s := c.scale(v, box); s.lo != 0 {
		t.Errorf("counts begin at %v", s.lo)
	}
}
