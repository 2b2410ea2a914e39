package chart

import (
	"slices"
	"testing"

	"flockscope/ui/scene"
)

// TestRebuiltLight: whoever is in focus has a row, that of its group where
// groups are known, and there are as many rows as before.
func TestRebuiltLight(t *testing.T) {
	for name, fx := range map[string]fixture{
		"groups":     {clients: 24, groups: 4, rounds: 10, models: 4, algorithm: "ifca", images: true, classes: 10, rebuilds: true},
		"ten groups": {clients: 30, groups: 10, rounds: 10, models: 4, algorithm: "ifca", images: true, classes: 10, rebuilds: true},
		"unknown":    {clients: 24, groups: 4, rounds: 10, models: 4, algorithm: "ifca", images: true, classes: 10, rebuilds: true, unknown: true},
		"few":        {clients: 3, groups: 3, rounds: 10, models: 2, algorithm: "ifca", images: true, classes: 10, rebuilds: true, unknown: true},
	} {
		v := view(run(fx), 0, 10)
		g := new(Rebuilt)
		shown := func() []int {
			var l scene.List
			var hits Hits
			g.Draw(&l, &hits, v, Box{388, 320})
			clients := make([]int, len(g.rows))
			for row, place := range g.rows {
				clients[row] = g.sitters[place]
			}
			return clients
		}
		usual := shown()
		if want := min(fx.clients, rebuiltRows); fx.unknown && len(usual) != want || !fx.unknown && len(usual) != min(fx.groups, want) {
			t.Fatalf("%s: %d rows", name, len(usual))
		}
		for hover := range fx.clients {
			for _, selected := range []int{Nobody, 1, fx.clients - 1} {
				v.Hover, v.Selected = hover, selected
				got := shown()
				row := slices.Index(got, hover)
				if row < 0 || len(got) != len(usual) {
					t.Fatalf("%s: with client %d pointed at and %d selected, the rows are %v; before %v", name, hover, selected, got, usual)
				}
				if at := slices.IndexFunc(usual, func(i int) bool { return v.group(i) == v.group(hover) }); !fx.unknown && at >= 0 && row != at {
					t.Errorf("%s: client %d is in row %d, its group's is %d", name, hover, row, at)
				}
				seen := slices.Clone(got)
				slices.Sort(seen)
				if len(slices.Compact(seen)) != len(got) {
					t.Errorf("%s: somebody has two rows: %v", name, got)
				}
			}
		}
		v.Hover, v.Selected = Nobody, Nobody
		if got := shown(); !slices.Equal(got, usual) {
			t.Errorf("%s: with nobody in focus the rows are %v, and were %v", name, got, usual)
		}
	}
}
