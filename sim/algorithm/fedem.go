package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
)

var paperFedEM = registry.Citation{Authors: "Marfoq, Neglia, Bellet, Kameni, Vidal",
	Title: "Federated Multi-Task Learning under a Mixture of Distributions",
	Venue: "NeurIPS", Year: 2021, URL: "https://arxiv.org/abs/2108.10252"}

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "fedem",
			Title: "FedEM",
			Doc:   "Nobody belongs to one model: every client blends all K, by how well each explains its samples, and trains each on the samples that it explains best.",
			By:    "how well K models explain samples; soft", Sends: "an update of each of K models", Counts: "samples",
			Paper:  paperFedEM.At("Algorithm 1"),
			Fields: training(fieldK, FieldProbe),
			Steps: []registry.Step{
				{Name: fl.StepSend, Phase: registry.Broadcast, Code: "broadcast all K models",
					Says:    "Client [client:client] receives all models: [k:model].",
					Formula: "θ_1, …, θ_K"},
				{Name: fl.StepAnswer, Phase: registry.Probe, Code: "E-step: client c finds how well each model explains each of its samples",
					Says:    "Client [client:client] shares each of its samples out among the models, by its weights and by the losses, and trains each model on its share.",
					Formula: "q_{c,j}(k) ∝ π_{c,k} exp(−ℓ(θ_k; x_j,y_j))"},
				stepWeights,
				{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the mean of all its updates, each made under the client's shares",
					Says:    "Every model moves along the mean of the updates that all clients made under their shares; this is model [k:model].",
					Formula: "θ_k ← θ_k − γ · mean_c u_{c,k}", Numbers: "[new] ← [old] − [step] · [mean]"},
			},
		},
		Make: func(v param.Values, _ int) fl.Plan {
			k, by := v.Int("K"), counts(v, bySamples, manySamples)
			return fl.Plan{Server: &fedem{counting: by}, Models: k, Device: &em{models: k, tells: by.weight}, AnswerModels: k}
		},
	})
}

// stepWeights is how soft methods speak of what a client is given.
var stepWeights = registry.Step{Name: "weights", Phase: registry.Match, Code: "M-step: its weights become the mean shares of its samples",
	Says:    "The weights of client [client:client] for the models become [new:models]. The largest is that of model [k:model].",
	Formula: "π_{c,k} ← mean_j q_{c,j}(k)", Numbers: "[old:models] → [new:models]"}

// fedem is Algorithm 1: a round is one step of expectation maximisation on every
// client, and one mean a model. The clients' weights stay with the clients.
type fedem struct {
	counting counting

	env      *fl.Env
	weights  []float64 // what each client counts
	all      []int     // models
	mixtures *mixtures
}

func (s *fedem) Start(env *fl.Env, label []int) {
	s.env, s.weights = env, s.counting.of(env.Samples)
	clear(label)
	s.mixtures = newMixtures(env.Clients, env.Models)
	s.all = numbers(env.Models)
}

func (s *fedem) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskCall(i, emTrain, nil, s.all...)
	}
	r.Ask()
	s.blend(r)
}

// blend moves every model along the mean of its updates, and notes how clients
// blend the models.
func (s *fedem) blend(r *fl.Round) {
	for _, i := range r.Replied {
		rec := r.Recorder()
		var old trace.Value
		if rec.Follows(i) {
			old = fl.Floats("old", s.mixtures.Row(i))
		}
		r.Label[i] = s.mixtures.take(i, r.Exchange.Replies[i].ClientState)
		r.Reclustered = true
		if rec.Follows(i) {
			rec.Note("weights", old, fl.Floats("new", s.mixtures.Row(i)), fl.Whole("k", r.Label[i]))
		}
	}
	d := s.env.Size
	for k := range s.all {
		r.ApplyWeighted(k, func(i int) ([]float32, float64) {
			weight := s.weights[i]
			if s.counting.weight {
				weight *= s.mixtures.Row(i)[k]
			}
			return r.Answer(i)[k*d : (k+1)*d], weight
		})
	}
}

// Mixture returns the clients' weights.
func (s *fedem) Mixture() *clusterer.Matrix { return &s.mixtures.Matrix }

// numbers returns 0 to n − 1.
func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
