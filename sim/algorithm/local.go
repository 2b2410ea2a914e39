package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "local",
			Title: "Local only",
			Doc:   "Every client trains a model of its own and sends nothing. What cooperation has to beat.",
			By:    "nothing: a model each", Sends: "nothing",
			Unclustered: true,
			Paper:       registry.IFCA.At("experiments, local baseline"),
			Fields:      alone(),
		},
		Make: func(_ param.Values, clients int) fl.Plan {
			return fl.Plan{Server: &local{}, Models: clients, Personal: true, Local: true}
		},
	})
}

// local is training without a server: model i stays on client i.
type local struct{}

func (s *local) Start(_ *fl.Env, label []int) {
	for i := range label {
		label[i] = i
	}
}

// Open has each client train its own model.
func (s *local) Open(r *fl.Round, _ int) {
	for _, i := range r.Participants {
		r.AskUpdate(i, i)
	}
}

func (s *local) Round(r *fl.Round) {
	s.Open(r, r.T)
	r.Ask()
	r.ApplyMean(nil)
}
