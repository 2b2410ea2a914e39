package hcfl

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
)

var paperFedEM = registry.Citation{Authors: "Marfoq, Neglia, Bellet, Kameni, Vidal",
	Given: "Othmane, Giovanni, Aurélien, Laetitia, Richard",
	Title: "Federated Multi-Task Learning under a Mixture of Distributions",
	Venue: "NeurIPS", Year: 2021, URL: "https://arxiv.org/abs/2108.10252"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedem",
			Title:  "FedEM",
			Family: registry.SoftClusters,
			Cause:  cause.Soft,
			Doc:    "No client belongs to one model: every client mixes all K by how well each explains its samples, and trains each on the samples that it explains best.",
			By:     "how well K models explain samples; soft", Sends: "an update of each of K models", Counts: "samples",
			Paper:   paperFedEM.At("Algorithm 1"),
			Fields:  method.Without(method.Training(method.FieldK, method.FieldProbe), "keep"),
			Steps:   fedemSteps,
			Phases:  fedemPhases,
			Symbols: sampleSymbols,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			k, by := v.Int("K"), method.Counts(v, method.BySamples, method.ManySamples)
			return fl.Plan{Algorithm: &fedem{counting: by}, Models: k, Device: &em{models: k, sendsWeights: by.Weight},
				AnswerModels: k}
		},
	})
}

// fedem is Algorithm 1: a round is one step of expectation maximisation on every client, and a mean update per model. The
// clients' weights stay with the clients.
type fedem struct {
	counting method.Counting

	env      *fl.Env
	weights  []float64 // weight of each client in a mean
	all      []int     // indices of all models
	mixtures *mixtures
}

func (s *fedem) Start(env *fl.Env, label []int) {
	s.env, s.weights = env, s.counting.Of(env.Samples)
	clear(label)
	s.mixtures = newMixtures(env.Clients, env.Models)
	s.all = numeric.Range(env.Models)
}

func (s *fedem) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskCall(i, emTrain, nil, s.all...)
	}
	r.Ask()
	s.blend(r)
}

// blend moves every model by step × mean update, and records the clients' model weights for the page.
func (s *fedem) blend(r *fl.Round) {
	for _, i := range r.Replied {
		rec := r.Recorder()
		var old trace.Value
		if rec.Follows(i) {
			old = fl.Floats("old", s.mixtures.Row(i))
		}
		weights := r.Exchange.Replies[i].ClientState
		if s.counting.Weight { // the weights are sent at the end of the answer
			weights = r.Answer(i)[len(r.Answer(i))-s.env.Models:]
		}
		r.Label[i] = s.mixtures.set(i, weights)
		r.Reclustered = true
		if rec.Follows(i) {
			rec.Note("weights", old, fl.Floats("new", s.mixtures.Row(i)), fl.Int("k", r.Label[i]))
		}
	}
	d := s.env.Size
	for k := range s.all {
		r.ApplyWeighted(k, func(i int) ([]float32, float64) {
			weight := s.weights[i]
			if s.counting.Weight {
				weight *= s.mixtures.Row(i)[k]
			}
			return r.Answer(i)[k*d : (k+1)*d], weight
		})
	}
}

// Mixture returns the clients' weights.
func (s *fedem) Mixture() *clusterer.Matrix { return &s.mixtures.Matrix }
