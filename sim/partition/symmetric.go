package partition

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Noises.Register(registry.Entry[NoiseMaker]{
		Meta: registry.Meta{
			Name:   "symmetric",
			Title:  "Random wrong labels",
			Doc:    "Some training samples have a wrong label, each with the same probability. Test samples are clean.",
			Paper:  paperHCFL.At("Table 4, symmetric flips"),
			Fields: []param.Field{fieldChi},
		},
		Make: func(v param.Values) Noise {
			chi := v.Float("chi")
			return func(label uint8, classes int, s rng.Stream) uint8 {
				if classes < 2 || s.Float64() >= chi {
					return label
				}
				return uint8((int(label) + 1 + s.IntN(classes-1)) % classes)
			}
		},
	})
}
