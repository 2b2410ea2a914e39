package hcfl

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperFedEM = registry.Citation{Authors: "Marfoq, Neglia, Bellet, Kameni, Vidal",
	Title: "Federated Multi-Task Learning under a Mixture of Distributions",
	Venue: "NeurIPS", Year: 2021, URL: "https://arxiv.org/abs/2108.10252"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedem",
			Title:  "FedEM",
			Family: registry.SoftClusters,
			Doc:    "No client belongs to one model: every client mixes all K, by how well each explains its samples, and trains each on the samples that it explains best.",
			By:     "how well K models explain samples; soft", Sends: "an update of each of K models", Counts: "samples",
			Paper:   paperFedEM.At("Algorithm 1"),
			Fields:  method.Without(method.Training(method.FieldK, method.FieldProbe), "keep"),
			Steps:   fedemSteps,
			Symbols: sampleSymbols,
		},
		Make: func(v param.Values, _ int) fl.Plan {
			k, by := v.Int("K"), method.Counts(v, method.BySamples, method.ManySamples)
			return fl.Plan{Server: &fedem{counting: by}, Models: k, Device: &em{models: k, tells: by.Weight},
				AnswerModels: k}
		},
	})
}
