package lane

import (
	"slices"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// TestRebuiltFocus: a client in focus has a row, that of its group if groups are known, and
// the number of rows stays the same.
func TestRebuiltFocus(t *testing.T) {
	for name, fx := range map[string]charttest.Lane{
		"groups":     {Clients: 24, Groups: 4, Rounds: 10, Models: 4, Algorithm: "ifca", Images: true, Classes: 10, Rebuilds: true},
		"ten groups": {Clients: 30, Groups: 10, Rounds: 10, Models: 4, Algorithm: "ifca", Images: true, Classes: 10, Rebuilds: true},
		"unknown":    {Clients: 24, Groups: 4, Rounds: 10, Models: 4, Algorithm: "ifca", Images: true, Classes: 10, Rebuilds: true, Unknown: true},
		"few":        {Clients: 3, Groups: 3, Rounds: 10, Models: 2, Algorithm: "ifca", Images: true, Classes: 10, Rebuilds: true, Unknown: true},
	} {
		v := charttest.View(charttest.Run(fx), 0, 10)
		g := new(Rebuilt)
		shown := func() []int {
			var l scene.List
			var hits chart.Hits
			g.Draw(&l, &hits, v, chart.Box{W: 388, H: 320})
			clients := make([]int, len(g.rows))
			for row, place := range g.rows {
				clients[row] = g.previewClients[place]
			}
			return clients
		}
		usual := shown()
		if want := min(fx.Clients, rebuiltRows); fx.Unknown && len(usual) != want ||
			!fx.Unknown && len(usual) != min(fx.Groups, want) {
			t.Fatalf("%s: %d rows", name, len(usual))
		}
		for hover := range fx.Clients {
			for _, selected := range []int{chart.NoClient, 1, fx.Clients - 1} {
				v.Hover, v.Selected = hover, selected
				got := shown()
				row := slices.Index(got, hover)
				if row < 0 || len(got) != len(usual) {
					t.Fatalf("%s: with client %d pointed at and %d selected, the rows are %v; before %v", name, hover,
						selected, got, usual)
				}
				if at := slices.IndexFunc(usual, func(i int) bool {
					return v.Group(i) == v.Group(hover)
				}); !fx.Unknown && at >= 0 && row != at {
					t.Errorf("%s: client %d is in row %d, its group's is %d", name, hover, row, at)
				}
				seen := slices.Clone(got)
				slices.Sort(seen)
				if len(slices.Compact(seen)) != len(got) {
					t.Errorf("%s: somebody has two rows: %v", name, got)
				}
			}
		}
		v.Hover, v.Selected = chart.NoClient, chart.NoClient
		if got := shown(); !slices.Equal(got, usual) {
			t.Errorf("%s: with nobody in focus the rows are %v, and were %v", name, got, usual)
		}
	}
}
