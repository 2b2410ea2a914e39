package stage_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/stage"
	"flockscope/ui/testing/charttest"
)

var (
	whole = chart.Box{W: 517, H: 430}
	small = chart.Box{W: 174, H: 238}
)

// draw draws a stage and decodes it.
func draw(t *testing.T, s *stage.Stage, v *chart.View, box chart.Box) ([]charttest.Item, chart.Hits) {
	t.Helper()
	var l scene.List
	var hits chart.Hits
	s.Draw(&l, &hits, v, box)
	return charttest.Items(t, &l), hits
}

// texts returns all texts.
func texts(items []charttest.Item) (all []string) {
	for _, it := range items {
		if it.Op.Kind() == "text" {
			all = append(all, it.Op.Text)
		}
	}
	return all
}

// equal reports whether two drawings have the same coordinates.
func equal(a, b []charttest.Item) bool {
	return slices.EqualFunc(a, b, func(a, b charttest.Item) bool { return slices.Equal(a.Op.Values, b.Op.Values) })
}

// networkLine returns the height of the dotted line, 0 if there is none.
func networkLine(items []charttest.Item) float32 {
	for _, it := range items {
		if it.Op.Kind() == "line" && it.Op.Dash == scene.Dotted {
			return it.Op.Values[1]
		}
	}
	return 0
}

// hitOf returns the hit of a client above or below a height.
func hitOf(hits chart.Hits, client int, y float32, below bool) (chart.Hit, bool) {
	for _, h := range hits {
		if h.Client == client && (h.Y > y) == below {
			return h, true
		}
	}
	return chart.Hit{}, false
}

// Where clients choose, a mark stands in the column of its model, above the hatched band if and only if its lead is
// larger than its noise, and the higher the larger their ratio is.
func TestColumns(t *testing.T) {
	r := charttest.Noted(charttest.IFCA)
	f := &r.Tracks[0].Frames[14]
	f.Noise[3] = 1e-9 // no ratio is too large
	f.Lead[4], f.Noise[4] = 0.02, 0.02000001
	for _, box := range []chart.Box{whole, small, {W: 380, H: 270}} {
		items, hits := draw(t, new(stage.Stage), charttest.View(r, 0, 14), box)
		line := networkLine(items)
		limit := float32(0)
		for _, it := range items {
			if it.Op.Kind() == "line" && it.Op.Dash == scene.Fine && it.Op.Stroke == scene.Ink {
				limit = it.Op.Values[1]
			}
		}
		type point struct{ x, y, z float32 }
		var all []point
		columns := map[int][2]float32{} // by place in the alphabet, the least and the largest x
		for i := range f.Label {
			h, ok := hitOf(hits, i, line, false)
			if !ok {
				t.Fatalf("%v: client %d has no mark above the network", box, i)
			}
			z := f.Lead[i] / f.Noise[i]
			all = append(all, point{h.X, h.Y, z})
			if (h.Y < limit) != (z > 1) {
				t.Errorf("%v: client %d with a lead of %v times its noise is at %v, the limit at %v", box, i, z, h.Y, limit)
			}
			k := charttest.View(r, 0, 14).AliasOf(int(f.Label[i]))
			c, seen := columns[k]
			if !seen {
				c = [2]float32{h.X, h.X}
			}
			columns[k] = [2]float32{min(c[0], h.X), max(c[1], h.X)}
		}
		slices.SortFunc(all, func(a, b point) int {
			if a.z < b.z {
				return -1
			}
			return 1
		})
		for i := range all[1:] {
			if all[i+1].y > all[i].y+1e-3 {
				t.Errorf("%v: a ratio of %v is at %v, one of %v at %v", box, all[i].z, all[i].y, all[i+1].z, all[i+1].y)
			}
		}
		for k := range 2 {
			if !(columns[k][1] < columns[k+1][0]) {
				t.Errorf("%v: columns %v overlap", box, columns)
			}
		}
	}
}

