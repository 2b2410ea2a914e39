package clientmap

import (
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// At the start, a line of the grid has clients of one group, and every client has a place in the box.
func TestGridByGroup(t *testing.T) {
	for _, clients := range []int{12, 17, 40} {
		f := charttest.CFLGP
		f.Clients = clients
		r := charttest.Run(f)
		r.Tracks[0].Frames[0].XY = nil
		for _, box := range []chart.Box{{W: 400, H: 300}, {W: 200, H: 500}, {W: 700, H: 120}} {
			var m Map
			var hits chart.Hits
			v := charttest.View(r, 0, 0)
			charttest.StaysInside(t, &m, v, box)
			m.Draw(new(scene.List), &hits, v, box)
			group := map[float32]int{}
			for _, hit := range hits {
				if g, known := group[hit.Y]; known && g != v.Group(hit.Client) {
					t.Fatalf("%d clients in %v: a line has groups %d and %d", clients, box, g, v.Group(hit.Client))
				}
				group[hit.Y] = v.Group(hit.Client)
			}
			if len(hits) != clients {
				t.Errorf("%d of %d clients have a place", len(hits), clients)
			}
		}
	}
}

// In a small map marks are small, also for a projector.
func TestMarksHaveRoom(t *testing.T) {
	v := charttest.View(charttest.Run(charttest.CFLGP), 0, 14)
	v.Projector = true
	large, small := markRadius(v, 12, chart.Box{W: 400, H: 300}), markRadius(v, 12, chart.Box{W: 150, H: 90})
	if large != 9 || small != 5 {
		t.Errorf("marks have the radius %v in a large map, and %v in a small one", large, small)
	}
	// A caption that would take half of the map is left out.
	for height, want := range map[float32]bool{300: true, 90: false} {
		var m Map
		var l scene.List
		m.Draw(&l, nil, v, chart.Box{W: 220, H: height})
		says := false
		for _, it := range charttest.Items(t, &l) {
			says = says || strings.HasPrefix(it.Op.Text, "Near")
		}
		if says != want {
			t.Errorf("a map of height %v says how to read it: %v", height, says)
		}
	}
}
