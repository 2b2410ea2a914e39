package algorithm

import (
	"slices"
	"sync"

	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "perfedavg",
			Title:  "Per-FedAvg",
			Family: registry.PersonalModels,
			Cause:  cause.Personal("All clients train one model as a start, and each uses it after a step on its own samples."),
			Doc:    "One model for all clients, trained as a good starting point: each client uses it after a step of its own.",
			By:     "nothing: one model for all, adapted by each", Sends: "an update by meta gradients", Counts: "clients",
			Unclustered: true,
			Paper: registry.Citation{Authors: "Fallah, Mokhtari, Ozdaglar", Given: "Alireza, Aryan, Asuman",
				Title: "Personalized Federated Learning with Theoretical Guarantees: A Model-Agnostic Meta-Learning Approach",
				Venue: "NeurIPS", Year: 2020, URL: "https://arxiv.org/abs/2002.07948"}.At("Algorithm 1, first order"),
			Fields: method.Without(method.Training(
				param.Field{Name: "inner", Label: "Client step α", Section: param.Models, Kind: param.Float, Min: 0,
					Max: 10, High: 1, Step: 0.01, Default: "0",
					Tune:    &param.Space{Low: 0.01, High: 1, Log: true, Source: "that of the learning rate"},
					PerLane: true, Advanced: true,
					Doc: "The rate of the step that a client takes before it uses the model; 0 means the learning rate."},
			), "keep"),
			Steps:  perfedavgSteps,
			Phases: perfedavgPhases,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			rate := v.Float("inner")
			if rate == 0 {
				rate = v.Float("lr")
			}
			return fl.Plan{Algorithm: &perfedavg{counting: method.Counts(v, method.ByClients, method.ManySamples)},
				Models: 1, Device: &adapter{rate: float32(rate)}, AnswersUpdate: true}
		},
	})
}

// perfedavg is FedAvg with updates by first-order meta gradients. The paper takes the plain mean of the clients' models;
// PFLlib's code counts samples.
type perfedavg struct {
	counting method.Counting
	weights  []float64 // weight of each client in a mean
}

func (s *perfedavg) Start(env *fl.Env, label []int) {
	s.weights = s.counting.Of(env.Samples)
	clear(label)
}

func (s *perfedavg) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskCall(i, opAdapt, nil, 0)
	}
	r.Ask()
	r.ApplyWeighted(0, func(i int) ([]float32, float64) { return r.Answer(i), s.weights[i] })
}

// opAdapt asks a client for its update of the common model.
const opAdapt = 1

// adapter is the client's side: it takes a step at rate α before it uses the model.
type adapter struct {
	rate float32
	idle sync.Pool // pool of *meta
}

// Do answers with the client's update by meta gradients.
func (a *adapter) Do(dst []float32, _ int, _ []float32, at fl.ClientContext) []float32 {
	g, _ := a.idle.Get().(*meta)
	if g == nil {
		g = &meta{rate: a.rate}
		g.gradient = g.metaGradient
	}
	defer a.idle.Put(g)
	g.model, g.at, g.stream = at.Model(), at, at.Stream(rng.ClientDraws)
	size := g.model.Size()
	g.stepped = at.Scratch(0, size)
	from := len(dst)
	dst = slices.Grow(dst, size)[:from+size]
	at.Update(dst[from:], at.Params(0), g.gradient)
	at.Protect(dst[from:])
	return dst
}

// Personalize takes the adaptation step for which the model was trained, on one minibatch.
func (a *adapter) Personalize(dst, given []float32, at fl.ClientContext) {
	step(dst, given, at.Scratch(0, len(given)), at.Model(), at.Minibatch(), a.rate)
}

// meta computes first-order meta gradients.
type meta struct {
	model    model.Model
	at       fl.ClientContext
	stream   *rng.Stream // stream of the batches of inner steps
	rate     float32
	stepped  []float32
	gradient fl.Gradient
}

// metaGradient computes the gradient of a batch after an inner step on another minibatch. Both batches are of full size and
// drawn independently, as in the paper's Algorithm 1.
func (g *meta) metaGradient(dst, params []float32, b model.Batch, _ []int32) {
	step(g.stepped, params, dst, g.model, g.at.ExtraMinibatch(g.stream), g.rate)
	g.model.Gradient(dst, g.stepped, b)
}

// step sets dst to params after a step of descent on b; gradient is a buffer.
func step(dst, params, gradient []float32, m model.Model, b model.Batch, rate float32) {
	m.Gradient(gradient, params, b)
	copy(dst, params)
	kernel.Axpy(dst, -rate, gradient)
}

var perfedavgSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Update, Code: "each client adapts the model by a step of its own, and sends its gradient there",
		Says: "Client [client:client] adapts the model to its own samples by one step, computes its gradient there and sends it to the server.", Sends: "gradient"},
}

var perfedavgPhases = []*registry.PhaseText{method.SendsOneModel,
	{Phase: registry.Probe, When: "avg=model", Says: "[each] trains the model by gradients that look one step ahead.",
		Client: "pulls [label:model] by [answer.answer:pull]"},
	{Phase: registry.Probe, Says: "[each] tries one step of training, and computes the gradient after it.",
		Client: "pulls [label:model] by [answer.answer:pull]"},
	method.NotCompared, method.OneForAll, method.OneToMatch,
	{Phase: registry.Update, Carries: "answer", Sends: "[gradient]",
		Says: "The model moves along the mean of these [clients] [gradients]: a better start for one step."},
	method.MeanOfOneReply,
}
