package hcfl

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// fieldTrain is how a client trains a common trunk. The paper's equations 6 and 7 begin at the same models, and its
// Algorithm 3 repeats both in every local iteration; equation 20, in the appendix, takes the trunk's gradient at heads
// that have made their step.
var fieldTrain = param.Field{Name: "train", Label: "Trunk and heads are trained", Section: param.Models, Kind: param.Choice,
	Default: "together", PerLane: true, Advanced: true,
	Options: []param.Option{
		{Name: "together", Title: "together", Doc: "Both in every step, by equations 6 and 7. With one cluster that is FedAvg."},
		{Name: "heads", Title: "heads first",
			Doc: "The heads in all local epochs, and then the trunk, as the authors' program does, which begins with a trunk that has learned."}},
	Doc: "Only where clusters share a trunk, and clients train for epochs."}

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "hcfl",
			Title:  "HCFL",
			Family: registry.SoftClusters,
			Cause:  cause.Soft,
			Doc:    "A common framework for clustered federated learning, with four choices: what a cluster explains, how clients weigh clusters, when their number changes, and how clients are compared.",
			By:     "as its four tiers are set",
			Sends:  "an update of each model, or of its own; what the tiers need", Counts: "samples",
			Near:  "models?weigh=near;labels?weigh=labels",
			Paper: registry.HCFL.At("section 3, Algorithm 1"),
			Fields: method.Without(method.Training(method.FieldK, method.FieldProbe,
				param.Field{Name: "form", Label: "1 · Objective", Section: param.Models, Kind: param.Choice,
					Default: "label", PerLane: true, Options: options(forms),
					Doc: "First tier, the cluster formulation: what makes a model fit a sample."},
				param.Field{Name: "weigh", Label: "2 · Weights", Section: param.Models, Kind: param.Choice,
					Default: "em", PerLane: true, Options: options(weighings),
					Doc: "Second tier, the cluster weights: how a client's weights of clusters are computed."},
				param.Field{Name: "adapt", Label: "3 · Number of clusters", Section: param.Models, Kind: param.Choice,
					Default: "fixed", PerLane: true, Options: options(adaptations),
					Doc: "Third tier, the adaptive procedure: how the number of clusters changes. What splits or merges them is the fourth tier, the distance."},
				param.Field{Name: "heads", Label: "Clusters share all but the last layer", Section: param.Models,
					Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
					Doc: "One trunk for all and a head for each cluster, as in HCFL+: less to send. A model of one layer is all head."},
				fieldTrain,
			), "keep"),
			Steps:   hcflSteps(),
			Phases:  hcflPhases,
			Symbols: tierSymbols,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			t := tiers{form: choose(forms, v, "form"), weigh: choose(weighings, v, "weigh"),
				adapt: choose(adaptations, v, "adapt"), heads: v.Switch("heads"), headsFirst: v.Text("train") == "heads"}
			if t.comparesFirst() {
				t.anchor = grouping.NewAnchorUpdate(v)
			}
			t.named.form, t.named.weigh, t.named.apart = v.Text("form"), v.Text("weigh"), v.Text("dist")
			return newHCFL(clients, v.Int("K"), v.Int("T"), method.Counts(v, method.BySamples, method.ManySamples), t)
		},
	})
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "hcflplus",
			Title:  "HCFL+",
			Family: registry.SoftClusters,
			Cause:  cause.Soft,
			Doc:    "A soft clustering that finds its number of clusters: clusters share a trunk and have heads of their own, split where the features of their members differ, and are removed when no client prefers them.",
			By:     "as HCFL, and mean features; finds K; soft", Sends: "an update of the trunk and of each head; mean features; masses; K weights", Counts: "samples",
			Paper: registry.HCFL.At("section 4, Algorithms 2 to 5"),
			Fields: method.Without(method.Training(method.FieldK, method.FieldProbe,
				param.Field{Name: "base", Label: "Principle", Section: param.Models, Kind: param.Choice,
					Default: "fedrc", PerLane: true,
					Options: []param.Option{
						{Name: "fedem", Title: "FedEM", Doc: "Any shift separates clients (ASCP).", Defaults: map[string]string{"mu": "0"}},
						{Name: "fedrc", Title: "FedRC", Doc: "Only a concept shift separates clients (CSCP)."}},
					Doc: "The clustering principle that the first tier and the distance follow."},
				fieldMemory, fieldThreshold, method.FieldMost, fieldSpare, fieldFew, fieldPlain, fieldTrain), "keep"),
			Steps: fixedSteps(formStep("label", "base=fedem"), formStep("ratio", "base=fedrc"), stepAnswers,
				weighStep("sample", ""),
				apartStep("any", "base=fedem"), apartStep("concept", "base=fedrc"), stepDivide, stepGone),
			Phases: hcflplusPhases,
			Symbols: append([]registry.Symbol{
				{Sign: "μ", Name: "freedom of samples", Shape: "a number, 0 to 1"},
			}, tierSymbols...),
		},
		Make: func(v param.Values, clients int) fl.Plan {
			t := tiers{adapt: adaptation{split: true, remove: true}.read(v), heads: true,
				headsFirst: v.Text("train") == "heads"}
			// The paper's two backbones. Table 6 compares μ = 0, 0.1 and 0.4; the defaults
			// are those of its Table 1.
			t.form, t.weigh, t.adapt.distance = labelGivenInput{}, sampleWise{v.Float("mu")}, prototypes{any: true}
			t.named.form, t.named.weigh, t.named.apart = "label", "sample", "any"
			if v.Text("base") == "fedrc" {
				t.named.form, t.named.apart = "ratio", "concept"
				t.form, t.adapt.distance = informationRatio{}, prototypes{}
			}
			return newHCFL(clients, v.Int("K"), v.Int("T"), method.Counts(v, method.BySamples, method.ManySamples), t)
		},
	})
}
