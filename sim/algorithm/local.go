package algorithm

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "local",
			Title:  "Local only",
			Family: registry.PersonalModels,
			Cause:  cause.Personal("Each client learns from its own samples alone."),
			Doc:    "Every client trains its own model and sends nothing: the baseline that cooperation has to beat.",
			By:     "nothing: one model per client", Sends: "nothing",
			Unclustered: true,
			Paper:       registry.IFCA.At("experiments, local baseline"),
			Fields:      method.LocalTraining(),
			Steps:       localSteps,
			Phases:      localPhases,
		},
		Make: func(_ param.Values, clients int) fl.Plan {
			return fl.Plan{Algorithm: &localTraining{}, Models: clients, Personal: true, Local: true}
		},
	})
}

// localTraining is training without cooperation: model i stays on client i.
type localTraining struct{}

func (s *localTraining) Start(_ *fl.Env, label []int) {
	for i := range label {
		label[i] = i
	}
}

func (s *localTraining) Round(r *fl.Round) {
	for _, i := range r.Participants {
		// A client that drops out does not train; otherwise its optimiser would keep steps that its model never took.
		if !r.Dropped(i) {
			r.AskUpdate(i, i)
		}
	}
	r.Ask()
	r.ApplyMean(nil)
}

var localSteps = []registry.Step{
	{Name: fl.StepTrain, Phase: registry.Update, Code: "each client trains its own model",
		Says: "Client [client:client] trains its own model on its own samples and sends nothing."},
	{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the update of its client",
		Says: "Model [k:model] moves along that update."},
}

var localPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, Skips: true, Says: "Skipped: models stay with the clients."},
	method.TrainsIts, method.Gradient, method.NotCompared, method.AllAlone, method.OwnToMatch,
	{Phase: registry.Update, Says: "Each client moves its own model. Nobody learns from others."},
}