// Where one model serves all, marks are as high as their updates move the end of the line, and the dashed line is at
// the mean.
func TestPulls(t *testing.T) {
	r := charttest.Noted(charttest.FedAvg)
	f := &r.Tracks[0].Frames[14]
	items, hits := draw(t, new(stage.Stage), charttest.View(r, 0, 14), whole)
	line := networkLine(items)
	var x, y [12]float64 // of a regression of heights on pulls
	for i := range 12 {
		h, _ := hitOf(hits, i, line, false)
		x[i] = -float64(f.Pull[2*i]*r.Header.DataPreview.XMax + f.Pull[2*i+1]) // models move against updates
		y[i] = float64(h.Y)
	}
	scale := (y[0] - y[11]) / (x[0] - x[11])
	mean := 0.0
	for i := range x {
		if want := y[0] + scale*(x[i]-x[0]); math.Abs(y[i]-want) > 0.05 {
			t.Errorf("client %d pulls by %v and is at %v, want %v", i, x[i], y[i], want)
		}
		mean += y[i] / 12
	}
	if scale >= 0 {
		t.Error("a pull up is drawn down")
	}
	found := false
	for _, it := range items {
		if it.Op.Kind() == "line" && it.Op.Dash == scene.Fine && it.Op.Stroke == scene.Ink {
			found = math.Abs(float64(it.Op.Values[1])-mean) < 0.05
		}
	}
	if !found {
		t.Errorf("no dashed line is at the mean, %v", mean)
	}
}

// What clients have computed stands beside what crossed the network, where there is room.
func TestComputation(t *testing.T) {
	r := charttest.Noted(charttest.FedAvg)
	r.Tracks[0].Frames[14].Computed = 2.5e6
	for _, tt := range []struct {
		box  chart.Box
		want bool
	}{{whole, true}, {chart.Box{W: 330, H: 430}, false}} {
		items, _ := draw(t, new(stage.Stage), charttest.View(r, 0, 14), tt.box)
		said := slices.ContainsFunc(texts(items), func(s string) bool { return strings.HasSuffix(s, " up, 2.5 million multiply-adds") })
		if said != tt.want {
			t.Errorf("%v: says multiply-adds is %v, want %v: %q", tt.box, said, tt.want, texts(items))
		}
	}
}

// The bars of a client that mixes models are as long as its weights.
func TestMixtures(t *testing.T) {
	r := charttest.Noted(charttest.FedEM)
	f := &r.Tracks[0].Frames[6]
	v := charttest.View(r, 0, 6)
	items, hits := draw(t, new(stage.Stage), v, whole)
	line := networkLine(items)
	for i := range 12 {
		h, _ := hitOf(hits, i, line, false)
		var heights [3]float32
		sum := float32(0)
		for _, it := range items {
			if op := it.Op; op.Kind() == "rect" && op.Values[1] > h.Y && op.Values[1] < line &&
				math.Abs(float64(op.Values[0]+op.Values[2]/2-h.X)) < 0.1 {
				for k := range 3 {
					if op.Fill == v.Colour(k) {
						heights[k] = op.Values[3] + 1 // and a gap
						sum += heights[k]
					}
				}
			}
		}
		for k, height := range heights {
			if got, want := height/sum, f.Mixture[3*i+k]; math.Abs(float64(got-want)) > 0.01 {
				t.Errorf("client %d has %v of model %d, want %v", i, got, k, want)
			}
		}
	}
}

