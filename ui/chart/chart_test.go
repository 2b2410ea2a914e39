package chart_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm"
	"flockscope/sim/draw/scene"
	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
	"flockscope/ui/testing/charttest"
)

func TestNearestKeepsItsReach(t *testing.T) {
	h := chart.Hits{{X: 10, Y: 10, R: 4}, {X: 30, Y: 10, R: 4, Client: 1}, {X: 100, Y: 100, R: 5, Half: 40, Client: 2}}
	for _, tt := range []struct {
		name        string
		x, y, reach float32
		want        int
	}{
		{"on the mark", 10, 10, 1, 0},
		{"nearer to the second", 21, 10, 22, 1},
		{"too far", 60, 10, 22, chart.NoClient},
		{"just within reach", 55, 10, 22, 1},
		{"at the end of a row", 144, 103, 1, 2},
		{"below a row", 80, 108, 1, chart.NoClient},
	} {
		if got := h.Nearest(tt.x, tt.y, tt.reach); got != tt.want {
			t.Errorf("%s: Nearest(%v, %v, %v) = %d, want %d", tt.name, tt.x, tt.y, tt.reach, got, tt.want)
		}
	}
}

// TestLaneNameFits: the widest name fits into its width.
func TestLaneNameFits(t *testing.T) {
	for _, a := range algorithm.Registry.All() {
		var l scene.List
		box := chart.Box{W: 700, H: 100}
		room := chart.LaneNameWidth(scene.TextWidth(a.Title, layout.Small, false), box)
		chart.DrawLaneName(&l, 0, a.Title, 0, 10, room, box)
		if !bytes.Contains(l.Bytes(), []byte(a.Title)) {
			t.Errorf("%s is cut", a.Title)
		}
	}
}

// TestMatching compares the assignment with the best of all.
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
		v := &chart.View{Run: &trace.Run{Header: &trace.Header{Clients: len(groups), Groups: 3, Group: groups}}}
		var m chart.Matching
		m.Find(v, &trace.Frame{Round: 1, Label: label})
		right := 0
		for i := range groups {
			if !m.Misplaced(v, i, int(label[i])) {
				right++
			}
		}
		if !mixes(groups, label) {
			best = len(groups) // nobody is misplaced
		}
		if right != best {
			t.Fatalf("labels %v: %d in place, want %d", label, right, best)
		}
	}
}

// mixes reports whether some model has clients of several groups, and some group several models.
func mixes(groups []int16, label []uint16) bool {
	shared, split := false, false
	for i := range groups {
		for j := range groups {
			shared = shared || label[i] == label[j] && groups[i] != groups[j]
			split = split || label[i] != label[j] && groups[i] == groups[j]
		}
	}
	return shared && split
}

