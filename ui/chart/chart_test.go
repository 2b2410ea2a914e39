package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/ui/scene"
)

func TestNearestKeepsItsReach(t *testing.T) {
	h := Hits{{X: 10, Y: 10, R: 4}, {X: 30, Y: 10, R: 4, Client: 1}, {X: 100, Y: 100, R: 5, Half: 40, Client: 2}}
	for _, tt := range []struct {
		name        string
		x, y, reach float32
		want        int
	}{
		{"on the mark", 10, 10, 1, 0},
		{"nearer to the second", 21, 10, 22, 1},
		{"too far", 60, 10, 22, Nobody},
		{"just within reach", 55, 10, 22, 1},
		{"at the end of a row", 144, 103, 1, 2},
		{"below a row", 80, 108, 1, Nobody},
	} {
		if got := h.Nearest(tt.x, tt.y, tt.reach); got != tt.want {
			t.Errorf("%s: Nearest(%v, %v, %v) = %d, want %d", tt.name, tt.x, tt.y, tt.reach, got, tt.want)
		}
	}
}

func TestWordsAndTables(t *testing.T) {
	for _, p := range pictures() {
		text := p.figure.Describe(p.view)
		if !strings.HasSuffix(text, ".") || strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
			t.Errorf("%s: Describe = %q", p.name, text)
		}
		head, rows := p.figure.Table(p.view)
		if len(head) == 0 {
			t.Errorf("%s: the table has no head", p.name)
		}
		for _, row := range rows {
			if len(row) != len(head) {
				t.Fatalf("%s: row %v under %v", p.name, row, head)
			}
		}
	}
}

// TestMarksSlide checks that all the way back is the round before.
func TestMarksSlide(t *testing.T) {
	r := run(cflgp)
	var l scene.List
	var before, back Hits
	m := Map{}
	m.Draw(&l, &before, view(r, 0, 13), Box{388, 320})
	v := view(r, 0, 14)
	v.Back = 1
	m.Draw(&l, &back, v, Box{388, 320})
	for i := range before {
		if d := math.Hypot(float64(before[i].X-back[i].X), float64(before[i].Y-back[i].Y)); d > 0.01 {
			t.Errorf("client %d is %v px from where it was", i, d)
		}
	}
}

func TestMapDescribe(t *testing.T) {
	f := cflgp
	r := run(f)
	right := &r.Tracks[0].Frames[14]
	for i := range right.Label { // alias swaps A and B
		right.Label[i] = []uint16{1, 0, 2}[r.Header.Group[i]]
	}
	m := Map{}
	v := view(r, 0, 14)
	if got, want := m.Describe(v), "Map, round 14, CFL-GP: 4 circles together as model A; 4 squares as B; 4 diamonds as C; none misplaced."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	right.Label[0] = 2
	if got, want := m.Describe(v), "Map, round 14, CFL-GP: 3 circles together as model A; 4 squares as B; 1 circle and 4 diamonds as C; 1 misplaced: client 1."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	r.Header.Groups, r.Header.Group = 0, nil
	if got, want := m.Describe(v), "Map, round 14, CFL-GP: 3 clients together as model A; 4 clients as B; 5 clients as C."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
}

// TestNoMap: what is said of a lane without a map is true of its method.
func TestNoMap(t *testing.T) {
	for _, tt := range []struct {
		fixture
		unclustered bool
		want        string
	}{
		{fedavg, false, "No map: there is one model for all clients."},
		{local, true, "No map: each client has a model of its own."},
		{fedem, false, "No map: FedEM weighs models for each client, see Weights."},
		{fixture{clients: 12, groups: 3, rounds: 20, models: 1, algorithm: "fedala", title: "FedALA"}, true, "No map: each client adapts the one model."},
	} {
		v := view(run(tt.fixture), 0, 14)
		v.Unclustered = func(string) bool { return tt.unclustered }
		if got := why(v); got != tt.want {
			t.Errorf("%s: why there is no map: %q, want %q", tt.title, got, tt.want)
		}
	}
}

