package chart

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

// item is a decoded operation and what clips leave of it.
type item struct {
	op      scene.Op
	visible area
}

// items decodes a list and cuts what is drawn to the open clips.
func items(t *testing.T, l *scene.List) []item {
	t.Helper()
	var out []item
	everything := area{-1e9, -1e9, 1e9, 1e9}
	clips := []area{everything}
	err := scene.Walk(l.Bytes(), func(op *scene.Op) {
		clip := clips[len(clips)-1]
		switch op.Kind() {
		case "clip":
			v := op.Values
			clips = append(clips, area{max(clip.x0, v[0]), max(clip.y0, v[1]), min(clip.x1, v[0]+v[2]), min(clip.y1, v[1]+v[3])})
			return
		case "unclip":
			clips = clips[:len(clips)-1]
			return
		}
		if x0, y0, x1, y1, ok := op.Extent(); ok {
			if !(x0-x0 == 0 && y0-y0 == 0 && x1-x1 == 0 && y1-y1 == 0) {
				t.Errorf("%s has a coordinate that is not a number: %v", op.Kind(), op.Values)
			}
			a := area{max(x0, clip.x0), max(y0, clip.y0), min(x1, clip.x1), min(y1, clip.y1)}
			if a.x0 <= a.x1 && a.y0 <= a.y1 {
				kept := *op
				kept.Values = slices.Clone(op.Values)
				out = append(out, item{kept, a})
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(clips) != 1 {
		t.Errorf("%d clips are left open", len(clips)-1)
	}
	return out
}

// sizes are boxes that every figure is drawn into.
var sizes = []Box{{388, 320}, {253, 253}, {230, 250}, {360, 150}, {792, 170}, {260, 90}}

// every calls check for each figure in each situation, at its own size and at
// others, with captions and without.
func every(t *testing.T, check func(t *testing.T, p picture, l *scene.List, hits Hits)) {
	for _, p := range pictures() {
		boxes := []Box{p.box}
		if _, strip := p.figure.(*Timeline); strip {
			boxes = append(boxes, Box{200, 24}, Box{1200, 40})
		} else {
			boxes = append(boxes, sizes...)
		}
		for _, box := range boxes {
			for _, compact := range []bool{false, true} {
				v := *p.view
				v.Compact = compact
				q := picture{p.name, p.figure, &v, box}
				var l scene.List
				var hits Hits
				q.figure.Draw(&l, &hits, &v, box)
				t.Run(p.name, func(t *testing.T) { check(t, q, &l, hits) })
			}
		}
	}
}

func TestNothingLeavesTheBox(t *testing.T) {
	every(t, func(t *testing.T, p picture, l *scene.List, _ Hits) {
		for _, it := range items(t, l) {
			const slack = 0.6
			a := it.visible
			if a.x0 < -slack || a.y0 < -slack || a.x1 > p.box.W+slack || a.y1 > p.box.H+slack {
				t.Errorf("in %v: %s %q at %v leaves the box", p.box, it.op.Kind(), it.op.Text, a)
			}
		}
	})
}

func TestTextIsReadable(t *testing.T) {
	every(t, func(t *testing.T, p picture, l *scene.List, _ Hits) {
		var taken []item
		for _, it := range items(t, l) {
			if it.op.Kind() != "text" {
				continue
			}
			if size := it.op.Values[2]; size < 12 {
				t.Errorf("%q has %v px, want at least 12", it.op.Text, size)
			}
			if p.view.Letters {
				continue // letters lie on their marks, and the upper mark covers the lower
			}
			for _, other := range taken {
				// Capitals and digits fill less than the line: allow a hair.
				a := it.visible
				a.y0, a.y1 = a.y0+1.5, a.y1-1.5
				if a.meets(other.visible) {
					t.Errorf("in %v, compact %v: %q at %v overlaps %q at %v", p.box, p.view.Compact, it.op.Text, it.visible, other.op.Text, other.visible)
				}
			}
			taken = append(taken, it)
		}
	})
}

func TestHitsFindTheirClients(t *testing.T) {
	every(t, func(t *testing.T, p picture, _ *scene.List, hits Hits) {
		for _, h := range hits {
			if h.X < 0 || h.Y < 0 || h.X > p.box.W || h.Y > p.box.H {
				t.Errorf("in %v: the hit %+v is outside the box", p.box, h)
			}
			got := hits.Nearest(h.X, h.Y, 1)
			if got == h.Client || got == Handle {
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
		if m, ok := p.figure.(*Map); ok && p.view.frame() != nil {
			if want := p.view.Run.Header.Clients; len(hits) != want {
				t.Errorf("%T has %d hits, want %d", m, len(hits), want)
			}
		}
	})
}

// TestForeignNumbers draws a run whose numbers have left all bounds.
func TestForeignNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, f := range []fixture{cflgp, ifca, pair, fedem} {
		r := run(f)
		bad := &r.Tracks[0].Frames[14]
		bad.Loss, bad.ARI, bad.Down = math.Inf(1), math.NaN(), math.NaN()
		copy(bad.XY, []float32{nan, inf, 1e30, -1e30})
		copy(bad.Losses, []float32{nan, inf, -inf})
		copy(bad.Mixture, []float32{nan, inf, -inf, 7, -3})
		copy(bad.Spectrum, []float32{inf, nan, 3e38, -3e38})
		copy(bad.Models, []float32{1e30, nan, 3e38, -3e38, -inf})
		v := view(r, 0, 14)
		for _, figure := range []Figure{&Map{}, &Map{Fit: true}, &Losses{}, &Data{Angle: "Δφ 20°"}, &Curves{},
			&Curves{Metric: Loss}, &Curves{Metric: Cost}, &Timeline{}, &Gallery{}, &Answers{}, &Weights{}, &Flow{}, &Spectrum{}, &Models{}, &Tree{}} {
			var l scene.List
			figure.Draw(&l, nil, v, Box{388, 320})
			for _, it := range items(t, &l) {
				if a := it.visible; a.x0 < -1 || a.x1 > 389 || a.y0 < -1 || a.y1 > 321 {
					t.Errorf("%T: %s at %v leaves the box", figure, it.op.Kind(), a)
				}
			}
			figure.Describe(v)
			figure.Table(v)
		}
	}
}

// TestNoAllocation holds the promise of the package comment at C = 1000.
func TestNoAllocation(t *testing.T) {
	f := cflgp
	f.clients, f.soft = 1000, true
	v := view(deep(f), 0, 14)
	v.Hover = 500
	var l scene.List
	var hits Hits
	for _, figure := range []Figure{&Map{}, &Map{Fit: true}, &Map{In3D: true, From: Aside}, &Losses{}, &Curves{}, &Timeline{}, &Data{Angle: "Δφ 20°"}, &Flow{}, &Weights{}, &Spectrum{}, &Models{}, &Tree{}} {
		draw := func() {
			l.Reset()
			figure.Draw(&l, &hits, v, Box{388, 320})
		}
		draw()
		if n := testing.AllocsPerRun(20, draw); n != 0 {
			t.Errorf("%T allocates %v times a drawing", figure, n)
		}
	}
}

// The same for pictures, of a client in focus and of nobody.
func TestNoAllocationOfPictures(t *testing.T) {
	f := digits
	f.clients = 40
	asked := view(run(f), 0, 14)
	f.rebuilds = true
	copied := view(run(f), 0, 14)
	var l scene.List
	var hits Hits
	for _, client := range []int{Nobody, 7} {
		asked.Hover, copied.Hover = client, client
		for _, figure := range []Figure{&Gallery{}, &Answers{}, &Curves{Metric: Accuracy}, &Losses{}, &Rebuilt{}} {
			v := asked
			if _, ok := figure.(*Rebuilt); ok {
				v = copied
			}
			draw := func() {
				l.Reset()
				figure.Draw(&l, &hits, v, Box{388, 320})
			}
			draw()
			if n := testing.AllocsPerRun(20, draw); n != 0 {
				t.Errorf("%T allocates %v times a drawing", figure, n)
			}
		}
	}
}

// TestColours draws two pixels, stored colour by colour within each.
func TestColours(t *testing.T) {
	g := trace.Gallery{Height: 1, Width: 2, Channels: 3, Each: 1, Pixels: []uint8{255, 120, 0, 0, 60, 255}}
	var l scene.List
	raster(&l, &g, 0, 1, 0, 0, 2)
	if got := l.Bytes(); !bytes.HasSuffix(got, g.Pixels) {
		t.Errorf("an orange and a blue pixel are drawn as % d", got[max(len(got)-len(g.Pixels), 0):])
	}
}

// TestForeignPictures draws answers and labels that no engine would give.
func TestForeignPictures(t *testing.T) {
	r := run(digits)
	g := &r.Header.Scenery.Gallery
	g.Label[0], g.Groups, g.Classes[1] = 200, g.Groups[:1], "<a class with a very long name indeed>"
	f := &r.Tracks[0].Frames[10]
	f.Accuracies[2], f.Accuracies[3], f.Accuracy = float32(math.NaN()), float32(math.Inf(1)), math.NaN()
	clear(f.Confusion)
	v := view(r, 0, 12)
	v.Hover = 0
	for _, figure := range []Figure{&Gallery{}, &Answers{}, &Curves{Metric: Accuracy}} {
		for _, box := range sizes {
			var l scene.List
			figure.Draw(&l, nil, v, box)
			for _, it := range items(t, &l) {
				if a := it.visible; !(a.x0 >= -1 && a.x1 <= box.W+1 && a.y0 >= -1 && a.y1 <= box.H+1) {
					t.Errorf("%T in %v: %s at %v leaves the box", figure, box, it.op.Kind(), a)
				}
			}
		}
		figure.Describe(v)
		figure.Table(v)
	}
}

func BenchmarkGallery64(b *testing.B) {
	f := digits
	f.clients = 64
	v := view(run(f), 0, 14)
	var l scene.List
	g := Gallery{}
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		g.Draw(&l, nil, v, Box{300, 380})
	}
	b.ReportMetric(float64(len(l.Bytes())), "bytes")
}

func benchmarkMap(b *testing.B, clients int) {
	f := cflgp
	f.clients = clients
	v := view(run(f), 0, 14)
	var l scene.List
	var hits Hits
	m := Map{}
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		m.Draw(&l, &hits, v, Box{388, 320})
	}
	b.ReportMetric(float64(len(l.Bytes())), "bytes")
}

func BenchmarkMap12(b *testing.B) { benchmarkMap(b, 12) }

func BenchmarkMap1000(b *testing.B) { benchmarkMap(b, 1000) }

func BenchmarkLosses1000(b *testing.B) {
	f := cflgp
	f.clients = 1000
	v := view(run(f), 0, 14)
	var l scene.List
	g := Losses{}
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		g.Draw(&l, nil, v, Box{388, 150})
	}
	b.ReportMetric(float64(len(l.Bytes())), "bytes")
}
