// Package figures lists the figures of the page, which stand in packages of their own. Its
// tests draw each of them in many situations and compare the drawings with testdata.
//
//	figures.go       the kinds of figures
//	golden_test.go   pictures of all of them
//	drawing_test.go  what holds of every drawing
package figures

import (
	"slices"

	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/lane"
	"flockscope/ui/chart/progress"
	"flockscope/ui/chart/samples"
	"flockscope/ui/chart/stage"
	"flockscope/ui/chart/sweeps"
)

// kinds are all kinds of figures, by scope and by their order there.
var kinds = func() (all []chart.Kind) {
	lists := [...][]chart.Kind{samples.Kinds, clientmap.Kinds, stage.Kinds, lane.Kinds, sweeps.Kinds, progress.Kinds}
	for scope := chart.OfData; scope <= chart.NoTab; scope++ {
		for _, list := range lists {
			for _, k := range list {
				if k.Of == scope {
					all = append(all, k)
				}
			}
		}
	}
	return all
}()

// Kinds returns all kinds of figures, by scope and order. Nobody may change it.
func Kinds() []chart.Kind { return kinds }

// KindOf returns the kind with a name.
func KindOf(name string) (chart.Kind, bool) {
	if i := slices.IndexFunc(kinds, func(k chart.Kind) bool { return k.Name == name }); i >= 0 {
		return kinds[i], true
	}
	return chart.Kind{}, false
}