// TestMatching compares the assignment with trying every one.
func TestMatching(t *testing.T) {
	groups := []int16{0, 0, 0, 1, 1, 2, 2, 2, 2}
	for code := range 4 * 4 * 4 * 4 * 4 {
		label := make([]uint16, len(groups))
		for i, c := 0, code; i < len(label); i++ {
			label[i] = uint16((c + i*code/7) % 4)
			c /= 4
		}
		best := 0
		for a := range 4 {
			for b := range 4 {
				for c := range 4 {
					if a == b || b == c || a == c {
						continue
					}
					hits := 0
					for i, g := range groups {
						if int(label[i]) == [...]int{a, b, c}[g] {
							hits++
						}
					}
					best = max(best, hits)
				}
			}
		}
		v := &View{Run: &trace.Run{Header: &trace.Header{Clients: len(groups), Groups: 3, Group: groups}}}
		var m matching
		m.find(v, &trace.Frame{Label: label})
		right := 0
		for i := range groups {
			if !m.wrong(v, i, int(label[i])) {
				right++
			}
		}
		if right != best {
			t.Fatalf("labels %v: %d in place, want %d", label, right, best)
		}
	}
}

// TestUnheard: who has not taken part yet is neither right nor wrong, as the engine
// counts, and has no model that a method found.
func TestUnheard(t *testing.T) {
	r := run(cflgp)
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
			f.State[11] = trace.Lost
		}
	}
	for _, tt := range []struct {
		round int
		want  []int
		words string
	}{
		{0, []int{4, 11}, ""}, // nobody has been heard, and all are looked at alike
		{13, nil, "Map, round 13, CFL-GP: 4 circles together as model A; 3 squares as B; 3 diamonds as C; 2 clients not heard yet; none misplaced."},
		{14, []int{4}, "Map, round 14, CFL-GP: 4 circles and 1 square together as model A; 3 squares as B; 3 diamonds as C; 1 client not heard yet; 1 misplaced: client 5."},
	} {
		m, v := Map{}, view(r, 0, tt.round)
		if got := m.Misplaced(v); !slices.Equal(got, tt.want) {
			t.Errorf("round %d: misplaced are %v, want %v", tt.round, got, tt.want)
		}
		if got := m.Describe(v); tt.round > 0 && got != tt.words {
			t.Errorf("round %d: Describe = %q, want %q", tt.round, got, tt.words)
		}
		if _, rows := m.Table(v); tt.round > 0 && rows[11][3] != "not heard yet" {
			t.Errorf("round %d: the table says of a client that was lost %q", tt.round, rows[11])
		}
	}
}

// TestLossesOfClustersToBeFound: a model has a row from when it is first in use, and
// the least loss is one on a model that there is.
func TestLossesOfClustersToBeFound(t *testing.T) {
	r := run(cflgp)
	frames := r.Tracks[0].Frames
	for n := range frames {
		f := &frames[n]
		for i := range f.Label { // alias swaps A and B
			f.Label[i] = 1
			if n >= 10 && i >= 8 {
				f.Label[i] = 2
			}
			copy(f.Losses[3*i:], []float32{0.1, 0.25, 0.5}) // least on a model that nobody ever has
		}
	}
	for _, tt := range []struct {
		round int
		finds bool
		rows  int
		want  string
	}{
		{14, false, 3, "Losses, round 14, CFL-GP: 12 clients on 3 models, from 0.100 to 0.500. 12 clients have another model than the one on which their loss is least."},
		{9, true, 1, "Losses, round 9, CFL-GP: 12 clients on 1 model, from 0.250 to 0.250."},
		{14, true, 2, "Losses, round 14, CFL-GP: 12 clients on 2 models, from 0.250 to 0.500. 4 clients have another model than the one on which their loss is least."},
	} {
		g, v := Losses{}, view(r, 0, tt.round)
		v.Finds = func(id string) bool { return tt.finds && id == "cflgp" }
		if got := g.Describe(v); got != tt.want {
			t.Errorf("Describe = %q, want %q", got, tt.want)
		}
		if head, _ := g.Table(v); len(head) != 3+tt.rows {
			t.Errorf("round %d, finds %t: the table has the columns %q, want %d models", tt.round, tt.finds, head, tt.rows)
		}
		for _, figure := range []Figure{&Data{}, &Models{}} {
			_, lines := figure.Table(v)
			lines = slices.DeleteFunc(lines, func(row []string) bool { return strings.HasPrefix(row[0], "group ") })
			if got := figure.Describe(v); len(lines) != tt.rows || strings.Contains(got, "nobody") == tt.finds {
				t.Errorf("round %d, finds %t: %T has the rows %q and says %q, want %d models", tt.round, tt.finds, figure, lines, got, tt.rows)
			}
		}
	}
}

