package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedavg",
			Title:  "FedAvg",
			Doc:    "One model for everybody, moved along the mean gradient of all clients. It compares nobody.",
			Paper:  registry.FedAvg.At("section 2, FedSGD"),
			Fields: []param.Field{fieldRate},
		},
		Make: func(v param.Values, _ int) fl.Plan {
			return fl.Plan{Server: &fedavg{rate: v.Float("lr")}, Models: 1}
		},
	})
}

// fedavg is the gradient form of FedAvg (FedSGD in the paper's section 2), the
// "Global" baseline of CFL-GP.
type fedavg struct{ rate float64 }

func (s *fedavg) Start(_ *fl.Env, label []int) { clear(label) }

func (s *fedavg) Round(r *fl.Round) {
	for i := range r.Label {
		r.AskGradient(i, 0)
	}
	r.Ask()
	r.Descend(s.rate, nil)
}
