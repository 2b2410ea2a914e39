package figures_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/lane"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/samples"
	"flockscope/ui/chart/stage"
	"flockscope/ui/testing/charttest"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

// picture is a figure with a view and a size.
type picture struct {
	name   string
	figure chart.Figure
	view   *chart.View
	box    chart.Box
}

func pictures() []picture {
	with := func(f charttest.Lane, change func(*charttest.Lane)) charttest.Lane { change(&f); return f }
	many := with(charttest.CFLGP, func(f *charttest.Lane) { f.Clients, f.Wild = 200, true })
	crowd := with(charttest.CFLGP, func(f *charttest.Lane) { f.Clients = 1000 })
	eight := with(charttest.CFLGP, func(f *charttest.Lane) { f.Clients, f.Groups, f.Models = 48, 8, 8 })
	early := with(charttest.Pair, func(f *charttest.Lane) { f.Wild = true })
	unknown := with(charttest.CFLGP, func(f *charttest.Lane) { f.Unknown = true })
	long := with(charttest.CFLGP, func(f *charttest.Lane) { f.Rounds = 4000 })
	streaming := with(charttest.CFLGP, func(f *charttest.Lane) { f.Streaming = true })
	both := charttest.Run(charttest.CFLGP, charttest.IFCA)
	four := charttest.Run(charttest.CFLGP, charttest.IFCA, charttest.Clove, charttest.FedAvg)
	hover := charttest.View(both, 0, 14)
	hover.Hover, hover.Selected = 5, 9
	far, letters := charttest.View(both, 1, 14), charttest.View(both, 1, 14)
	far.Projector, letters.Letters = true, true
	compact := charttest.View(both, 0, 14)
	compact.Compact = true
	compactTriangle := charttest.View(both, 1, 14)
	compactTriangle.Compact = true
	diverged := charttest.Run(charttest.CFLGP)
	diverged.Tracks[0].Summary.Settled, diverged.Tracks[0].Summary.Diverged = -1, 41
	ten := with(charttest.Digits, func(f *charttest.Lane) { f.Clients, f.Groups, f.Models, f.Classes = 40, 10, 10, 10 })
	sixteen := with(charttest.CFLGP, func(f *charttest.Lane) { f.Clients, f.Groups, f.Models = 48, 16, 16 })
	throng := with(charttest.Digits, func(f *charttest.Lane) { f.Clients = 300 })
	nobody := with(charttest.Digits, func(f *charttest.Lane) { f.Unknown = true })
	coloured := with(charttest.Digits, func(f *charttest.Lane) { f.Colour, f.Clients = true, 8 })
	rows := charttest.Run(charttest.Digits)
	rows.Header.DataPreview.Gallery.Pixels, rows.Header.DataPreview.Gallery.Label = nil, nil
	photos := charttest.Run(charttest.Digits, with(charttest.IFCA, func(f *charttest.Lane) {
		f.Clients, f.Groups, f.Models, f.Kind = 16, 4, 4, trace.LossPlane
	}))
	copies := charttest.Run(with(charttest.Digits, func(f *charttest.Lane) { f.Rebuilds = true }))
	preview := charttest.View(copies, 0, 14)
	preview.Hover = copies.Header.PreviewClients()[1]
	other := charttest.View(copies, 0, 14)
	other.Hover = copies.Header.PreviewClients()[copies.Header.Groups]
	light, low := charttest.View(photos, 1, 13), charttest.View(photos, 0, 13)
	light.Hover, light.Selected, low.Selected = 2, 9, 15
	blends := with(charttest.FedEM, func(f *charttest.Lane) { f.Clients, f.Groups, f.Models = 200, 8, 8 })
	lit := charttest.View(charttest.Run(charttest.FedEM), 0, 6)
	lit.Hover, lit.Selected = 7, 2
	single := with(charttest.Pair, func(f *charttest.Lane) { f.Drawn = 1 })
	five := with(charttest.CFLGP, func(f *charttest.Lane) { f.Drawn = 5 })
	boughs := charttest.View(charttest.Branched(charttest.CFLGP), 0, 28)
	boughs.Hover, boughs.Selected = 0, 10
	noted := charttest.Noted(charttest.CFLGP, charttest.IFCA, charttest.Clove, charttest.FedAvg, charttest.FedEM)
	networks := charttest.Noted(charttest.Digits, with(charttest.IFCA, func(f *charttest.Lane) {
		f.Clients, f.Groups, f.Models, f.Kind = 16, 4, 4, trace.LossPlane
	}))
	alone := charttest.Noted(charttest.Local)
	hundred := charttest.Noted(with(charttest.CFLGP, func(f *charttest.Lane) { f.Clients = 100 }),
		with(charttest.IFCA, func(f *charttest.Lane) { f.Clients = 100 }),
		with(charttest.FedEM, func(f *charttest.Lane) { f.Clients = 100 }))
	thousand := charttest.Noted(with(charttest.CFLGP, func(f *charttest.Lane) { f.Clients = 1000 }))
	thirty := charttest.Noted(with(charttest.CFLGP, func(f *charttest.Lane) {
		f.Clients, f.Groups, f.Models = 36, 4, 4
	}))
	nameless := charttest.Noted(unknown)
	at := func(r *trace.Run, lane int, phase registry.Phase, part float32) *chart.View {
		return charttest.Moment(r, lane, 14, phase, part)
	}
	networked := func(blocks []trace.Block, trunk int) *chart.View {
		return charttest.View(charttest.Networked(photos, blocks, trunk), 0, 13)
	}
	common := at(noted, 0, registry.Broadcast, 0.45)
	common.Detail.Common = 2
	followed, lettered := charttest.View(noted, 0, 14), charttest.View(noted, 1, 14)
	followed.Followed, lettered.Letters = 5, true
	whole, phone, frame := chart.Box{W: 517, H: 430}, chart.Box{W: 174, H: 238}, chart.Box{W: 380, H: 270}
	wide, square, tight := chart.Box{W: 388, H: 320}, chart.Box{W: 320, H: 320}, chart.Box{W: 230, H: 250}
	return []picture{
		{"map-gradient", &clientmap.Map{}, charttest.View(both, 0, 14), wide},
		{"map-gradient-early", &clientmap.Map{}, charttest.View(both, 0, 2), wide},
		{"map-gradient-hover", &clientmap.Map{}, hover, wide},
		{"map-gradient-fit", &clientmap.Map{Fit: true}, charttest.View(charttest.Run(many), 0, 50), wide},
		{"map-gradient-compact", &clientmap.Map{}, compact, tight},
		{"map-triangle", &clientmap.Map{}, charttest.View(both, 1, 14), wide},
		{"map-triangle-compact", &clientmap.Map{}, compactTriangle, tight},
		{"map-projector", &clientmap.Map{}, far, wide},
		{"map-letters", &clientmap.Map{}, letters, wide},
		{"map-pair", &clientmap.Map{}, charttest.View(charttest.Run(charttest.Pair), 0, 14), wide},
		{"map-pair-narrow", &clientmap.Map{}, charttest.View(charttest.Run(charttest.Pair), 0, 3), tight},
		{"map-pair-wild", &clientmap.Map{}, charttest.View(charttest.Run(early), 0, 2), tight},
		{"map-pair-fit", &clientmap.Map{Fit: true}, charttest.View(charttest.Run(early), 0, 50), tight},
		{"map-plane", &clientmap.Map{}, charttest.View(four, 2, 20), wide},
		{"map-many", &clientmap.Map{}, charttest.View(charttest.Run(many), 0, 5), wide},
		{"map-crowd", &clientmap.Map{}, charttest.View(charttest.Run(crowd), 0, 14), wide},
		{"map-eight", &clientmap.Map{}, charttest.View(charttest.Run(eight), 0, 10), wide},
		{"map-unknown", &clientmap.Map{}, charttest.View(charttest.Run(unknown), 0, 14), wide},
		{"map-start", &clientmap.Map{}, charttest.View(both, 0, 0), wide},
		{"map-fedavg", &clientmap.Map{}, charttest.View(four, 3, 14), wide},
		{"map-local", &clientmap.Map{}, charttest.View(charttest.Run(charttest.Local), 0, 14), tight},
		{"data", &samples.Plane{Angle: "Δφ 20°"}, charttest.View(both, 0, 3), square},
		{"data-nobody", &samples.Plane{Angle: "Δφ 20°"}, charttest.View(four, 2, 14), square},
		{"data-compact", &samples.Plane{Angle: "Δφ 20°"}, compact, tight},
		{"data-local", &samples.Plane{Angle: "Δφ 20°"}, charttest.View(charttest.Run(charttest.Local), 0, 4), square},
		{"gallery", &samples.Gallery{}, charttest.View(photos, 1, 6), chart.Box{W: 300, H: 330}},
		{"gallery-hover", &samples.Gallery{}, light, chart.Box{W: 300, H: 330}},
		{"gallery-low", &samples.Gallery{}, low, tight},
		{"gallery-ten", &samples.Gallery{}, charttest.View(charttest.Run(ten), 0, 2), chart.Box{W: 300, H: 330}},
		{"gallery-throng", &samples.Gallery{}, charttest.View(charttest.Run(throng), 0, 4), chart.Box{W: 300, H: 330}},
		{"gallery-nobody", &samples.Gallery{}, charttest.View(charttest.Run(nobody), 0, 4), chart.Box{W: 300, H: 330}},
		{"gallery-coloured", &samples.Gallery{}, charttest.View(charttest.Run(coloured), 0, 4), chart.Box{W: 358, H: 260}},
		{"gallery-rows", &samples.Gallery{}, charttest.View(rows, 0, 4), chart.Box{W: 300, H: 330}},
		{"gallery-classes", &samples.Gallery{ByClass: true}, light, chart.Box{W: 300, H: 330}},
		{"gallery-classes-low", &samples.Gallery{ByClass: true}, charttest.View(charttest.Run(coloured), 0, 4), chart.Box{W: 240, H: 120}},
		{"gallery-classes-ten", &samples.Gallery{ByClass: true}, charttest.View(charttest.Run(ten), 0, 2), chart.Box{W: 358, H: 260}},
		{"answers", &lane.Answers{}, charttest.View(photos, 0, 13), chart.Box{W: 388, H: 150}},
		{"answers-hover", &lane.Answers{}, light, chart.Box{W: 388, H: 150}},
		{"answers-ten", &lane.Answers{}, charttest.View(charttest.Run(ten), 0, 2), chart.Box{W: 388, H: 150}},
		{"answers-tall", &lane.Answers{}, low, chart.Box{W: 358, H: 420}},
		{"answers-none", &lane.Answers{}, charttest.View(both, 0, 3), chart.Box{W: 388, H: 150}},
		{"rebuilt", &lane.Rebuilt{}, charttest.View(copies, 0, 8), chart.Box{W: 388, H: 150}},
		{"rebuilt-tall", &lane.Rebuilt{}, preview, chart.Box{W: 358, H: 420}},
		{"rebuilt-hover", &lane.Rebuilt{}, other, chart.Box{W: 358, H: 420}},
		{"rebuilt-ten", &lane.Rebuilt{}, charttest.View(charttest.Run(with(ten, func(f *charttest.Lane) { f.Rebuilds, f.Colour = true, true })), 0, 3), chart.Box{W: 388, H: 260}},
		{"rebuilt-none", &lane.Rebuilt{}, charttest.View(both, 0, 3), chart.Box{W: 388, H: 150}},
		{"map-sixteen", &clientmap.Map{}, charttest.View(charttest.Run(sixteen), 0, 10), wide},
		{"losses-heard", &lane.Losses{}, charttest.View(photos, 0, 13), chart.Box{W: 388, H: 150}},
		{"curves-accuracy", &progress.Curves{Metric: progress.Accuracy}, charttest.View(photos, 0, 13), chart.Box{W: 792, H: 170}},
		{"losses", &lane.Losses{}, charttest.View(both, 0, 3), chart.Box{W: 388, H: 150}},
		{"losses-hover", &lane.Losses{}, hover, chart.Box{W: 388, H: 150}},
		{"losses-eight", &lane.Losses{}, charttest.View(charttest.Run(eight), 0, 10), chart.Box{W: 388, H: 150}},
		{"losses-many", &lane.Losses{}, charttest.View(charttest.Run(many), 0, 5), chart.Box{W: 388, H: 150}},
		{"losses-crowd", &lane.Losses{}, charttest.View(charttest.Run(crowd), 0, 5), chart.Box{W: 388, H: 150}},
		{"losses-local", &lane.Losses{}, charttest.View(charttest.Run(charttest.Local), 0, 5), chart.Box{W: 388, H: 100}},
		{"losses-start", &lane.Losses{}, charttest.View(trace.NewRun(both.Header), 0, 0), chart.Box{W: 388, H: 100}},
		{"curves-ari", &progress.Curves{}, charttest.View(both, 0, 14), chart.Box{W: 792, H: 170}},
		{"curves-four", &progress.Curves{}, charttest.View(four, 0, 59), chart.Box{W: 792, H: 170}},
		{"curves-peek", &progress.Curves{Metric: progress.Misplaced, Readout: progress.Readout{On: true, Round: 30, Lane: -1}}, charttest.View(four, 0, 14), chart.Box{W: 500, H: 150}},
		{"curves-loss", &progress.Curves{Metric: progress.Loss}, charttest.View(four, 0, 14), chart.Box{W: 500, H: 150}},
		{"curves-cost", &progress.Curves{Metric: progress.Cost}, charttest.View(four, 0, 14), chart.Box{W: 390, H: 150}},
		{"curves-compact", &progress.Curves{}, compact, chart.Box{W: 490, H: 80}},
		{"curves-long", &progress.Curves{}, charttest.View(charttest.Run(long), 0, 1400), chart.Box{W: 600, H: 150}},
		{"curves-streaming", &progress.Curves{Metric: progress.Cost}, charttest.View(charttest.Run(streaming), 0, 14), chart.Box{W: 500, H: 150}},
		{"timeline", &progress.Timeline{Inset: 9}, charttest.View(both, 0, 14), chart.Box{W: 850, H: 30}},
		{"timeline-told", &progress.Timeline{Inset: 9, Hovered: 3}, charttest.View(both, 1, 14), chart.Box{W: 850, H: 44}},
		{"timeline-narrow", &progress.Timeline{Inset: 9}, charttest.View(both, 0, 40), chart.Box{W: 350, H: 26}},
		{"timeline-long", &progress.Timeline{Inset: 9}, charttest.View(charttest.Run(long), 0, 1400), chart.Box{W: 600, H: 30}},
		{"timeline-streaming", &progress.Timeline{Inset: 9}, charttest.View(charttest.Run(streaming), 0, 30), chart.Box{W: 600, H: 30}},
		{"timeline-diverged", &progress.Timeline{Inset: 9}, charttest.View(diverged, 0, 30), chart.Box{W: 600, H: 30}},
		{"weights", &lane.Weights{}, charttest.View(charttest.Run(charttest.FedEM), 0, 3), chart.Box{W: 388, H: 150}},
		{"weights-hover", &lane.Weights{}, lit, chart.Box{W: 388, H: 150}},
		{"weights-many", &lane.Weights{}, charttest.View(charttest.Run(blends), 0, 10), chart.Box{W: 388, H: 150}},
		{"weights-tall", &lane.Weights{}, charttest.View(charttest.Run(charttest.FedEM), 0, 14), chart.Box{W: 358, H: 420}},
		{"weights-none", &lane.Weights{}, charttest.View(both, 0, 3), chart.Box{W: 388, H: 150}},
		{"flow", &lane.Flow{}, charttest.View(both, 1, 3), chart.Box{W: 388, H: 150}},
		{"flow-hover", &lane.Flow{}, hover, chart.Box{W: 388, H: 150}},
		{"flow-eight", &lane.Flow{}, charttest.View(charttest.Run(eight), 0, 4), chart.Box{W: 388, H: 150}},
		{"flow-many", &lane.Flow{}, charttest.View(charttest.Run(many), 0, 3), chart.Box{W: 388, H: 150}},
		{"flow-tall", &lane.Flow{}, charttest.View(both, 1, 2), chart.Box{W: 358, H: 420}},
		{"flow-start", &lane.Flow{}, charttest.View(both, 0, 0), chart.Box{W: 388, H: 150}},
		{"spectrum", &lane.Spectrum{}, charttest.View(both, 0, 12), chart.Box{W: 388, H: 150}},
		{"spectrum-before", &lane.Spectrum{}, charttest.View(both, 0, 13), chart.Box{W: 388, H: 150}},
		{"spectrum-eight", &lane.Spectrum{}, charttest.View(charttest.Run(eight), 0, 10), chart.Box{W: 388, H: 150}},
		{"spectrum-tall", &lane.Spectrum{}, charttest.View(both, 0, 30), chart.Box{W: 358, H: 420}},
		{"spectrum-start", &lane.Spectrum{}, charttest.View(both, 0, 0), chart.Box{W: 388, H: 150}},
		{"models", &lane.Models{}, charttest.View(both, 0, 14), chart.Box{W: 388, H: 150}},
		{"models-hover", &lane.Models{}, hover, chart.Box{W: 388, H: 150}},
		{"models-one", &lane.Models{}, charttest.View(charttest.Run(single), 0, 20), chart.Box{W: 388, H: 150}},
		{"models-five", &lane.Models{}, charttest.View(charttest.Run(five), 0, 20), chart.Box{W: 388, H: 150}},
		{"models-local", &lane.Models{}, charttest.View(charttest.Run(charttest.Local), 0, 9), chart.Box{W: 388, H: 150}},
		{"models-tall", &lane.Models{}, charttest.View(four, 2, 40), chart.Box{W: 358, H: 420}},
		{"models-none", &lane.Models{}, charttest.View(photos, 0, 3), chart.Box{W: 388, H: 150}},
		{"network", &lane.Network{}, networked(charttest.ResNet8, 5), chart.Box{W: 388, H: 150}},
		{"network-low", &lane.Network{}, networked(charttest.ResNet8, 0), chart.Box{W: 174, H: 150}},
		{"network-tall", &lane.Network{}, networked(charttest.ResNet8, 3), chart.Box{W: 358, H: 420}},
		{"network-words", &lane.Network{}, networked(charttest.TextCNN, 0), chart.Box{W: 388, H: 150}},
		{"network-flat", &lane.Network{}, networked(charttest.MLP, 1), chart.Box{W: 517, H: 180}},
		{"network-deep", &lane.Network{}, networked(charttest.DeepNet, 20), chart.Box{W: 517, H: 180}},
		{"network-none", &lane.Network{}, charttest.View(both, 0, 3), chart.Box{W: 388, H: 150}},
		{"tree", &lane.Tree{}, charttest.View(charttest.Branched(charttest.CFLGP), 0, 30), chart.Box{W: 388, H: 150}},
		{"tree-hover", &lane.Tree{}, boughs, chart.Box{W: 388, H: 150}},
		{"tree-many", &lane.Tree{}, charttest.View(charttest.Branched(many), 0, 12), chart.Box{W: 388, H: 150}},
		{"tree-tall", &lane.Tree{}, charttest.View(charttest.Branched(charttest.CFLGP), 0, 45), chart.Box{W: 358, H: 420}},
		{"tree-none", &lane.Tree{}, charttest.View(four, 3, 14), chart.Box{W: 388, H: 150}},
		{"map-solid", &clientmap.Map{In3D: true, From: clientmap.DefaultOrbit}, charttest.View(charttest.Deep(charttest.CFLGP), 0, 14), wide},
		{"map-solid-losses", &clientmap.Map{In3D: true, From: clientmap.DefaultOrbit}, charttest.View(charttest.Deep(charttest.IFCA), 0, 14), wide},
		{"map-solid-above", &clientmap.Map{In3D: true, From: clientmap.Orbit{Tilt: 90}}, charttest.View(charttest.Deep(charttest.CFLGP), 0, 14), wide},
		{"map-solid-many", &clientmap.Map{In3D: true, From: clientmap.Orbit{Turn: 200, Tilt: 20}}, charttest.View(charttest.Deep(many), 0, 5), tight},
		{"map-solid-pair", &clientmap.Map{In3D: true, From: clientmap.DefaultOrbit}, charttest.View(charttest.Run(charttest.Pair), 0, 14), wide},
		{"stage-map", &stage.Stage{}, followed, whole},
		{"stage-map-broadcast", &stage.Stage{}, common, whole},
		{"stage-map-probe", &stage.Stage{}, at(noted, 0, registry.Probe, 1), whole},
		{"stage-map-embed", &stage.Stage{}, at(noted, 0, registry.Embed, 1), whole},
		{"stage-map-cluster", &stage.Stage{}, at(noted, 0, registry.Cluster, 1), whole},
		{"stage-map-match", &stage.Stage{}, at(noted, 0, registry.Match, 1), whole},
		{"stage-map-update", &stage.Stage{}, at(noted, 0, registry.Update, 0.4), whole},
		{"stage-columns", &stage.Stage{}, charttest.View(noted, 1, 14), whole},
		{"stage-columns-skipped", &stage.Stage{}, at(noted, 1, registry.Embed, 1), whole},
		{"stage-columns-cluster", &stage.Stage{}, at(noted, 1, registry.Cluster, 0.5), whole},
		{"stage-letters", &stage.Stage{}, lettered, whole},
		{"stage-losses", &stage.Stage{}, charttest.View(noted, 2, 14), chart.Box{W: 746, H: 640}},
		{"stage-pulls", &stage.Stage{}, charttest.View(noted, 3, 14), whole},
		{"stage-mixtures", &stage.Stage{}, charttest.View(noted, 4, 6), whole},
		{"stage-own-models", &stage.Stage{}, charttest.View(alone, 0, 14), whole},
		{"stage-networks", &stage.Stage{}, charttest.View(networks, 0, 14), whole},
		{"stage-networks-columns", &stage.Stage{}, charttest.View(networks, 1, 14), chart.Box{W: 490, H: 300}},
		{"stage-rows", &stage.Stage{}, charttest.View(thirty, 0, 8), whole},
		{"stage-field", &stage.Stage{}, charttest.View(hundred, 1, 8), whole},
		{"stage-corners", &stage.Stage{}, charttest.View(hundred, 2, 4), whole},
		{"stage-thousand", &stage.Stage{}, charttest.View(thousand, 0, 8), whole},
		{"stage-phone", &stage.Stage{}, charttest.View(noted, 0, 14), phone},
		{"stage-frame", &stage.Stage{}, at(noted, 1, registry.Broadcast, 0.6), frame},
		{"stage-lecture", &stage.Stage{Lecture: true}, charttest.View(noted, 1, 14), chart.Box{W: 655, H: 520}},
		{"stage-unknown", &stage.Stage{}, charttest.View(nameless, 0, 14), whole},
		{"stage-start", &stage.Stage{}, charttest.View(noted, 0, 0), whole},
		{"map-empty", &clientmap.Map{}, charttest.View(trace.NewRun(both.Header), 0, 0), tight},
	}
}

// TestGolden compares every picture, in the light theme, with testdata; TestThemes has the
// other themes. Look at the pictures before committing new ones: go test ./ui/chart/figures -update.
func TestGolden(t *testing.T) {
	for _, p := range pictures() {
		t.Run(p.name, func(t *testing.T) {
			got, name := p.svg(t, scene.Light), filepath.Join("testdata", p.name+".svg")
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs; look at it and run go test -update", name)
			}
		})
	}
}

func (p *picture) svg(t *testing.T, theme scene.Theme) []byte {
	t.Helper()
	var list scene.List
	p.figure.Draw(&list, nil, p.view, p.box)
	var out bytes.Buffer
	if err := scene.SVG(&out, &list, theme, p.box.W, p.box.H, p.name, p.figure.Describe(p.view)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
