package partition

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

// Noise returns the label of a training sample, which may be wrong. The stream is the sample's own,
// so that wrong labels are the same in all rounds.
type Noise func(label uint8, classes int, s rng.Stream) uint8

// NoiseMaker makes the noise of a run; nil for none.
type NoiseMaker func(v param.Values) Noise

// Noises lists every kind of noise on labels.
var Noises registry.Registry[NoiseMaker]

func init() {
	Noises.Register(registry.Entry[NoiseMaker]{
		Meta: registry.Meta{
			Name:  "none",
			Title: "Correct labels",
			Doc:   "Every training sample has its correct label.",
			Paper: registry.FedAvg.At("section 3"),
		},
		Make: func(param.Values) Noise { return nil },
	})
}

// fieldChi is the noise level.
var fieldChi = param.Field{Name: "chi", Label: "Error rate χ", Section: param.Data, Kind: param.Float, Min: 0, Max: 1,
	Step: 0.05, Default: "0.2",
	Doc: "Probability that a training sample has a wrong label."}