// TestAnswersMean: of all clients the figure says the mean over them, as the story
// does, also where some of them hold back more samples.
func TestAnswersMean(t *testing.T) {
	f := digits
	f.clients, f.groups, f.classes = 2, 2, 2
	r := run(f)
	frame := &r.Tracks[0].Frames[5]
	frame.Confusion = []uint16{0, 45, 45, 0, 10, 0, 10, 0} // 0 of 90 right, and 10 of 20
	frame.Accuracies, frame.Accuracy = []float32{0, 0.5}, 0.25
	g, v := Answers{}, view(r, 0, 5)
	if got := g.Describe(v); !strings.Contains(got, "all clients' models are right in 25% of the samples held back, in the mean over clients") {
		t.Errorf("Describe = %q, want 25%% right in the mean over clients", got)
	}
	if v.Hover = 1; !strings.Contains(g.Describe(v), "is right in 50% of the samples held back;") {
		t.Errorf("Describe = %q, want 50%% right", g.Describe(v))
	}
}

// TestUnnamedPictures: labels that play no part are not what a client calls its
// pictures.
func TestUnnamedPictures(t *testing.T) {
	blind := digits
	blind.rebuilds = true
	for _, tt := range []struct {
		fixture
		want string
	}{
		{digits, ". Client 1, 0°, trains on 175 samples and calls its pictures "},
		{blind, ". Client 1, 0°, trains on 175 samples."},
	} {
		r := run(tt.fixture)
		r.Header.Scenery.Gallery.Portraits = make([]trace.Portrait, r.Header.Clients)
		r.Header.Scenery.Gallery.Portraits[0].Holds = 175
		g, v := Gallery{}, view(r, 0, 5)
		v.Hover = 0
		if got := g.Describe(v); !strings.Contains(got, tt.want) {
			t.Errorf("Describe = %q, want %q in it", got, tt.want)
		}
		var l scene.List
		g.Draw(&l, nil, v, Box{300, 330})
		var drawn strings.Builder
		if err := scene.SVG(&drawn, &l, scene.Light, 300, 330, "", ""); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(drawn.String(), "calls these"); got != v.Classifies() {
			t.Errorf("the panel of a run that grades answers: %t, says what the client calls its pictures: %t", v.Classifies(), got)
		}
	}
}

