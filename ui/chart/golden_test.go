package chart

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

// picture is one figure in one situation.
type picture struct {
	name   string
	figure Figure
	view   *View
	box    Box
}

func pictures() []picture {
	with := func(f fixture, change func(*fixture)) fixture { change(&f); return f }
	many := with(cflgp, func(f *fixture) { f.clients, f.wild = 200, true })
	crowd := with(cflgp, func(f *fixture) { f.clients = 1000 })
	eight := with(cflgp, func(f *fixture) { f.clients, f.groups, f.models = 48, 8, 8 })
	early := with(pair, func(f *fixture) { f.wild = true })
	unknown := with(cflgp, func(f *fixture) { f.unknown = true })
	long := with(cflgp, func(f *fixture) { f.rounds = 4000 })
	streaming := with(cflgp, func(f *fixture) { f.streaming = true })
	both := run(cflgp, ifca)
	four := run(cflgp, ifca, clove, fedavg)
	hover := view(both, 0, 14)
	hover.Hover, hover.Selected = 5, 9
	far, letters := view(both, 1, 14), view(both, 1, 14)
	far.Projector, letters.Letters = true, true
	compact := view(both, 0, 14)
	compact.Compact = true
	compactTriangle := view(both, 1, 14)
	compactTriangle.Compact = true
	diverged := run(cflgp)
	diverged.Tracks[0].Summary.Settled, diverged.Tracks[0].Summary.Diverged = -1, 41
	ten := with(digits, func(f *fixture) { f.clients, f.groups, f.models, f.classes = 40, 10, 10, 10 })
	sixteen := with(cflgp, func(f *fixture) { f.clients, f.groups, f.models = 48, 16, 16 })
	throng := with(digits, func(f *fixture) { f.clients = 300 })
	nobody := with(digits, func(f *fixture) { f.unknown = true })
	coloured := with(digits, func(f *fixture) { f.colour, f.clients = true, 8 })
	rows := run(digits)
	rows.Header.Scenery.Gallery.Pixels, rows.Header.Scenery.Gallery.Label = nil, nil
	photos := run(digits, with(ifca, func(f *fixture) { f.clients, f.groups, f.models, f.kind = 16, 4, 4, trace.LossPlane }))
	copies := run(with(digits, func(f *fixture) { f.rebuilds = true }))
	sitter := view(copies, 0, 14)
	sitter.Hover = copies.Header.Sitters()[1]
	other := view(copies, 0, 14)
	other.Hover = copies.Header.Sitters()[copies.Header.Groups]
	light, low := view(photos, 1, 13), view(photos, 0, 13)
	light.Hover, light.Selected, low.Selected = 2, 9, 15
	blends := with(fedem, func(f *fixture) { f.clients, f.groups, f.models = 200, 8, 8 })
	lit := view(run(fedem), 0, 6)
	lit.Hover, lit.Selected = 7, 2
	single := with(pair, func(f *fixture) { f.drawn = 1 })
	five := with(cflgp, func(f *fixture) { f.drawn = 5 })
	boughs := view(branched(cflgp), 0, 28)
	boughs.Hover, boughs.Selected = 0, 10
	wide, square, tight := Box{388, 320}, Box{320, 320}, Box{230, 250}
	return []picture{
		{"map-gradient", &Map{}, view(both, 0, 14), wide},
		{"map-gradient-early", &Map{}, view(both, 0, 2), wide},
		{"map-gradient-hover", &Map{}, hover, wide},
		{"map-gradient-fit", &Map{Fit: true}, view(run(many), 0, 50), wide},
		{"map-gradient-compact", &Map{}, compact, tight},
		{"map-triangle", &Map{}, view(both, 1, 14), wide},
		{"map-triangle-compact", &Map{}, compactTriangle, tight},
		{"map-projector", &Map{}, far, wide},
		{"map-letters", &Map{}, letters, wide},
		{"map-pair", &Map{}, view(run(pair), 0, 14), wide},
		{"map-pair-narrow", &Map{}, view(run(pair), 0, 3), tight},
		{"map-pair-wild", &Map{}, view(run(early), 0, 2), tight},
		{"map-pair-fit", &Map{Fit: true}, view(run(early), 0, 50), tight},
		{"map-plane", &Map{}, view(four, 2, 20), wide},
		{"map-many", &Map{}, view(run(many), 0, 5), wide},
		{"map-crowd", &Map{}, view(run(crowd), 0, 14), wide},
		{"map-eight", &Map{}, view(run(eight), 0, 10), wide},
		{"map-unknown", &Map{}, view(run(unknown), 0, 14), wide},
		{"map-start", &Map{}, view(both, 0, 0), wide},
		{"map-fedavg", &Map{}, view(four, 3, 14), wide},
		{"map-local", &Map{}, view(run(local), 0, 14), tight},
		{"data", &Data{Angle: "Δφ 20°"}, view(both, 0, 3), square},
		{"data-nobody", &Data{Angle: "Δφ 20°"}, view(four, 2, 14), square},
		{"data-compact", &Data{Angle: "Δφ 20°"}, compact, tight},
		{"data-local", &Data{Angle: "Δφ 20°"}, view(run(local), 0, 4), square},
		{"gallery", &Gallery{}, view(photos, 1, 6), Box{300, 330}},
		{"gallery-light", &Gallery{}, light, Box{300, 330}},
		{"gallery-low", &Gallery{}, low, tight},
		{"gallery-ten", &Gallery{}, view(run(ten), 0, 2), Box{300, 330}},
		{"gallery-throng", &Gallery{}, view(run(throng), 0, 4), Box{300, 330}},
		{"gallery-nobody", &Gallery{}, view(run(nobody), 0, 4), Box{300, 330}},
		{"gallery-coloured", &Gallery{}, view(run(coloured), 0, 4), Box{358, 260}},
		{"gallery-rows", &Gallery{}, view(rows, 0, 4), Box{300, 330}},
		{"answers", &Answers{}, view(photos, 0, 13), Box{388, 150}},
		{"answers-light", &Answers{}, light, Box{388, 150}},
		{"answers-ten", &Answers{}, view(run(ten), 0, 2), Box{388, 150}},
		{"answers-tall", &Answers{}, low, Box{358, 420}},
		{"answers-none", &Answers{}, view(both, 0, 3), Box{388, 150}},
		{"rebuilt", &Rebuilt{}, view(copies, 0, 8), Box{388, 150}},
		{"rebuilt-tall", &Rebuilt{}, sitter, Box{358, 420}},
		{"rebuilt-light", &Rebuilt{}, other, Box{358, 420}},
		{"rebuilt-ten", &Rebuilt{}, view(run(with(ten, func(f *fixture) { f.rebuilds, f.colour = true, true })), 0, 3), Box{388, 260}},
		{"rebuilt-none", &Rebuilt{}, view(both, 0, 3), Box{388, 150}},
		{"map-sixteen", &Map{}, view(run(sixteen), 0, 10), wide},
		{"losses-heard", &Losses{}, view(photos, 0, 13), Box{388, 150}},
		{"curves-accuracy", &Curves{Metric: Accuracy}, view(photos, 0, 13), Box{792, 170}},
		{"losses", &Losses{}, view(both, 0, 3), Box{388, 150}},
		{"losses-hover", &Losses{}, hover, Box{388, 150}},
		{"losses-eight", &Losses{}, view(run(eight), 0, 10), Box{388, 150}},
		{"losses-many", &Losses{}, view(run(many), 0, 5), Box{388, 150}},
		{"losses-crowd", &Losses{}, view(run(crowd), 0, 5), Box{388, 150}},
		{"losses-local", &Losses{}, view(run(local), 0, 5), Box{388, 100}},
		{"losses-start", &Losses{}, view(trace.NewRun(both.Header), 0, 0), Box{388, 100}},
		{"curves-ari", &Curves{}, view(both, 0, 14), Box{792, 170}},
		{"curves-four", &Curves{}, view(four, 0, 59), Box{792, 170}},
		{"curves-peek", &Curves{Metric: Misplaced, Reading: Reading{On: true, Round: 30, Lane: -1}}, view(four, 0, 14), Box{500, 150}},
		{"curves-loss", &Curves{Metric: Loss}, view(four, 0, 14), Box{500, 150}},
		{"curves-cost", &Curves{Metric: Cost}, view(four, 0, 14), Box{390, 150}},
		{"curves-compact", &Curves{}, compact, Box{490, 80}},
		{"curves-long", &Curves{}, view(run(long), 0, 1400), Box{600, 150}},
		{"curves-streaming", &Curves{Metric: Cost}, view(run(streaming), 0, 14), Box{500, 150}},
		{"timeline", &Timeline{Inset: 9}, view(both, 0, 14), Box{850, 30}},
		{"timeline-told", &Timeline{Inset: 9, Peek: 3}, view(both, 1, 14), Box{850, 44}},
		{"timeline-narrow", &Timeline{Inset: 9}, view(both, 0, 40), Box{350, 26}},
		{"timeline-long", &Timeline{Inset: 9}, view(run(long), 0, 1400), Box{600, 30}},
		{"timeline-streaming", &Timeline{Inset: 9}, view(run(streaming), 0, 30), Box{600, 30}},
		{"timeline-diverged", &Timeline{Inset: 9}, view(diverged, 0, 30), Box{600, 30}},
		{"weights", &Weights{}, view(run(fedem), 0, 3), Box{388, 150}},
		{"weights-hover", &Weights{}, lit, Box{388, 150}},
		{"weights-many", &Weights{}, view(run(blends), 0, 10), Box{388, 150}},
		{"weights-tall", &Weights{}, view(run(fedem), 0, 14), Box{358, 420}},
		{"weights-none", &Weights{}, view(both, 0, 3), Box{388, 150}},
		{"flow", &Flow{}, view(both, 1, 3), Box{388, 150}},
		{"flow-hover", &Flow{}, hover, Box{388, 150}},
		{"flow-eight", &Flow{}, view(run(eight), 0, 4), Box{388, 150}},
		{"flow-many", &Flow{}, view(run(many), 0, 3), Box{388, 150}},
		{"flow-tall", &Flow{}, view(both, 1, 2), Box{358, 420}},
		{"flow-start", &Flow{}, view(both, 0, 0), Box{388, 150}},
		{"spectrum", &Spectrum{}, view(both, 0, 12), Box{388, 150}},
		{"spectrum-before", &Spectrum{}, view(both, 0, 13), Box{388, 150}},
		{"spectrum-eight", &Spectrum{}, view(run(eight), 0, 10), Box{388, 150}},
		{"spectrum-tall", &Spectrum{}, view(both, 0, 30), Box{358, 420}},
		{"spectrum-start", &Spectrum{}, view(both, 0, 0), Box{388, 150}},
		{"models", &Models{}, view(both, 0, 14), Box{388, 150}},
		{"models-hover", &Models{}, hover, Box{388, 150}},
		{"models-one", &Models{}, view(run(single), 0, 20), Box{388, 150}},
		{"models-five", &Models{}, view(run(five), 0, 20), Box{388, 150}},
		{"models-local", &Models{}, view(run(local), 0, 9), Box{388, 150}},
		{"models-tall", &Models{}, view(four, 2, 40), Box{358, 420}},
		{"models-none", &Models{}, view(photos, 0, 3), Box{388, 150}},
		{"tree", &Tree{}, view(branched(cflgp), 0, 30), Box{388, 150}},
		{"tree-hover", &Tree{}, boughs, Box{388, 150}},
		{"tree-many", &Tree{}, view(branched(many), 0, 12), Box{388, 150}},
		{"tree-tall", &Tree{}, view(branched(cflgp), 0, 45), Box{358, 420}},
		{"tree-none", &Tree{}, view(four, 3, 14), Box{388, 150}},
		{"map-solid", &Map{In3D: true, From: Aside}, view(deep(cflgp), 0, 14), wide},
		{"map-solid-losses", &Map{In3D: true, From: Aside}, view(deep(ifca), 0, 14), wide},
		{"map-solid-above", &Map{In3D: true, From: Orbit{Tilt: 90}}, view(deep(cflgp), 0, 14), wide},
		{"map-solid-many", &Map{In3D: true, From: Orbit{Turn: 200, Tilt: 20}}, view(deep(many), 0, 5), tight},
		{"map-solid-pair", &Map{In3D: true, From: Aside}, view(run(pair), 0, 14), wide},
		{"map-empty", &Map{}, view(trace.NewRun(both.Header), 0, 0), tight},
	}
}

// TestGolden compares every picture with testdata. Look at the pictures
// before committing new ones: go test ./ui/chart -update.
func TestGolden(t *testing.T) {
	for _, p := range pictures() {
		t.Run(p.name, func(t *testing.T) {
			var list scene.List
			p.figure.Draw(&list, nil, p.view, p.box)
			for _, theme := range []scene.Theme{scene.Light, scene.Dark} {
				var got bytes.Buffer
				if err := scene.SVG(&got, &list, theme, p.box.W, p.box.H, p.name, p.figure.Describe(p.view)); err != nil {
					t.Fatal(err)
				}
				name := filepath.Join("testdata", p.name+"-"+theme.String()+".svg")
				if *update {
					if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				want, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), want) {
					t.Errorf("%s differs; look at it and run go test -update", name)
				}
			}
		})
	}
}
