package figures_test

import (
	"fmt"
	"math"
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

// sizes are boxes that every figure is drawn into.
var sizes = []chart.Box{{W: 388, H: 320}, {W: 253, H: 253}, {W: 230, H: 250}, {W: 360, H: 150}, {W: 792, H: 170},
	{W: 260, H: 90}}

// every calls check for each picture, at its own size and at others, with captions and
// without.
func every(t *testing.T, check func(t *testing.T, p picture, l *scene.List, hits chart.Hits)) {
	for _, p := range pictures() {
		boxes := []chart.Box{p.box}
		if _, strip := p.figure.(*progress.Timeline); strip {
			boxes = append(boxes, chart.Box{W: 200, H: 24}, chart.Box{W: 1200, H: 40})
		} else {
			boxes = append(boxes, sizes...)
		}
		for _, box := range boxes {
			for _, compact := range []bool{false, true} {
				v := *p.view
				v.Compact = compact
				q := picture{p.name, p.figure, &v, box}
				var l scene.List
				var hits chart.Hits
				q.figure.Draw(&l, &hits, &v, box)
				t.Run(p.name, func(t *testing.T) { check(t, q, &l, hits) })
			}
		}
	}
}

func TestNothingLeavesTheBox(t *testing.T) { every(t, staysInside) }

func staysInside(t *testing.T, p picture, l *scene.List, _ chart.Hits) {
	for _, it := range charttest.Items(t, l) {
		const slack = 0.6
		a := it.Visible
		if a.X0 < -slack || a.Y0 < -slack || a.X1 > p.box.W+slack || a.Y1 > p.box.H+slack {
			t.Errorf("in %v: %s %q at %v leaves the box", p.box, it.Op.Kind(), it.Op.Text, a)
		}
	}
}

func TestTextIsReadable(t *testing.T) { every(t, isReadable) }

func isReadable(t *testing.T, p picture, l *scene.List, _ chart.Hits) {
	var taken []charttest.Item
	for _, it := range charttest.Items(t, l) {
		if it.Op.Kind() != "text" {
			continue
		}
		if size := it.Op.Values[2]; size < 12 {
			t.Errorf("%q has %v px, want at least 12", it.Op.Text, size)
		}
		if p.view.Letters {
			continue // letters lie on their marks, and the upper mark covers the lower
		}
		for _, other := range taken {
			// Capitals and digits fill less than the line: allow a hair.
			a := it.Visible
			a.Y0, a.Y1 = a.Y0+1.5, a.Y1-1.5
			if a.Overlaps(other.Visible) {
				t.Errorf("in %v, compact %v: %q at %v overlaps %q at %v", p.box, p.view.Compact, it.Op.Text,
					it.Visible, other.Op.Text, other.Visible)
			}
		}
		taken = append(taken, it)
	}
}

func TestHitsFindTheirClients(t *testing.T) {
	every(t, func(t *testing.T, p picture, _ *scene.List, hits chart.Hits) {
		for _, h := range hits {
			if h.X < 0 || h.Y < 0 || h.X > p.box.W || h.Y > p.box.H {
				t.Errorf("in %v: the hit %+v is outside the box", p.box, h)
			}
			got := hits.Nearest(h.X, h.Y, 1)
			if got == h.Client || got == chart.Handle {
				continue
			}
			// Another client may stand on the very same point.
			same := false
			for _, other := range hits {
				same = same || (other.Client == got && math.Hypot(float64(other.X-h.X), float64(other.Y-h.Y)) < 1e-3)
			}
			if !same {
				t.Errorf("Nearest(%v, %v) = %d, want %d", h.X, h.Y, got, h.Client)
			}
		}
		if m, ok := p.figure.(*clientmap.Map); ok && p.view.Frame() != nil {
			if want := p.view.Run.Header.Clients; len(hits) != want {
				t.Errorf("%T has %d hits, want %d", m, len(hits), want)
			}
		}
	})
}

// TestForeignNumbers draws a run with infinite, missing and huge numbers.
func TestForeignNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, f := range []charttest.Lane{charttest.CFLGP, charttest.IFCA, charttest.Pair, charttest.FedEM} {
		r := charttest.Run(f)
		bad := &r.Tracks[0].Frames[14]
		bad.Loss, bad.ARI, bad.Down = math.Inf(1), math.NaN(), math.NaN()
		copy(bad.XY, []float32{nan, inf, 1e30, -1e30})
		copy(bad.Losses, []float32{nan, inf, -inf})
		copy(bad.Mixture, []float32{nan, inf, -inf, 7, -3})
		copy(bad.Spectrum, []float32{inf, nan, 3e38, -3e38})
		r.Tracks[0].Frames[0].Theory.Error = 1
		bad.Theory = trace.Theory{Error: nan, Promise: inf, Noise: inf, Gap: nan}
		r.Tracks[0].Frames[len(r.Tracks[0].Frames)-1].Theory = trace.Theory{Error: inf, Noise: 1e30, Gap: 1e-30}
		copy(bad.Models, []float32{1e30, nan, 3e38, -3e38, -inf})
		v := charttest.View(r, 0, 14)
		for _, figure := range []chart.Figure{&clientmap.Map{}, &clientmap.Map{Fit: true}, &lane.Losses{},
			&samples.Plane{Angle: "Δφ 20°"}, &progress.Curves{},
			&progress.Curves{Metric: progress.Loss}, &progress.Curves{Metric: progress.Cost}, &progress.Timeline{},
			&samples.Gallery{},
			&lane.Answers{}, &lane.Weights{}, &lane.Flow{}, &lane.Spectrum{}, &lane.Models{}, &lane.Tree{},
			&lane.Theory{}, &stage.Stage{}} {
			charttest.StaysInside(t, figure, v, chart.Box{W: 388, H: 320})
			figure.Describe(v)
			figure.Table(v)
		}
	}
}