// TestGalleryTable: the table says how every client sees, also as they are, and has no
// column that says nothing.
func TestGalleryTable(t *testing.T) {
	for _, tt := range []struct {
		name         string
		groups, sees [2]string
		want         string // of the first client
	}{
		{"rotations", [2]string{"0°", "90°"}, [2]string{"", "90°"}, "client|group|in common|model|calls its pictures|sees|samples: 0°"},
		{"corruptions", [2]string{"clear", "noise"}, [2]string{"", "noise 3"}, "client|group|in common|model|calls its pictures|sees|samples: clear"},
		{"names beside", [2]string{"0°, swapped", "90°, swapped"}, [2]string{"", "90°"}, "client|group|in common|model|calls its pictures|sees|samples: 0°"},
		{"nobody planted them", [2]string{"cats", "dogs"}, [2]string{"", "noise 3"}, "client|group|in common|model|calls its pictures|sees|samples: as they are"},
		{"all alike", [2]string{"cats", "dogs"}, [2]string{}, "client|group|in common|model|calls its pictures|samples: 50"},
	} {
		f := digits
		f.clients, f.groups = 8, 2
		r := run(f)
		p := &r.Header.Scenery.Gallery
		p.Groups = tt.groups[:]
		for i := range r.Header.Clients {
			p.Portraits = append(p.Portraits, trace.Portrait{Sees: tt.sees[r.Header.Group[i]], Holds: 50})
		}
		head, rows := (&Gallery{}).Table(view(r, 0, 5))
		if got := strings.Join(head, "|") + ": " + rows[0][5]; got != tt.want {
			t.Errorf("%s: the table begins with %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAngleFollowsTheHandle(t *testing.T) {
	v := view(run(cflgp), 0, 3)
	d := Data{Angle: "Δφ 20°"}
	var l scene.List
	var hits Hits
	box := Box{320, 320}
	d.Draw(&l, &hits, v, box)
	h := hits[len(hits)-1]
	if h.Client != Handle || hits.Nearest(h.X+3, h.Y, 22) != Handle {
		t.Fatalf("the last hit is %+v, want the handle", h)
	}
	if got := d.AngleAt(v, box, h.X, h.Y); math.Abs(got-20) > 0.01 {
		t.Errorf("AngleAt the handle = %v, want 20", got)
	}
	if got := d.AngleAt(v, box, h.X, h.Y+500); got != 0 {
		t.Errorf("AngleAt below the axis = %v, want 0", got)
	}
}

func TestRoundAt(t *testing.T) {
	v := view(run(cflgp), 0, 3)
	c, tl := Curves{}, Timeline{Inset: 9}
	box := Box{500, 150}
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

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {-0.5, "−0.500"}, {0.04, "0.040"}, {0.1316, "0.132"}, {0.00123, "0.0012"}, {2.345, "2.35"},
		{12.34, "12.3"}, {99.97, "100"}, {1234.5, "1234"}, {56, "56"}, {12300, "12.3 k"}, {3.2e-6, "3.2·10⁻⁶"}, {-1e-12, "−10⁻¹²"}, {0.000012, "0.000012"}, {4.5e6, "4.5·10⁶"}, {1e6, "10⁶"}, {999_600, "10⁶"}, {-3.21e12, "−3.2·10¹²"}, {9.97e9, "10¹⁰"},
		{math.NaN(), "–"}, {math.Inf(-1), "−∞"},
	} {
		if got := Number(tt.v); got != tt.want {
			t.Errorf("Number(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
	if got := Fixed(-0.001, 2); got != "0.00" {
		t.Errorf("Fixed(-0.001, 2) = %q, want 0.00", got)
	}
	for share, want := range map[float64]string{0.215: "22%", float64(float32(0.215)): "22%", 0.21499999: "22%", 0.2149: "21%", 0.999: "99%", 1: "100%", 0: "0%"} {
		if got := Percent(share); got != want {
			t.Errorf("Percent(%v) = %q, want %q", share, got, want)
		}
	}
	for least, want := range map[float64]string{0.000877: "0.00310", 0.0061: "0.0031", 0.5: "0.00", 0.05: "0.003", 0: "0.003100"} {
		if got := Fixed(0.0031, places(least)); got != want {
			t.Errorf("beside %v, 0.0031 is %q, want %q", least, got, want)
		}
	}
	if got := Letter(11) + Letter(12) + Letter(99); got != "L13100" {
		t.Errorf("letters = %q, want L, 13, 100", got)
	}
}

func TestSpread(t *testing.T) {
	at := []float32{50, 50, 10, 51}
	spread(at, make([]int, 4), 15, 0, 100)
	for i := range at {
		for j := range i {
			if d := math.Abs(float64(at[i] - at[j])); d < 15 {
				t.Errorf("places %v: %d and %d are %v apart", at, i, j, d)
			}
		}
		if at[i] < 0 || at[i] > 100 {
			t.Errorf("place %v is outside", at[i])
		}
	}
}

func TestFlowDescribe(t *testing.T) {
	r := run(cflgp)
	before, now := &r.Tracks[0].Frames[13], &r.Tracks[0].Frames[14]
	for i := range now.Label { // alias swaps A and B
		now.Label[i] = []uint16{1, 0, 2}[r.Header.Group[i]]
		before.Label[i] = now.Label[i]
	}
	g, v := Flow{}, view(r, 0, 14)
	now.Events, before.Events, r.Tracks[0].Frames[12].Events = 0, 0, trace.Moved
	if got, want := g.Describe(v), "Flow, round 13 to 14, CFL-GP: no client moved since round 12."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	before.Label[0], before.Label[1], before.Label[11] = 0, 0, 1
	if got, want := g.Describe(v), "Flow, round 13 to 14, CFL-GP: 3 clients moved: client 12 from A to C and clients 1 and 2 from B to A."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	if _, rows := g.Table(v); strings.Join(rows[11], " ") != "12 3 (diamond) A C yes" {
		t.Errorf("the last row is %q", rows[11])
	}
}

func TestWeightsDescribe(t *testing.T) {
	r := run(fedem)
	f := &r.Tracks[0].Frames[14]
	for i := range f.Label {
		copy(f.Mixture[3*i:], []float32{0, 1, 0})
	}
	g, v := Weights{}, view(r, 0, 14)
	copy(f.Mixture[3*4:], []float32{0.25, 0.5, 0.25})
	if got, want := g.Describe(v), "Weights, round 14, FedEM: 11 of 12 clients have one model for nine tenths or more; most mixed is client 5 with 50% of model A, 25% of model B and 25% of model C."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	v.Hover = 1
	if got, want := g.Describe(v), "Weights, round 14, FedEM: client 2 has 100% of model A."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	if k, _ := KindOf("weights"); !k.In(v) || k.In(view(run(cflgp), 0, 14)) {
		t.Error("the figure is there for soft clusters, and for these alone")
	}
}

func TestSpectrumDescribe(t *testing.T) {
	r := run(cflgp)
	f := &r.Tracks[0].Frames[14]
	f.Spectrum, f.Directions = []float32{9, 3, 2.5, 0.5, 0.25}, 4
	g, v := Spectrum{}, view(r, 0, 14)
	if got, want := g.Describe(v), "Spectrum, round 14, CFL-GP: 5 singular values, from 9 to 0.250; after the first, which is what all clients have in common, the largest gap follows number 3; the server went on in 4 directions."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	if _, rows := g.Table(v); len(rows) != 5 || strings.Join(rows[2], " ") != "3 2.50 2 yes" || rows[4][3] != "no" {
		t.Errorf("Table = %q", rows)
	}
	if k, _ := KindOf("spectrum"); !k.In(v) || k.In(view(run(ifca), 0, 14)) {
		t.Error("the figure is there where the server looks at singular values, and nowhere else")
	}
}

func TestModelsDescribe(t *testing.T) {
	r := run(cflgp)
	f, truth := &r.Tracks[0].Frames[14], r.Header.Scenery.Truth
	truth[0], truth[1], truth[2] = trace.Line{Slope: 1}, trace.Line{}, trace.Line{Slope: -1, Offset: 2}
	copy(f.Models, []float32{0, 0.5, 1.25, 0, -1, 2}) // alias swaps A and B
	for i := range f.Label {
		f.Label[i] = uint16(i % 2)
	}
	g, v := Models{}, view(r, 0, 14)
	if got, want := g.Describe(v), "Models, round 14, CFL-GP: A, 6 clients, 0.250 from the best model of group 1; B, 6 clients, 0.500 from the best model of group 2; C, nobody's, 0 from the best model of group 3."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	v.Hover = 11
	if got, want := g.Describe(v), "Models, round 14, CFL-GP: client 12 has model A, 3.01 from the best one for its group."; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
	if k, _ := KindOf("models"); !k.In(v) || k.In(view(run(digits), 0, 14)) {
		t.Error("the figure is there for models that frames carry, and for these alone")
	}
}

// TestPlaneOfModels: the two directions of largest spread, and what they keep.
func TestPlaneOfModels(t *testing.T) {
	f := cflgp
	f.drawn = 4
	r := run(f)
	frames := r.Tracks[0].Frames
	for n := range frames {
		for k := range 3 { // spread 18 along (0, 3, 4, 0)/5, 2 along (1, 0, 0, 0), 1 elsewhere
			a, b, c := float32(1-2*(n%2)), float32(1-2*(n/2%2)), float32(1-2*(n/4%2))
			copy(frames[n].Models[4*k:], []float32{b * 1.4142135, 4.2426405 * a * 0.6, 4.2426405 * a * 0.8, c})
		}
	}
	r.Tracks[0].Frames = frames[:56]
	var m modelPlane
	m.learn(view(r, 0, 20))
	if math.Abs(m.kept-20./21) > 1e-6 {
		t.Errorf("the plane keeps %v of the spread, want 20/21", m.kept)
	}
	x, y, _ := m.of(&frames[2], 0)
	if math.Abs(float64(x)-4.2426405) > 1e-3 || math.Abs(float64(y)+1.4142135) > 1e-3 {
		t.Errorf("a model at (−√2, 3√2·0.6, 3√2·0.8, 1) is drawn at (%v, %v), want (3√2, −√2)", x, y)
	}
}

func TestTreeDescribe(t *testing.T) {
	r := branched(cflgp) // alias swaps A and B
	g := Tree{}
	for _, tt := range []struct {
		round int
		want  string
	}{
		{9, "Tree, round 9, CFL-GP: 1 cluster, as at the start."},
		{10, "Tree, round 10, CFL-GP: 2 clusters. Round 10: A splits from B with 8 clients."},
		{39, "Tree, round 39, CFL-GP: 3 clusters. Round 10: A splits from B with 8 clients. Round 25: C splits from A with 4 clients."},
		{60, "Tree, round 60, CFL-GP: 2 clusters. Round 10: A splits from B with 8 clients. Round 25: C splits from A with 4 clients. Round 40: C goes into A."},
	} {
		if got := g.Describe(view(r, 0, tt.round)); got != tt.want {
			t.Errorf("Describe = %q, want %q", got, tt.want)
		}
	}
	v := view(r, 0, 3)
	if _, rows := g.Table(v); len(rows) != 3 || strings.Join(rows[2], "|") != "40|C goes into A|2" {
		t.Errorf("Table = %q", rows)
	}
	if k, _ := KindOf("tree"); !k.In(v) || k.In(view(run(fedavg), 0, 14)) {
		t.Error("the figure is there where the number of clusters changes, and nowhere else")
	}
}

// TestBranchesCountEverybody: every column of the river has all clients, and as
// many flow into each of its arms as are in it.
func TestBranchesCountEverybody(t *testing.T) {
	for _, r := range []*trace.Run{branched(cflgp), run(ifca), run(clove)} {
		for _, stride := range []int{0, 7} {
			var b branches
			b.grow(view(r, 0, 3), stride)
			for c := range b.columns {
				all, in := 0, make([]int, b.models)
				for k := range b.models {
					all += b.count(c, k)
				}
				for _, a := range b.into(c) {
					in[a.to] += a.clients
				}
				for k := range b.models {
					if c > 0 && in[k] != b.count(c, k) {
						t.Errorf("%d clients flow into model %d in round %d, which has %d", in[k], k, b.columns[c].round, b.count(c, k))
					}
				}
				if all != r.Header.Clients {
					t.Errorf("round %d has %d clients, want %d", b.columns[c].round, all, r.Header.Clients)
				}
			}
			if end := b.columns[len(b.columns)-1].round; b.count(len(b.columns)-1, 0) != clientsOf(&r.Tracks[0].Frames[60], 0) {
				t.Errorf("the last column, of round %d, is not what the run ends with", end)
			}
		}
	}
}

// TestAlone: in a lane that puts nobody together nobody is in the wrong place, and
// nothing is drawn or said about clusters; the other lanes are as they were.
func TestAlone(t *testing.T) {
	v := view(run(ifca, local), 1, 5)
	if got := (&Map{}).Misplaced(v); len(got) == 0 {
		t.Fatal("with models of their own nobody is misplaced even where it counts")
	}
	v.Unclustered = func(algorithm string) bool { return algorithm == local.algorithm }
	if got := (&Map{}).Misplaced(v); len(got) > 0 {
		t.Errorf("misplaced are %v, want nobody", got)
	}
	if got := (&Map{}).Describe(v); strings.Contains(got, "misplaced") {
		t.Errorf("the map says %q", got)
	}
	for metric := range Metrics {
		c := &Curves{Metric: Metric(metric)}
		_, rows := c.Table(v)
		judges := c.Metric.judges()
		if got := rows[3][2] == "no clusters"; got != judges {
			t.Errorf("%v: the table says %q", c.Metric, rows[3])
		}
		if got := strings.Contains(c.Describe(v), local.title+" no clusters"); got != judges {
			t.Errorf("%v: the curves say %q", c.Metric, c.Describe(v))
		}
		if rows[3][1] == "no clusters" {
			t.Errorf("%v: the table says %q of %s", c.Metric, rows[3][1], ifca.title)
		}
	}
}