// Messages leave the models when a phase begins and are at the clients when it ends; replies go the other way.
func TestMessages(t *testing.T) {
	r := charttest.Noted(charttest.IFCA)
	dots := func(phase registry.Phase, part float32) (y []float32) {
		items, _ := draw(t, new(stage.Stage), charttest.Moment(r, 0, 14, phase, part), whole)
		for _, it := range items {
			if op := it.Op; op.Kind() == "mark" && op.Shape == scene.Circle && op.Stroke == 0 &&
				op.Fill >= scene.Cluster(0) {
				y = append(y, op.Values[1])
			}
		}
		return y
	}
	start, half, end := dots(registry.Broadcast, 0), dots(registry.Broadcast, 0.5), dots(registry.Broadcast, 1)
	if len(start) != 36 || len(half) != 36 || len(end) != 36 {
		t.Fatalf("%d, %d and %d messages for 12 clients and 3 models", len(start), len(half), len(end))
	}
	for i := range start {
		if !(start[i] <= half[i] && half[i] <= end[i]) || start[i] != start[0] || end[i] != end[0] ||
			end[i] <= start[i] {
			t.Errorf("message %d is at %v, %v and %v", i, start[i], half[i], end[i])
		}
	}
	if up := dots(registry.Update, 0); len(up) != 12 || up[0] <= start[0] {
		t.Errorf("replies begin at %v", up)
	}
	if up := dots(registry.Update, 1); len(up) != 0 {
		t.Errorf("%d replies are still on their way", len(up))
	}
	v := charttest.Moment(r, 0, 14, registry.Broadcast, 0)
	v.ReducedMotion = true
	still, _ := draw(t, new(stage.Stage), v, whole)
	v = charttest.Moment(r, 0, 14, registry.Broadcast, 1)
	if last, _ := draw(t, new(stage.Stage), v, whole); !equal(last, still) {
		t.Error("with reduced motion the start of a phase is not its end")
	}
}

// In Embed marks rise from the clients to where their newest reply alone would be, and end at their places on the map.
func TestEmbed(t *testing.T) {
	r := charttest.Noted(charttest.CFLGP)
	place := func(part float32) (all [12]chart.Hit) {
		items, hits := draw(t, new(stage.Stage), charttest.Moment(r, 0, 14, registry.Embed, part), whole)
		line := networkLine(items)
		for i := range all {
			all[i], _ = hitOf(hits, i, line, false)
		}
		return all
	}
	after := func() (all [12]chart.Hit) { // on the same scale
		items, hits := draw(t, new(stage.Stage), charttest.Moment(r, 0, 14, registry.Cluster, 0), whole)
		for i := range all {
			all[i], _ = hitOf(hits, i, networkLine(items), false)
		}
		return all
	}()
	f := &r.Tracks[0].Frames[14]
	alone, end := place(0.49), place(1)
	moved := 0
	for i := range end {
		if d := math.Hypot(float64(end[i].X-after[i].X), float64(end[i].Y-after[i].Y)); d > 0.01 {
			t.Errorf("client %d ends %v px from its place", i, d)
		}
		// From one to the other as on the map, with the same scale.
		dx, dy := float64(f.XY[2*i]-f.Alone[2*i]), float64(f.XY[2*i+1]-f.Alone[2*i+1])
		if mx := float64(end[i].X - alone[i].X); math.Abs(mx) > 1 {
			moved++
			k := math.Hypot(mx, float64(end[i].Y-alone[i].Y)) / math.Hypot(dx, dy)
			if math.Abs(k-scaleOf(f, end)) > 0.02*k {
				t.Errorf("client %d moves %v px for a distance of 1, want %v", i, k, scaleOf(f, end))
			}
		}
	}
	if moved < 6 {
		t.Errorf("only %d clients move to their places", moved)
	}
	small := 0
	items, _ := draw(t, new(stage.Stage), charttest.Moment(r, 0, 14, registry.Embed, 1), whole)
	for _, it := range items {
		if it.Op.Kind() == "mark" && it.Op.Values[2] < 5 && it.Op.Values[1] > 90 {
			small++
		}
	}
	if small < 12 || !slices.Contains(texts(items), "small: this reply alone · large: with all before") {
		t.Errorf("%d small marks, and the texts %q", small, texts(items))
	}
}

// scaleOf returns the pixels of a distance of 1 on the map.
func scaleOf(f *trace.Frame, at [12]chart.Hit) float64 {
	best, scale := 0.0, 0.0
	for i := range at {
		for j := range i {
			d := math.Hypot(float64(f.XY[2*i]-f.XY[2*j]), float64(f.XY[2*i+1]-f.XY[2*j+1]))
			if d > best {
				best, scale = d, math.Hypot(float64(at[i].X-at[j].X), float64(at[i].Y-at[j].Y))/d
			}
		}
	}
	return scale
}

