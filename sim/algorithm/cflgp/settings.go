package cflgp

import (
	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "cflgp",
			Title:  "CFL-GP",
			Family: registry.HardClusters,
			Cause:  cause.Memory,
			Doc:    "The server averages each client's gradients over the rounds, on models that all clients receive in turn, and clusters their leading directions.",
			By:     "averages of gradients at common models; K given or found", Sends: "an update; in some rounds a second one, of a common model", Counts: "clients",
			Paper: registry.CFLGP.At("Algorithms 1 to 3"),
			Fields: method.Training(method.FieldK,
				param.Field{Name: "P", Label: "Clustering period P", Section: param.Models, Kind: param.Int, Min: 2,
					Max: 100, High: 20, Low: 2, Default: "2", PerLane: true, Advanced: true,
					Doc: "The server clusters in every P-th round. With P = 1 the paper's rule t mod P = 1 never holds."},
				param.Field{Name: "beta", Label: "Memory β", Section: param.Models, Kind: param.Choice, Default: "mean",
					PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "mean", Title: "average of all gradients"},
						{Name: "1", Title: "newest gradient only"}},
					Doc: "Keep the average of all gradients so far, or only the newest (β = 1, the paper's ablation)."},
				param.Field{Name: "fold", Label: "Gradients are", Section: param.Models, Kind: param.Choice,
					Default: "mean", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "mean", Title: "averaged"},
						{Name: "sum", Title: "summed, as printed"}},
					Doc: "Algorithm 1 sums a cluster's gradients; its code averages them. With the sum the step grows with the cluster, and models diverge once learning rate × clients is above 2/L."},
				param.Field{Name: "cr", Label: "Compression", Section: param.Models, Kind: param.Int, Min: 1,
					Max: 100000, Low: 1, High: 10000, Log: true, Default: "1", PerLane: true, Advanced: true,
					Doc: "Gradients are compared at one parameter in this many, drawn at random once (appendix E.1). It saves traffic and memory and does not change training."},
				param.Field{Name: "layer", Label: "Compare", Section: param.Models, Kind: param.Choice, Default: "all",
					PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "all", Title: "all layers"},
						{Name: "head", Title: "the last layer only"}},
					Doc: "The layers whose gradients are compared (appendices E.2 and F.7)."},
				param.Field{Name: "trunk", Label: "Layers before the last", Section: param.Models, Kind: param.Choice,
					Default: "own", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "own", Title: "each model's own"},
						{Name: "common", Title: "common to all models"}},
					Doc: "Clusters can share the layers before the last one, or an autoencoder's encoder (appendices E.2, F.6 and F.7)."},
				param.Field{Name: "stop", Label: "Stopping rule", Section: param.Models, Kind: param.Switch,
					Default: "0",
					PerLane: true, Advanced: true,
					Doc: "Stop clustering after T/10 rounds in which no client changed its cluster. It saves traffic and can make a mistake permanent."},
				param.Field{Name: "tcl", Label: "Last clustering round", Section: param.Models, Kind: param.Int,
					Min: 0,
					Max: 5000, High: 200, Default: "0", PerLane: true, Advanced: true,
					Doc: "The round in which the server stops clustering; 0 means never. The released code has 10."},
				param.Field{Name: "fall", Label: "Rate after that round", Section: param.Models, Kind: param.Choice,
					Default: "constant", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "constant", Title: "constant"},
						{Name: "1/t", Title: "falls as 1/t"}},
					Doc: "Proposition 1 divides the learning rate by 1, 2, 3 and so on from the last clustering round on; with 0 there, from the start. Its learning rate is 1/μ, μ the least curvature of the risk, which diverges before that round where models are not kept in bounds."},
				param.Field{Name: "meet", Label: "Newcomers", Section: param.Models, Kind: param.Choice,
					Default: "turn", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "turn", Title: "receive the models in turn"},
						{Name: "once", Title: "try all models at once"}},
					Doc: "A client that joins after the first clustering can send gradients of all models at once and get the model of the nearest mean features. After clustering has stopped all newcomers do. The paper does not cover newcomers."},
				grouping.FieldParts,
				param.Field{Name: "unit", Label: "One length for all", Section: param.Models, Kind: param.Switch,
					Default: "0", PerLane: true, Advanced: true,
					Doc: "Scale each client's averaged gradients to one length before the server compares them, so that a few long ones do not decide the directions. The paper compares them as they are."},
				fieldFindK,
				param.Field{Name: "as", Label: "Rounds as in", Section: param.Models, Kind: param.Choice,
					Default: "paper", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "paper", Title: "the paper"},
						{Name: "released", Title: "the released code"}},
					Doc: "The released code compares gradients of each client's own model, clusters before the update and keeps one block per client. Its clusters are less accurate than those of the paper's algorithm."},
				method.FieldStart,
			),
			Steps:  steps,
			Phases: phases,
			Symbols: []registry.Symbol{
				{Sign: "g", Name: "memory of a client’s gradients of one model", Shape: "one number per compared parameter, no unit", Seen: "map"},
			},
			Stochastic: true,
		},
		Make: newPlan,
	})
}

func newPlan(v param.Values, clients int) fl.Plan {
	c := clustering{newest: v.Text("beta") == "1", unit: v.Switch("unit"), parts: grouping.NewParts(v),
		compared: compared{head: v.Text("layer") == "head", compression: v.Int("cr")}}
	m := models{counting: method.Counts(v, method.ByClients, method.OneClient), sameStart: v.Text("start") == "same",
		sum:   v.Text("fold") == "sum" && v.Text("avg") != "model",
		falls: v.Text("fall") == "1/t", last: v.Int("tcl")}
	if v.Text("trunk") == "common" {
		m.trunk = new(trunk)
	}
	n, stop, period := newcomers{atOnce: v.Text("meet") == "once"}, stopRule{end: v.Int("tcl")}, v.Int("P")
	if v.Switch("stop") {
		stop.patience = max(v.Int("T")/10, period)
	}
	k, search := v.Int("K"), (*kSearch)(nil)
	if by := v.Text("findk"); by != "given" {
		k = min(v.Int("most"), clients)
		search = &kSearch{criterion: by, warm: v.Int("solo"), maxK: k}
	}
	plan := fl.Plan{Models: k, Evidence: fl.GradientFeatures, UpdatesKept: k, Compression: c.compared.compression,
		SharesTrunk: m.trunk != nil}
	if v.Text("as") == "released" {
		plan.Algorithm = &released{period: period, search: search != nil, clustering: c, models: m, newcomers: n,
			stop: stop}
	} else {
		plan.Algorithm = &paper{period: period, search: search, clustering: c, models: m, newcomers: n, stop: stop}
		plan.Streams = true
	}
	return plan
}
