package workload

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "pairs8",
			Title:  "Eight groups in four pairs",
			Family: registry.Lines,
			Doc:    "Numbers that depend linearly on eight inputs, with weights for eight groups: four pairs far apart, and the two of a pair close together.",
			Paper:  registry.CFLGP.At("appendix G, rotations 0°, 15°, 90°, 105° … reduced to weights"),
			Fields: []param.Field{
				{Name: "within", Label: "Gap in a pair", Section: param.Data, Kind: param.Float, Min: 0, Max: 2, High: 1, Step: 0.05, Default: "0.5",
					Doc: "Distance of the two groups of a pair from their midpoint. Pairs are 1.4 apart."},
				{Name: "truth", Label: "Groups are", Section: param.Data, Kind: param.Choice, Default: "groups",
					Options: []param.Option{{Name: "groups", Title: "the eight groups"},
						{Name: "pairs", Title: "the four pairs"}},
					Doc: "Which clients form a group. Both are right; it depends on how fine the grouping should be."},
				fieldInit,
				fieldSigma,
			},
		},
		Make: Spec{Endless: true, Make: makePairs8, Defaults: map[string]string{
			"C": "64", "K": "4", "b": "64", "probe": "64", "T": "41", "lr": "0.05", "init": "0.1"}},
	})
}

// makePairs8 plants group 2g + h, for g = 0 … 3 and h = 0 or 1, with the weights
//
//	θ* = e_g ± within · e_{4+g}
//
// With fewer clients than groups, only the first groups exist.
func makePairs8(v param.Values, _ *File) (Workload, error) {
	const pairs = 4
	w, err := newGauss(v, 2*pairs)
	if err != nil {
		return nil, err
	}
	var stars [2 * pairs][]float64
	for i := range stars {
		stars[i] = make([]float64, 2*pairs)
		stars[i][i/2] = 1
		stars[i][pairs+i/2] = v.Float("within") * float64(1-2*(i%2))
	}
	w.groups = min(2*pairs, w.Clients())
	w.group = contiguous(w.Clients(), w.groups)
	for i, g := range w.group {
		w.first[i] = stars[g]
		if v.Text("truth") == "pairs" {
			w.group[i] = g / 2
		}
	}
	if v.Text("truth") == "pairs" {
		w.groups = (w.groups + 1) / 2
	}
	return w, nil
}