// A skipped phase says so, is dimmed, and moves nothing.
func TestSkipped(t *testing.T) {
	r := charttest.Noted(charttest.IFCA)
	v := charttest.Moment(r, 0, 14, registry.Embed, 0.3)
	items, _ := draw(t, new(stage.Stage), v, whole)
	if all := texts(items); !slices.Contains(all, "nothing arrives") || !slices.Contains(all, "nothing is sent") {
		t.Errorf("texts %q", all)
	}
	v.Detail.Part = 0.7
	later, _ := draw(t, new(stage.Stage), v, whole)
	if !equal(items, later) {
		t.Error("something moves")
	}
}

// In a lecture no text is smaller than 22 px on a slide of 1440 × 900, and the end of a round has no clients below.
func TestLecture(t *testing.T) {
	r := charttest.Noted(charttest.CFLGP, charttest.IFCA, charttest.FedAvg, charttest.FedEM)
	for lane := range r.Header.Lanes {
		for phase := registry.Phase(0); phase <= registry.Phases; phase++ {
			v := charttest.View(r, lane, 14)
			if phase < registry.Phases {
				v = charttest.Moment(r, lane, 14, phase, 1)
			}
			for _, box := range []chart.Box{{W: 655, H: 560}, {W: 640, H: 400}} {
				items, _ := draw(t, &stage.Stage{Lecture: true}, v, box)
				for _, it := range items {
					if it.Op.Kind() == "text" && it.Op.Values[2] < 22 {
						t.Errorf("lane %d, phase %d, %v: %q has %v px", lane, phase, box, it.Op.Text, it.Op.Values[2])
					}
				}
				if (networkLine(items) == 0) != (v.Detail == nil) {
					t.Errorf("lane %d, phase %d: the network line is at %v", lane, phase, networkLine(items))
				}
			}
		}
	}
}

// states are views of many kinds.
func states() (all []*chart.View) {
	many := func(f charttest.Lane, n int) charttest.Lane { f.Clients = n; return f }
	unknown, drawn := charttest.CFLGP, charttest.CFLGP
	unknown.Unknown, drawn.Drawn = true, 5
	deep := charttest.Deep(charttest.CFLGP)
	older := charttest.Run(charttest.CFLGP, charttest.IFCA, charttest.Pair, charttest.FedAvg, charttest.FedEM,
		charttest.Local)
	partial := charttest.Noted(charttest.CFLGP, charttest.IFCA)
	for n := range partial.Tracks {
		f := &partial.Tracks[n].Frames[14]
		for i := range 12 {
			f.State = append(f.State, trace.State(i%3))
		}
		f.Lead, f.Noise = nil, nil
	}
	runs := []*trace.Run{older, partial, deep,
		charttest.Noted(charttest.CFLGP, charttest.IFCA, charttest.Clove, charttest.FedAvg, charttest.FedEM),
		charttest.Noted(charttest.Digits), charttest.Noted(charttest.Local), charttest.Noted(unknown),
		charttest.Noted(drawn), charttest.Noted(charttest.Pair),
		charttest.Noted(many(charttest.CFLGP, 1)), charttest.Noted(many(charttest.IFCA, 40)),
		charttest.Noted(many(charttest.CFLGP, 300), many(charttest.IFCA, 300), many(charttest.FedEM, 300)),
		trace.NewRun(older.Header)}
	for _, r := range runs {
		for lane := range r.Header.Lanes {
			all = append(all, charttest.View(r, lane, 0), charttest.View(r, lane, 14))
			if len(r.Tracks[lane].Frames) == 0 {
				continue
			}
			for phase := range registry.Phases {
				for _, part := range []float32{0, 0.4, 1} {
					v := charttest.Moment(r, lane, 14, phase, part)
					v.Detail.Common = int(phase) % 2
					all = append(all, v)
				}
				first := charttest.Moment(r, lane, 1, phase, 1)
				first.Hover, first.Selected = 0, r.Header.Clients-1
				all = append(all, first)
			}
		}
	}
	return all
}

