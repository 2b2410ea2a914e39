package hcfl

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var paperFedGMM = registry.Citation{Authors: "Wu, Zhang, Yu, Liu, Gu, Zhou, Chen, Cheng",
	Given: "Yue, Shuaicheng, Wenchao, Yanchi, Quanquan, Dawei, Haifeng, Wei",
	Title: "Personalized Federated Learning under Mixture of Distributions",
	Venue: "ICML", Year: 2023, URL: "https://arxiv.org/abs/2305.01068"}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedgmm",
			Title:  "FedGMM",
			Family: registry.SoftClusters,
			Cause:  cause.Soft,
			Doc:    "Mixes models as FedEM does and also models the inputs: Gaussians that all clients share describe inputs, and each client weighs every pair of a Gaussian and a model.",
			By:     "how well Gaussians explain inputs, and K models labels; soft", Sends: "an update of each of K models; means, variances and shares of Gaussians; K weights", Counts: "samples × weight of the model",
			Paper:   paperFedGMM.At("and the authors' code, except for the projection of inputs"),
			Fields:  append(method.Without(method.Training(method.FieldK, method.FieldProbe), "keep"), densityFields...),
			Steps:   fixedSteps(stepMoments, formStep("joint", ""), stepAnswers, weighStep("em", "")),
			Phases:  fedgmmPhases,
			Symbols: tierSymbols,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			t := tiers{form: labelGivenInput{newInputDensity(v)}, weigh: clientWise{}}
			t.named.form, t.named.weigh = "joint", "em"
			return newHCFL(clients, v.Int("K"), v.Int("T"), method.Counts(v, method.ByWeight, method.ManySamples), t)
		},
	})
}
