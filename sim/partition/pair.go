package partition

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Noises.Register(registry.Entry[NoiseMaker]{
		Meta: registry.Meta{
			Name:   "pair",
			Title:  "Label of the next class",
			Doc:    "Some training samples have the label of the next class. Test samples are clean.",
			Paper:  paperHCFL.At("Table 4, pair flips"),
			Fields: []param.Field{fieldChi},
		},
		Make: func(v param.Values) Noise {
			chi := v.Float("chi")
			return func(label uint8, classes int, s rng.Stream) uint8 {
				if s.Float64() >= chi {
					return label
				}
				return uint8((int(label) + 1) % classes)
			}
		},
	})
}
