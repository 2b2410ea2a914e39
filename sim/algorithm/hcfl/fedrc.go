package hcfl

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperFedRC = registry.Citation{Authors: "Guo, Tang, Lin", Given: "Yongxin, Xiaoying, Tao",
	Title: "FedRC: Tackling Diverse Distribution Shifts Challenge in Federated Learning by Robust Clustering",
	Venue: "ICML", Year: 2024, URL: "https://arxiv.org/abs/2301.12379"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedrc",
			Title:  "FedRC",
			Family: registry.SoftClusters,
			Cause:  cause.Soft,
			Doc:    "Mixes models as FedEM does, but divides by how common a class is in a model: clients are separated when they label the same inputs differently, and not when they merely have other inputs.",
			By:     "how well K models explain samples, class by class; soft", Sends: "an update of each of K models; K masses for each class", Counts: "samples",
			Paper: paperFedRC.At("Algorithm 1"),
			Fields: method.Without(method.Training(method.FieldK, method.FieldProbe,
				param.Field{Name: "rare", Label: "Rare classes", Section: param.Models, Kind: param.Choice,
					Default: "floor", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "floor", Title: "as the authors' code", Doc: "A class without samples in a model counts 10⁻⁸: the model attracts it strongly."},
						{Name: "smooth", Title: "one extra sample of each", Doc: "Every class counts one more sample than it has."}},
					Doc: "The share of a class that is rare in a model."},
			), "keep"),
			Steps:  []registry.Step{stepWeights},
			Phases: fedrcPhases,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			k, by := v.Int("K"), method.Counts(v, method.BySamples, method.ManySamples)
			s := &fedrc{fedem: fedem{counting: by}, classes: classes{models: k, smooth: v.Text("rare") == "smooth"}}
			return fl.Plan{Algorithm: s, Models: k, Device: &em{models: k, counts: true, sendsWeights: by.Weight},
				AnswerModels: k}
		},
	})
}

// fedrc is FedEM with P(x, y)/(P(x)·P(y)) in place of P(y given x): the score of a sample is −ℓ_k(x, y) − log C_yk, where
// C_yk is the share of class y among the samples of model k. Where models predict numbers there are no classes, and it is
// FedEM.
type fedrc struct {
	fedem
	classes classes
}

func (s *fedrc) Start(env *fl.Env, label []int) {
	s.fedem.Start(env, label)
	s.classes.start(env.Clients)
}

func (s *fedrc) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskCall(i, emTrain, s.classes.shares, s.all...)
	}
	r.Ask()
	s.blend(r)
	// Clients use the shares of the round before, as in the authors' code; in the first round all classes count the same.
	for _, i := range r.Replied {
		masses := r.Answer(i)[s.env.Models*s.env.Size:]
		if s.counting.Weight { // the weights follow
			masses = masses[:len(masses)-s.env.Models]
		}
		s.classes.set(i, masses)
	}
	s.classes.updateShares()
}

// classes estimates C_yk from F_ikc = Σ γ_jk over the samples of class c of client i, as the client sent it last.
type classes struct {
	models int
	smooth bool

	masses [][]float32 // F by client, one row of classes per model; empty before a client has replied
	shares []float32   // C, one row of classes per model; nil before any client has replied
	sum    []float64
}

func (c *classes) start(clients int) { c.masses = make([][]float32, clients) }

// set sets client i's F.
func (c *classes) set(i int, masses []float32) {
	c.masses[i] = append(c.masses[i][:0], masses...)
	if len(c.sum) != len(masses) {
		c.shares, c.sum = make([]float32, len(masses)), make([]float64, len(masses))
	}
}

// updateShares computes C: for each model, the sums of the clients' masses, bounded away from 0 and divided by their total
// over the classes.
func (c *classes) updateShares() {
	clear(c.sum)
	for _, masses := range c.masses {
		for n, f := range masses {
			c.sum[n] += float64(f)
		}
	}
	per := len(c.sum) / c.models
	for k := range c.models {
		row, total := c.sum[k*per:(k+1)*per], 0.0
		for n := range row {
			if c.smooth {
				row[n]++
			} else {
				row[n] = max(row[n], 1e-8)
			}
			total += row[n]
		}
		for n, f := range row {
			c.shares[k*per+n] = float32(f / total)
		}
	}
}
