package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	Shifts.Register(registry.Entry[ShiftMaker]{
		Meta: registry.Meta{
			Name:  "mixture",
			Title: "Upright, upside down, mixed",
			Doc:   "One group sees its samples upright, one upside down, and a third a mixture of both. The nearer κ is to 0 or 1, the more the third is like one of the others; at 0 and 1 there are only two groups.",
			Paper: registry.CFLGP.At("section 5.2, appendix F.5.2"),
			Fields: []param.Field{
				{Name: "kappa", Label: "Mixture κ", Section: param.Data, Kind: param.Float, Min: 0, Max: 1, Step: 0.05, Default: "0.5",
					Doc: "Probability that the third group sees a sample upright. Drawn once for each sample."},
			},
		},
		Make: makeMixture,
	})
}

func makeMixture(v param.Values, set *dataset.Set, _ uint64) (Shift, error) {
	if err := needImages("mixture", set); err != nil {
		return Shift{}, err
	}
	half, kappa := rotate(set.Shape, 180), v.Float("kappa")
	views, kinds := []View{nil, half, &mixture{half, kappa}}, Kinds{Group: []int{0, 1, 2},
		Groups: []say.Message{"0°", "180°", uprightOrNot}}
	// At 0 and 1 the third group equals one of the others.
	switch kappa {
	case 0:
		views[2], kinds = half, Kinds{Group: []int{0, 1, 1}, Groups: kinds.Groups[:2]}
	case 1:
		views[2], kinds = nil, Kinds{Group: []int{0, 1, 0}, Groups: kinds.Groups[:2]}
	}
	return Shift{Kinds: kinds, View: func(kind, _ int) View { return views[kind] }}, nil
}

// mixture shows a sample upright with probability upright, else rotated by 180°.
type mixture struct {
	half    *rotated
	upright float64
}

func (m *mixture) Show(dst, raw []float32, s rng.Stream) {
	if s.Float64() < m.upright {
		copy(dst, raw[:m.half.sources.Len()])
		return
	}
	m.half.Show(dst, raw, s)
}

// IsMixture reports whether a view shows some samples as one group sees them and the others as another does.
func IsMixture(v View) bool {
	_, is := v.(*mixture)
	return is
}

func (m *mixture) Words() say.Message { return uprightOrNot }

var uprightOrNot = say.Messagef("%s or %s", "0°", "180°")
