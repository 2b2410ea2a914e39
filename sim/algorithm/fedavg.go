package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "fedavg",
			Title: "FedAvg",
			Doc:   "One model for everybody, moved along the mean gradient of all clients. It compares nobody.",
			Paper: registry.Citation{Authors: "McMahan, Moore, Ramage, Hampson, Agüera y Arcas",
				Title: "Communication-Efficient Learning of Deep Networks from Decentralized Data",
				Venue: "AISTATS", Year: 2017, URL: "https://arxiv.org/abs/1602.05629"},
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
