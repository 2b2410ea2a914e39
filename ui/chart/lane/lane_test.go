package lane

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

// TestAnswersMean: for all clients the figure gives the mean of their accuracies, also if
// they have different numbers of held-out samples.
func TestAnswersMean(t *testing.T) {
	f := charttest.Digits
	f.Clients, f.Groups, f.Classes = 2, 2, 2
	r := charttest.Run(f)
	frame := &r.Tracks[0].Frames[5]
	frame.Confusion = []uint16{0, 45, 45, 0, 10, 0, 10, 0} // 0 of 90 right, and 10 of 20
	frame.Accuracies, frame.Accuracy = []float32{0, 0.5}, 0.25
	g, v := Answers{}, charttest.View(r, 0, 5)
	if got := g.Describe(v); !strings.Contains(got,
		"the mean accuracy over clients is 25% on held-out samples") {
		t.Errorf("Describe = %q, want 25%% right in the mean over clients", got)
	}
	if v.Hover = 1; !strings.Contains(g.Describe(v), "is correct on 50% of its held-out samples;") {
		t.Errorf("Describe = %q, want 50%% right", g.Describe(v))
	}
}

// onlyShownFor checks that a kind of figure is shown for one run, and not for another.
func onlyShownFor(t *testing.T, k *chart.Kind, with *chart.View, without charttest.Lane) {
	t.Helper()
	if !k.Available(with) || k.Available(charttest.View(charttest.Run(without), 0, 14)) {
		t.Errorf("%s is not shown for the run that has its data, or for one that has not", k.Name)
	}
}

func TestFlowDescribe(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	before, now := &r.Tracks[0].Frames[13], &r.Tracks[0].Frames[14]
	for i := range now.Label { // alias swaps A and B
		now.Label[i] = []uint16{1, 0, 2}[r.Header.Group[i]]
		before.Label[i] = now.Label[i]
	}
	g, v := Flow{}, charttest.View(r, 0, 14)
	now.Events, before.Events, r.Tracks[0].Frames[12].Events = 0, 0, trace.Moved
	charttest.Describes(t, &g, v,
		"Flow, round 13 to 14, CFL-GP: no client moved since round 12.")
	before.Label[0], before.Label[1], before.Label[11] = 0, 0, 1
	charttest.Describes(t, &g, v,
		"Flow, round 13 to 14, CFL-GP: 3 clients moved: client 12 from A to C and clients 1 and 2 from B to A.")
	if _, rows := g.Table(v); strings.Join(rows[11], " ") != "12 3 (diamond) A C yes" {
		t.Errorf("the last row is %q", rows[11])
	}
}

func TestWeightsDescribe(t *testing.T) {
	r := charttest.Run(charttest.FedEM)
	f := &r.Tracks[0].Frames[14]
	for i := range f.Label {
		copy(f.Mixture[3*i:], []float32{0, 1, 0})
	}
	g, v := Weights{}, charttest.View(r, 0, 14)
	copy(f.Mixture[3*4:], []float32{0.25, 0.5, 0.25})
	charttest.Describes(t, &g, v,
		"Weights, round 14, FedEM: 11 of 12 clients have a weight of at least 0.9 on one model; most mixed is client 5 with 50% of model A, 25% of model B and 25% of model C.")
	v.Hover = 1
	charttest.Describes(t, &g, v,
		"Weights, round 14, FedEM: client 2 has 100% of model A.")
	onlyShownFor(t, &weightsKind, v, charttest.CFLGP)
}

func TestSpectrumDescribe(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	f := &r.Tracks[0].Frames[14]
	f.Spectrum, f.Directions = []float32{9, 3, 2.5, 0.5, 0.25}, 4
	g, v := Spectrum{}, charttest.View(r, 0, 14)
	charttest.Describes(t, &g, v,
		"Spectrum, round 14, CFL-GP: 5 singular values, from 9 to 0.250; after the first, which is what all clients have in common, the largest gap follows number 3; the server used 4 directions.")
	if _, rows := g.Table(v); len(rows) != 5 || strings.Join(rows[2], " ") != "3 2.50 2 yes" || rows[4][3] != "no" {
		t.Errorf("Table = %q", rows)
	}
	onlyShownFor(t, &spectrumKind, v, charttest.IFCA)
}