// Every state at every size stays inside its box, its texts do not overlap, and clients are below the network.
func TestStates(t *testing.T) {
	boxes := []chart.Box{whole, small, {W: 517, H: 360}, {W: 380, H: 270}, {W: 230, H: 170}, {W: 490, H: 300},
		{W: 1062, H: 460}, {W: 746, H: 640}, {W: 90, H: 40}}
	for n, v := range states() {
		for _, box := range boxes {
			s := new(stage.Stage)
			items, hits := draw(t, s, v, box)
			check(t, fmt.Sprintf("state %d, lane %d, %v, %+v", n, v.Lane, box, v.Detail != nil), v, box, items, hits)
		}
		text := new(stage.Stage).Describe(v)
		if !strings.HasSuffix(text, ".") || strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
			t.Errorf("state %d: Describe = %q", n, text)
		}
		head, rows := new(stage.Stage).Table(v)
		for _, row := range rows {
			if len(row) != len(head) {
				t.Fatalf("state %d: row %q under %q", n, row, head)
			}
		}
		if t.Failed() {
			return
		}
	}
}

func check(t *testing.T, name string, v *chart.View, box chart.Box, items []charttest.Item, hits chart.Hits) {
	t.Helper()
	const slack = 0.6
	var taken []charttest.Item
	for _, it := range items {
		a := it.Visible
		if a.X0 < -slack || a.Y0 < -slack || a.X1 > box.W+slack || a.Y1 > box.H+slack {
			t.Errorf("%s: %s %q at %v leaves the box", name, it.Op.Kind(), it.Op.Text, a)
		}
		if it.Op.Kind() != "text" {
			continue
		}
		a.Y0, a.Y1 = a.Y0+1.5, a.Y1-1.5
		for _, other := range taken {
			if a.Overlaps(other.Visible) {
				t.Errorf("%s: %q overlaps %q", name, it.Op.Text, other.Op.Text)
			}
		}
		taken = append(taken, it)
	}
	line := networkLine(items)
	if line == 0 {
		return
	}
	for i := range v.Run.Header.Clients {
		if _, ok := hitOf(hits, i, line, true); !ok {
			t.Errorf("%s: client %d has no mark below the network", name, i)
		}
	}
	for _, h := range hits {
		if h.X < 0 || h.Y < 0 || h.X > box.W || h.Y > box.H {
			t.Errorf("%s: the hit %+v is outside", name, h)
		}
	}
}

// FuzzStage draws frames with random numbers, sizes and parts of phases.
func FuzzStage(f *testing.F) {
	for n := range 6 {
		f.Add(uint64(n), uint16(150*n+60), uint16(90*n+30), uint8(n), 0.2*float32(n))
	}
	f.Fuzz(func(t *testing.T, seed uint64, w, h uint16, phase uint8, part float32) {
		random := rand.New(rand.NewPCG(seed, 1))
		fixtures := []charttest.Lane{charttest.CFLGP, charttest.IFCA, charttest.Pair, charttest.Clove, charttest.FedAvg,
			charttest.FedEM, charttest.Local, charttest.Digits}
		fixture := fixtures[random.IntN(len(fixtures))]
		fixture.Clients, fixture.Rounds = 1+random.IntN(80), 6
		fixture.Groups = min(fixture.Groups, fixture.Clients)
		if fixture.Algorithm == "local" {
			fixture.Models = fixture.Clients
		}
		r := charttest.Noted(fixture)
		frame := &r.Tracks[0].Frames[3]
		odd := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0, 1e30, -1e30}
		for _, list := range [][]float32{frame.XY, frame.Losses, frame.Models, frame.Lead, frame.Noise, frame.Alone,
			frame.Pull, frame.Mixture, frame.Accuracies} {
			for i := range list {
				if random.IntN(4) == 0 {
					list[i] = odd[random.IntN(len(odd))]
				}
			}
		}
		v := charttest.View(r, 0, 3)
		if phase < uint8(registry.Phases) {
			v = charttest.Moment(r, 0, 3, registry.Phase(phase), part)
		}
		v.Compact, v.Projector, v.Letters = random.IntN(2) == 0, random.IntN(4) == 0, random.IntN(4) == 0
		box := chart.Box{W: float32(w % 1500), H: float32(h % 1000)}
		charttest.StaysInside(t, &stage.Stage{Lecture: random.IntN(4) == 0}, v, box)
	})
}