// TestNobodyIsMisplaced: no mark is hollow where nothing is wrong, or nothing can be judged.
func TestNobodyIsMisplaced(t *testing.T) {
	groups := []int16{0, 0, 1, 1, 2, 2}
	mixed := []uint16{0, 1, 1, 1, 2, 2}
	for _, tt := range []struct {
		name   string
		label  []uint16
		change func(h *trace.Header)
		want   int
	}{
		{"a stranger", mixed, func(*trace.Header) {}, 1},
		{"right", []uint16{1, 1, 0, 0, 2, 2}, func(*trace.Header) {}, 0},
		{"split", []uint16{0, 3, 1, 1, 2, 2}, func(*trace.Header) {}, 0},
		{"shared", []uint16{0, 0, 0, 0, 2, 2}, func(*trace.Header) {}, 0},
		{"alike", mixed, func(h *trace.Header) { h.DataPreview.Alike = true }, 0},
		{"a mixture", mixed, func(h *trace.Header) { h.DataPreview.Mixtures = []int16{2} }, 0},
		{"one model", mixed, func(h *trace.Header) { h.Lanes[0].Models = 1 }, 0},
		{"no map yet", mixed, func(h *trace.Header) { h.Lanes[0].Map = trace.GradientPlane }, 0},
		{"unknown groups", mixed, func(h *trace.Header) { h.Groups, h.Group = 0, nil }, 0},
	} {
		h := &trace.Header{Clients: len(groups), Groups: 3, Group: groups, Lanes: []trace.Lane{{Models: 4}}}
		tt.change(h)
		f := &trace.Frame{Round: 1, Label: tt.label}
		run := trace.NewRun(h)
		run.Tracks[0].Frames = []trace.Frame{{Label: tt.label}, *f}
		v := &chart.View{Run: run, Round: 1}
		var m chart.Matching
		m.Find(v, f)
		got := 0
		for i := range groups {
			if m.Misplaced(v, i, int(tt.label[i])) {
				got++
			}
		}
		if got != tt.want {
			t.Errorf("%s: %d misplaced, want %d", tt.name, got, tt.want)
		}
		if hollow := new(verdict.Judge).Lane(run, 0, 1).Hollow; slices.Contains(hollow, true) != (tt.want > 0) {
			t.Errorf("%s: the verdict has hollow marks %v, want %d", tt.name, hollow, tt.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {-0.5, "−0.500"}, {0.04, "0.040"}, {0.1316, "0.132"}, {0.00123, "0.0012"}, {2.345, "2.35"},
		{12.34, "12.3"}, {99.97, "100"}, {1234.5, "1234"}, {56, "56"}, {12300, "12.3 k"}, {3.2e-6, "3.2·10⁻⁶"}, {-1e-12, "−10⁻¹²"}, {0.000012, "0.000012"}, {4.5e6, "4.50 M"}, {1e6, "1 M"}, {999_600, "1.00 M"}, {999.6e6, "10⁹"}, {748_000, "748 k"}, {1.7e6, "1.70 M"}, {-3.21e12, "−3.2·10¹²"}, {9.97e9, "10¹⁰"},
		{math.NaN(), "–"}, {math.Inf(-1), "−∞"},
	} {
		if got := chart.Number(tt.v); got != tt.want {
			t.Errorf("Number(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
	if got := chart.Fixed(-0.001, 2); got != "0.00" {
		t.Errorf("Fixed(-0.001, 2) = %q, want 0.00", got)
	}
	for share, want := range map[float64]string{0.215: "22%", float64(float32(0.215)): "22%", 0.21499999: "22%",
		0.2149: "21%", 0.999: "99%", 1: "100%", 0: "0%"} {
		if got := chart.Percent(share); got != want {
			t.Errorf("Percent(%v) = %q, want %q", share, got, want)
		}
	}
	for least, want := range map[float64]string{0.000877: "0.00310", 0.0061: "0.0031", 0.5: "0.00", 0.05: "0.003",
		0: "0.003100"} {
		if got := chart.Fixed(0.0031, chart.DecimalsFor(least)); got != want {
			t.Errorf("beside %v, 0.0031 is %q, want %q", least, got, want)
		}
	}
	if got := chart.Letter(11) + chart.Letter(12) + chart.Letter(99); got != "L13100" {
		t.Errorf("letters = %q, want L, 13, 100", got)
	}
}

// All lanes have different line styles.
func TestLanesDiffer(t *testing.T) {
	var seen []string
	for lane := range experiment.MaxLanes {
		dashes := chart.LaneDashes(lane)
		if slices.Contains(seen, dashes) {
			t.Errorf("lane %d has the line %q of a lane before", lane, dashes)
		}
		seen = append(seen, dashes)
	}
}

// On a projector marks are at least 12 pixels wide, and 50 % wider than on a screen.
func TestProjectorMarks(t *testing.T) {
	for _, clients := range []int{1, 12, 24, 25, 60, 150, 400, 2000} {
		v := chart.View{Projector: true}
		if got, plain := v.ReadableRadius(clients), chart.MarkRadius(clients); got < 6 || got < 1.5*plain {
			t.Errorf("%d clients have marks of radius %v on a projector, %v on a screen", clients, got, plain)
		}
	}
}

// TestColours draws two pixels of three channels.
func TestColours(t *testing.T) {
	g := trace.Gallery{Height: 1, Width: 2, Channels: 3, Each: 1, Pixels: []uint8{255, 120, 0, 0, 60, 255}}
	var l scene.List
	chart.DrawSamples(&l, &g, 0, 1, 0, 0, 2)
	if got := l.Bytes(); !bytes.HasSuffix(got, g.Pixels) {
		t.Errorf("an orange and a blue pixel are drawn as % d", got[max(len(got)-len(g.Pixels), 0):])
	}
}

// Colour pictures keep their proportions inside their squares; others fill these.
func TestProportions(t *testing.T) {
	for _, tt := range []struct {
		height, width, channels int
		want                    [][4]float32 // of the images: x, y, width, height
	}{
		{1, 2, 3, [][4]float32{{10, 24, 16, 4}}},
		{2, 1, 3, [][4]float32{{12, 22, 4, 8}, {20, 22, 4, 8}}},
		{1, 2, 1, [][4]float32{{10, 22, 16, 8}}},
	} {
		g := trace.Gallery{Height: tt.height, Width: tt.width, Channels: tt.channels, Each: 2,
			Pixels: make([]uint8, 4*tt.channels)}
		var l scene.List
		chart.DrawSamples(&l, &g, 0, 2, 10, 22, 8)
		var got [][4]float32
		for _, it := range charttest.Items(t, &l) {
			a := it.Visible
			got = append(got, [4]float32{a.X0, a.Y0, a.X1 - a.X0, a.Y1 - a.Y0})
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("two pictures of %d × %d × %d are drawn at %v, want %v", tt.height, tt.width, tt.channels, got, tt.want)
		}
	}
}

// TestGroupNames: verdicts name groups by the shapes of their marks.
func TestGroupNames(t *testing.T) {
	for g := range scene.Shapes {
		if got, want := verdict.GroupName(g), say.Plural(2, scene.Shape(g).String()); got != want {
			t.Errorf("GroupName(%d) = %q, the shapes are %q", g, got, want)
		}
	}
}