func TestModelsDescribe(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	f, truth := &r.Tracks[0].Frames[14], r.Header.DataPreview.Truth
	truth[0], truth[1], truth[2] = trace.Line{Slope: 1}, trace.Line{}, trace.Line{Slope: -1, Offset: 2}
	copy(f.Models, []float32{0, 0.5, 1.25, 0, -1, 2}) // alias swaps A and B
	for i := range f.Label {
		f.Label[i] = uint16(i % 2)
	}
	g, v := Models{}, charttest.View(r, 0, 14)
	charttest.Describes(t, &g, v,
		"Models, round 14, CFL-GP: A, 6 clients, 0.250 from the best model of group 1; B, 6 clients, 0.500 from the best model of group 2; C, unused, 0 from the best model of group 3.")
	v.Hover = 11
	charttest.Describes(t, &g, v,
		"Models, round 14, CFL-GP: client 12 has model A, 3.01 from the best one for its group.")
	onlyShownFor(t, &modelsKind, v, charttest.Digits)
}

// TestPlaneOfModels: the two directions of largest variance, and the share that they keep.
func TestPlaneOfModels(t *testing.T) {
	f := charttest.CFLGP
	f.Drawn = 4
	r := charttest.Run(f)
	frames := r.Tracks[0].Frames
	for n := range frames {
		for k := range 3 { // spread 18 along (0, 3, 4, 0)/5, 2 along (1, 0, 0, 0), 1 elsewhere
			a, b, c := float32(1-2*(n%2)), float32(1-2*(n/2%2)), float32(1-2*(n/4%2))
			copy(frames[n].Models[4*k:], []float32{b * 1.4142135, 4.2426405 * a * 0.6, 4.2426405 * a * 0.8, c})
		}
	}
	r.Tracks[0].Frames = frames[:56]
	var m modelPlane
	m.update(charttest.View(r, 0, 20))
	if math.Abs(m.kept-20./21) > 1e-6 {
		t.Errorf("the plane keeps %v of the spread, want 20/21", m.kept)
	}
	x, y, _ := m.position(&frames[2], 0)
	if math.Abs(float64(x)-4.2426405) > 1e-3 || math.Abs(float64(y)+1.4142135) > 1e-3 {
		t.Errorf("a model at (−√2, 3√2·0.6, 3√2·0.8, 1) is drawn at (%v, %v), want (3√2, −√2)", x, y)
	}
}

func TestTreeDescribe(t *testing.T) {
	r := charttest.Branched(charttest.CFLGP) // alias swaps A and B
	g := Tree{}
	for _, tt := range []struct {
		round int
		want  string
	}{
		{9, "Tree, round 9, CFL-GP: 1 cluster, as at the start."},
		{10, "Tree, round 10, CFL-GP: 2 clusters. Round 10: A splits from B with 8 clients."},
		{39, "Tree, round 39, CFL-GP: 3 clusters. Round 10: A splits from B with 8 clients. Round 25: C splits from A with 4 clients."},
		{60, "Tree, round 60, CFL-GP: 2 clusters. Round 10: A splits from B with 8 clients. Round 25: C splits from A with 4 clients. Round 40: C merges into A."},
	} {
		charttest.Describes(t, &g, charttest.View(r, 0, tt.round), tt.want)
	}
	v := charttest.View(r, 0, 3)
	if _, rows := g.Table(v); len(rows) != 3 || strings.Join(rows[2], "|") != "40|C merges into A|2" {
		t.Errorf("Table = %q", rows)
	}
	onlyShownFor(t, &treeKind, v, charttest.FedAvg)
}

// TestBranchesCountEverybody: every column has all clients, and the links into a cluster have
// as many as the cluster.
func TestBranchesCountEverybody(t *testing.T) {
	for _, r := range []*trace.Run{charttest.Branched(charttest.CFLGP), charttest.Run(charttest.IFCA),
		charttest.Run(charttest.Clove)} {
		for _, stride := range []int{0, 7} {
			var b branches
			b.update(charttest.View(r, 0, 3), stride)
			for c := range b.columns {
				all, in := 0, make([]int, b.models)
				for k := range b.models {
					all += b.count(c, k)
				}
				for _, a := range b.linksInto(c) {
					in[a.to] += a.clients
				}
				for k := range b.models {
					if c > 0 && in[k] != b.count(c, k) {
						t.Errorf("%d clients flow into model %d in round %d, which has %d", in[k], k,
							b.columns[c].round, b.count(c, k))
					}
				}
				if all != r.Header.Clients {
					t.Errorf("round %d has %d clients, want %d", b.columns[c].round, all, r.Header.Clients)
				}
			}
			if end := b.columns[len(b.columns)-1].round; b.count(len(b.columns)-1,
				0) != chart.ClientsOf(&r.Tracks[0].Frames[60], 0) {
				t.Errorf("the last column, of round %d, is not what the run ends with", end)
			}
		}
	}
}

