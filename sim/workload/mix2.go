package workload

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "mix2",
			Title:  "Two kinds, and a mixture",
			Family: registry.Lines,
			Doc:    "Two groups with their own weights for two inputs, and a third group whose samples come from either of the two distributions.",
			Paper:  registry.CFLGP.At("section 5.2, Figure 3, reduced to weights"),
			Fields: []param.Field{
				{Name: "blend", Label: "Mixture κ", Section: param.Data, Kind: param.Float, Min: 0, Max: 1, Step: 0.05, Default: "0.3",
					Doc: "Probability that a sample of the third group comes from the first distribution. With 0 or 1 the third group equals one of the others."},
				fieldInit,
				fieldSigma,
			},
		},
		Make: Spec{Endless: true, Make: makeMix2, Defaults: map[string]string{"K": "2", "b": "40", "probe": "40", "init": "0.2"}},
	})
}

// makeMix2 plants three groups: θ* = (1, 0), θ* = (0, 1), and both, the first with probability κ
// for each sample.
func makeMix2(v param.Values, _ *File) (Workload, error) {
	w, err := newGauss(v, 2)
	if err != nil {
		return nil, err
	}
	one, other := []float64{1, 0}, []float64{0, 1}
	w.groups = min(3, w.Clients())
	w.group = contiguous(w.Clients(), w.groups)
	for i, g := range w.group {
		switch g {
		case 0:
			w.first[i] = one
		case 1:
			w.first[i] = other
		default:
			w.first[i], w.second[i], w.probability[i] = one, other, v.Float("blend")
		}
	}
	return w, nil
}
