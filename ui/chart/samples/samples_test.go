package samples

import (
	"math"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// TestUnlabelledImages: labels that are not used are not described.
func TestUnlabelledImages(t *testing.T) {
	blind := charttest.Digits
	blind.Rebuilds = true
	for _, tt := range []struct {
		charttest.Lane
		want string
	}{
		{charttest.Digits, ". Client 1, 0°, trains on 175 samples and labels its images "},
		{blind, ". Client 1, 0°, trains on 175 samples."},
	} {
		r := charttest.Run(tt.Lane)
		r.Header.DataPreview.Gallery.Clients = make([]trace.ClientSummary, r.Header.Clients)
		r.Header.DataPreview.Gallery.Clients[0].Samples = 175
		g, v := Gallery{}, charttest.View(r, 0, 5)
		v.Hover = 0
		if got := g.Describe(v); !strings.Contains(got, tt.want) {
			t.Errorf("Describe = %q, want %q in it", got, tt.want)
		}
		var l scene.List
		g.Draw(&l, nil, v, chart.Box{W: 300, H: 330})
		var drawn strings.Builder
		if err := scene.SVG(&drawn, &l, scene.Light, 300, 330, "", ""); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(drawn.String(), "labels:"); got != v.Classifies() {
			t.Errorf("the panel of a run that grades answers: %t, says the labels of the client: %t",
				v.Classifies(), got)
		}
	}
}

// TestGalleryTable: the table says how each client sees its samples, also if unchanged, and
// has no empty column.
func TestGalleryTable(t *testing.T) {
	for _, tt := range []struct {
		name         string
		groups, sees [2]say.Message
		want         string // of the first client
	}{
		{"rotations", [2]say.Message{"0°", "90°"}, [2]say.Message{"", "90°"}, "client|group|in common|model|labels|sees|samples: 0°"},
		{"corruptions", [2]say.Message{"clear", "noise"}, [2]say.Message{"", "noise 3"}, "client|group|in common|model|labels|sees|samples: clear"},
		{"names beside", [2]say.Message{"0°, swapped", "90°, swapped"}, [2]say.Message{"", "90°"}, "client|group|in common|model|labels|sees|samples: 0°"},
		{"nobody planted them", [2]say.Message{"cats", "dogs"}, [2]say.Message{"", "noise 3"}, "client|group|in common|model|labels|sees|samples: as they are"},
		{"all alike", [2]say.Message{"cats", "dogs"}, [2]say.Message{}, "client|group|in common|model|labels|samples: 50"},
		{"messages", [2]say.Message{say.JoinMessage([]say.Message{"clear", "swapped", "even"}, ", "), say.JoinMessage([]say.Message{"noise", "swapped", "even"}, ", ")},
			[2]say.Message{"", say.Messagef("%s %d", say.Message("noise"), 3)}, "client|group|in common|model|labels|sees|samples: clear"},
	} {
		f := charttest.Digits
		f.Clients, f.Groups = 8, 2
		r := charttest.Run(f)
		p := &r.Header.DataPreview.Gallery
		p.Groups = tt.groups[:]
		for i := range r.Header.Clients {
			p.Clients = append(p.Clients, trace.ClientSummary{Transform: tt.sees[r.Header.Group[i]], Samples: 50})
		}
		head, rows := (&Gallery{}).Table(charttest.View(r, 0, 5))
		if got := strings.Join(head, "|") + ": " + rows[0][5]; got != tt.want {
			t.Errorf("%s: the table begins with %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAngleFollowsTheHandle(t *testing.T) {
	v := charttest.View(charttest.Run(charttest.CFLGP), 0, 3)
	d := Plane{Angle: "Δφ 20°"}
	var l scene.List
	var hits chart.Hits
	box := chart.Box{W: 320, H: 320}
	d.Draw(&l, &hits, v, box)
	h := hits[len(hits)-1]
	if h.Client != chart.Handle || hits.Nearest(h.X+3, h.Y, 22) != chart.Handle {
		t.Fatalf("the last hit is %+v, want the handle", h)
	}
	if got := d.AngleAt(v, box, h.X, h.Y); math.Abs(got-20) > 0.01 {
		t.Errorf("AngleAt the handle = %v, want 20", got)
	}
	if got := d.AngleAt(v, box, h.X, h.Y+500); got != 0 {
		t.Errorf("AngleAt below the axis = %v, want 0", got)
	}
}

// By class every picture stands once, those of a class together, whatever the box.
func TestWall(t *testing.T) {
	run := charttest.Run(charttest.Digits)
	p := &run.Header.DataPreview.Gallery
	v := charttest.View(run, 0, 3)
	for _, box := range []chart.Box{{W: 240, H: 240}, {W: 358, H: 420}, {W: 100, H: 60}, {W: 900, H: 700}} {
		g := Gallery{ByClass: true}
		var l scene.List
		var hits chart.Hits
		g.Draw(&l, &hits, v, box)
		if want := run.Header.Clients * p.Each; len(hits) != want {
			t.Fatalf("in %v there are %d pictures, want %d", box, len(hits), want)
		}
		seen := make([]bool, len(p.Label))
		for j, i := range g.wall.pictures {
			if seen[i] || hits[j].Client != i/p.Each {
				t.Errorf("in %v place %d has client %d", box, j, hits[j].Client)
			}
			seen[i] = true
			if j > 0 && p.Label[i] < p.Label[g.wall.pictures[j-1]] {
				t.Errorf("in %v class %d stands behind a later one", box, p.Label[i])
			}
		}
	}
}