// TestFewAllocations checks the promise of the package comment at C = 1000.
func TestFewAllocations(t *testing.T) {
	f := charttest.CFLGP
	f.Clients, f.Soft = 1000, true
	v := charttest.View(charttest.Deep(f), 0, 14)
	v.Hover = 500
	for _, figure := range []chart.Figure{&clientmap.Map{}, &clientmap.Map{Fit: true},
		&clientmap.Map{In3D: true, From: clientmap.DefaultOrbit},
		&lane.Losses{}, &progress.Curves{}, &progress.Timeline{},
		&samples.Plane{Angle: "Δφ 20°"},
		&lane.Flow{}, &lane.Weights{}, &lane.Spectrum{}, &lane.Models{}, &lane.Tree{}} {
		allocatesTexts(t, figure, v)
	}
}

// allocatesTexts checks that repeated drawing allocates a few texts alone, for any number of
// clients.
func allocatesTexts(t *testing.T, figure chart.Figure, v *chart.View) {
	t.Helper()
	var l scene.List
	var hits chart.Hits
	draw := func() {
		l.Reset()
		figure.Draw(&l, &hits, v, chart.Box{W: 388, H: 320})
	}
	draw()
	const most = 24
	if n := testing.AllocsPerRun(20, draw); n > most {
		t.Errorf("%T allocates %v times a drawing, want at most %d", figure, n, most)
	}
}

// The same for images, with and without a client in focus.
func TestFewAllocationsOfPictures(t *testing.T) {
	f := charttest.Digits
	f.Clients = 40
	asked := charttest.View(charttest.Run(f), 0, 14)
	f.Rebuilds = true
	copied := charttest.View(charttest.Run(f), 0, 14)
	for _, client := range []int{chart.NoClient, 7} {
		asked.Hover, copied.Hover = client, client
		for _, figure := range []chart.Figure{&samples.Gallery{}, &lane.Answers{},
			&progress.Curves{Metric: progress.Accuracy}, &lane.Losses{}, &lane.Rebuilt{}} {
			v := asked
			if _, ok := figure.(*lane.Rebuilt); ok {
				v = copied
			}
			allocatesTexts(t, figure, v)
		}
	}
}

// TestForeignPictures draws answers and labels that no engine sends.
func TestForeignPictures(t *testing.T) {
	r := charttest.Run(charttest.Digits)
	g := &r.Header.DataPreview.Gallery
	g.Label[0], g.Groups, g.Classes[1] = 200, g.Groups[:1], "<a class with a very long name indeed>"
	f := &r.Tracks[0].Frames[10]
	f.Accuracies[2], f.Accuracies[3], f.Accuracy = float32(math.NaN()), float32(math.Inf(1)), math.NaN()
	clear(f.Confusion)
	v := charttest.View(r, 0, 12)
	v.Hover = 0
	for _, figure := range []chart.Figure{&samples.Gallery{}, &lane.Answers{},
		&progress.Curves{Metric: progress.Accuracy}} {
		for _, box := range sizes {
			charttest.StaysInside(t, figure, v, box)
		}
		figure.Describe(v)
		figure.Table(v)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, bb := range []struct {
		figure  chart.Figure
		lane    charttest.Lane
		clients int
		box     chart.Box
	}{
		{&samples.Gallery{}, charttest.Digits, 64, chart.Box{W: 300, H: 380}},
		{&clientmap.Map{}, charttest.CFLGP, 12, chart.Box{W: 388, H: 320}},
		{&clientmap.Map{}, charttest.CFLGP, 1000, chart.Box{W: 388, H: 320}},
		{&lane.Losses{}, charttest.CFLGP, 1000, chart.Box{W: 388, H: 150}},
	} {
		b.Run(fmt.Sprintf("%T-%d", bb.figure, bb.clients), func(b *testing.B) {
			bb.lane.Clients = bb.clients
			v := charttest.View(charttest.Run(bb.lane), 0, 14)
			var l scene.List
			var hits chart.Hits
			b.ReportAllocs()
			for b.Loop() {
				l.Reset()
				bb.figure.Draw(&l, &hits, v, bb.box)
			}
			b.ReportMetric(float64(len(l.Bytes())), "bytes")
		})
	}
}