// All lanes have the same colour scale for losses, unless each has its own.
func TestLossesShareColours(t *testing.T) {
	r := charttest.Run(charttest.CFLGP, charttest.IFCA)
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
			v := charttest.View(r, lane, 5)
			g.arrange(v, v.LaneHeader())
			lo[own][lane], hi[own][lane] = g.lossRange(v)
		}
	}
	if lo[0][0] != lo[0][1] || hi[0][0] != hi[0][1] || hi[0][0]-lo[0][0] < 10 {
		t.Errorf("together the ramps end at %v and %v", lo[0], hi[0])
	}
	if hi[1][0] >= 10 || lo[1][1] < 10 {
		t.Errorf("each for itself they end at %v and %v", lo[1], hi[1])
	}
}

// The axes of a plane of models have one scale, and the best models are inside, however flat the models lie.
func TestModelsHaveOneScale(t *testing.T) {
	for _, size := range []int{2, 4} {
		f := charttest.CFLGP
		f.Drawn = size
		r := charttest.Run(f)
		frames := r.Tracks[0].Frames
		for n := range frames {
			for k := range frames[n].Models {
				frames[n].Models[k] = 0.01 * float32(n%7)
			}
			for k := range 3 {
				frames[n].Models[size*k] = float32(k-1) + 0.1*float32(n%3)
			}
		}
		r.Header.DataPreview.Best = nil
		if size == 4 {
			r.Header.DataPreview.Best = []float32{5, 0, 0, 0, 0, 4, 0, 0, 0, 0, -9, 0}
		}
		g, v, box := Models{}, charttest.View(r, 0, 20), chart.Box{W: 500, H: 300}
		var l scene.List
		g.Draw(&l, nil, v, box)
		p := g.plot(v, box)
		if x, y := (p.X1-p.X0)/(p.e.X1-p.e.X0), (p.Y1-p.Y0)/(p.e.Y1-p.e.Y0); math.Abs(float64(x/y-1)) > 1e-3 {
			t.Errorf("with %d parameters a unit is %v px wide and %v px high", size, x, y)
		}
		stars := 0
		for _, it := range charttest.Items(t, &l) {
			if it.Op.Kind() == "mark" && it.Op.Shape == scene.Star {
				stars++
			}
		}
		if stars != 3 {
			t.Errorf("with %d parameters there are %d stars for 3 groups", size, stars)
		}
		for n := range 3 {
			best, _ := bestModel(v, size, n)
			x, y := p.at(g.plane.project(best, 0))
			if _, _, outside := p.clamp(x, y); outside {
				t.Errorf("with %d parameters the star of group %d is outside, at (%v, %v)", size, n+1, x, y)
			}
		}
	}
}

// TestTheoryDescribe: a bound, if there is one, stands beside the misplaced clients, and the error beside its promise.
func TestTheoryDescribe(t *testing.T) {
	r := charttest.Theorized(charttest.CFLGP, charttest.IFCA)
	f := &r.Tracks[0].Frames[14]
	f.Misplaced, f.Theory = 1, trace.Theory{Error: 0.25, Promise: 0.125, Noise: 1, Gap: 2}
	g, v := Theory{}, charttest.View(r, 0, 14)
	charttest.Describes(t, &g, v, "Theory, round 14, CFL-GP: 1 of 12 misplaced, bound 96; distance from the best model 0.250, "+
		"bound 0.125.")
	if _, rows := g.Table(v); strings.Join(rows[14], " ") != "14 1 96 0.250 0.125" {
		t.Errorf("row 14 of the table is %q", rows[14])
	}
	f.Theory = trace.Theory{Error: 0.25}
	charttest.Describes(t, &g, v, "Theory, round 14, CFL-GP: 1 of 12 misplaced, no bound yet; distance from the best model 0.250.")
	onlyShownFor(t, &theoryKind, v, charttest.IFCA)
}

// TestAnswersLiars: the matrix and the lowest accuracy are those of honest clients.
func TestAnswersLiars(t *testing.T) {
	r := charttest.Run(charttest.Digits)
	h := r.Header
	v := charttest.View(r, 0, 14)
	g := Answers{}
	f := v.LastEvaluation()
	liar := worstClient(v, f)
	if !g.sumAnswers(v, f) {
		t.Fatal("no answers")
	}
	all := 0
	for _, n := range g.counts {
		all += n
	}
	h.Liar, h.LiesFrom = make([]bool, h.Clients), 1
	h.Liar[liar] = true
	if got := worstClient(v, f); got == liar {
		t.Errorf("the lowest accuracy is that of client %d, who lies", got)
	}
	g.sumAnswers(v, f)
	honest := 0
	for _, n := range g.counts {
		honest += n
	}
	if n := len(h.DataPreview.Gallery.Classes); honest >= all || honest != all-all/h.Clients {
		t.Errorf("%d answers of %d in %d classes are honest", honest, all, n)
	}
}