// A stage that moves allocates a few texts alone.
func TestAllocations(t *testing.T) {
	many := charttest.CFLGP
	many.Clients = 1000
	for _, r := range []*trace.Run{charttest.Noted(charttest.CFLGP, charttest.IFCA, charttest.FedEM, charttest.FedAvg),
		charttest.Noted(many)} {
		for lane := range r.Header.Lanes {
			for phase := range registry.Phases {
				var l scene.List
				var hits chart.Hits
				s, v := new(stage.Stage), charttest.Moment(r, lane, 14, phase, 0.3)
				redraw := func() {
					l.Reset()
					s.Draw(&l, &hits, v, whole)
				}
				redraw()
				const most = 4
				if n := testing.AllocsPerRun(10, redraw); n > most {
					t.Errorf("lane %d of %d clients, %s: %v allocations, want at most %d", lane, r.Header.Clients, phase.Name(),
						n, most)
				}
			}
		}
	}
}

func TestWords(t *testing.T) {
	r := charttest.Noted(charttest.CFLGP, charttest.IFCA)
	f := &r.Tracks[1].Frames[14]
	for i := range f.Label { // alias swaps A and B
		f.Label[i] = []uint16{1, 0, 2}[r.Header.Group[i]]
	}
	f.Lead[5], f.Noise[5] = 0.009, 0.018
	v := charttest.View(r, 1, 14)
	const all = "Stage, round 14, IFCA: 4 circles together as model A; 4 squares as B; 4 diamonds as C; none misplaced."
	charttest.Describes(t, new(stage.Stage), v, all)
	v.Followed = 5
	charttest.Describes(t, new(stage.Stage), v, all+" Client 6: lead 0.0090, noise 0.018.")
	v = charttest.Moment(r, 1, 14, registry.Match, 1)
	charttest.Describes(t, new(stage.Stage), v, all+" Match: nothing happens. Client 6: lead 0.0090, noise 0.018.")
	v = charttest.Moment(r, 1, 14, registry.Cluster, 1)
	charttest.Describes(t, new(stage.Stage), v, all+" Cluster: sent: A B C: 3. Client 6: lead 0.0090, noise 0.018.")
	head, rows := new(stage.Stage).Table(charttest.View(r, 1, 14))
	want := []string{"client", "group", "model", "placed", "x", "y", "lead", "noise", "loss on model A", "loss on model B",
		"loss on model C", "update 1", "update 2"}
	if !slices.Equal(head, want) || len(rows) != 12 || rows[5][6] != "0.0090" || rows[5][7] != "0.018" {
		t.Errorf("table %q, %q", head, rows[5])
	}
}

// Groups of a map of principal components are in the order of their letters, with the longer side horizontal.
func TestTurned(t *testing.T) {
	r := charttest.Noted(charttest.CFLGP)
	for n := range r.Tracks[0].Frames { // tall, and the last group first
		f := &r.Tracks[0].Frames[n]
		for i := range len(f.XY) / 2 {
			g := float32(r.Header.Group[i])
			f.XY[2*i], f.XY[2*i+1] = 0.3*float32(i%4), -3*g+0.1*float32(i%2)
		}
	}
	items, hits := draw(t, new(stage.Stage), charttest.View(r, 0, 14), whole)
	last := float32(-50)
	for g := range 3 {
		x := float32(0)
		for i := range 4 {
			h, _ := hitOf(hits, 4*g+i, networkLine(items), false)
			x += h.X / 4
		}
		if x < last+50 {
			t.Errorf("group %d is at %v, the one before at %v", g, x, last)
		}
		last = x
	}
}

func BenchmarkStage(b *testing.B) {
	for _, lane := range []charttest.Lane{charttest.CFLGP, charttest.IFCA, charttest.FedEM, charttest.FedAvg} {
		lane.Clients = 1000
		b.Run(lane.Title, func(b *testing.B) {
			v := charttest.View(charttest.Noted(lane), 0, 14)
			s := &stage.Stage{Map: clientmap.Map{}}
			var l scene.List
			var hits chart.Hits
			b.ReportAllocs()
			for b.Loop() {
				l.Reset()
				s.Draw(&l, &hits, v, whole)
			}
			b.ReportMetric(float64(len(l.Bytes())), "bytes")
		})
	}
}
