package page

import (
	"context"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/engine"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
)

// Every method has a figure in the middle of a run: a map, or another figure for which its runs have
// data.
func TestEveryMethodHasAPicture(t *testing.T) {
	schema := catalog.Schema()
	for i := range schema.Algorithms {
		name := schema.Algorithms[i].Name
		for _, data := range []string{"data=linreg&T=6&algos=", "data=digits&n=240&C=6&T=4&every=1&algos="} {
			a := New(schema, data+name+"&t=3")
			if len(a.AllNotices()) > 0 {
				continue // it does not go with these data
			}
			run, err := engine.Record(context.Background(), a.Config, nil)
			if err != nil {
				t.Errorf("%s%s: %v", data, name, err)
				continue
			}
			a.Run = run
			below := a.FigureBelow(0)
			if !slices.ContainsFunc(a.FiguresBelow(0), func(k chart.Kind) bool { return k.Name == below }) {
				t.Errorf("%s%s shows %q, which its runs do not have", data, name, below)
			}
			if noMap := run.Header.Lanes[0].Map == trace.NoMap; a.HasNoMap(0) != noMap {
				t.Errorf("%s%s has another figure in the place of a map: %v, want %v", data, name, a.HasNoMap(0), noMap)
			}
			if v := a.View(0); a.HasNoMap(0) {
				var list scene.List
				kind, _ := figures.KindOf(below)
				kind.New().Draw(&list, &chart.Hits{}, &v, chart.Box{W: 340, H: 300})
				if len(list.Bytes()) < 200 {
					t.Errorf("%s%s: the figure %q is empty", data, name, below)
				}
			}
		}
	}
}
