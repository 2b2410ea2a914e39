// Package method holds what methods have in common: their registry, the settings of how clients train, what a client counts
// in a mean, and helpers for the client's side.
//
// Files:
//
//	method.go    the registry, common settings, the protocol of a lane
//	counting.go  what a client counts in the mean of a model
//	start.go     models that start as copies
//	head.go      gradients of heads on features that are computed once
//	phases.go    texts of the phases of a round that several methods share
//	client.go    samples, classes and scratch memory of a client
package method

import (
	"slices"

	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// Training returns the settings of a method that averages: its own, those of local training, and the weights in means.
// The first of its own comes first, the others between the common ones.
func Training(own ...param.Field) []param.Field {
	fields := TrainingWithoutMean(own...)
	return slices.Insert(fields, len(fields)-1, fieldMean)
}

// TrainingWithoutMean is Training for a method that averages nothing.
func TrainingWithoutMean(own ...param.Field) []param.Field {
	var out []param.Field
	if len(own) > 0 {
		out = append(out, own[0])
	}
	out = append(out, fieldRate, fieldAverage, fieldDigits, fieldQuantization)
	if len(own) > 1 {
		out = append(out, own[1:]...)
	}
	return append(out, fieldPrivate)
}

// LocalTraining returns the settings of Training that a method needs whose clients send nothing.
func LocalTraining() []param.Field { return []param.Field{fieldRate, fieldAverage} }

// Without returns fields, and those of their options, without those with some names: settings that a method does not
// read. Clients that train several models per round, or by a rule of their own, restart the optimiser for each, so it
// has no state to keep; clients that send no update do not clip it.
func Without(fields []param.Field, names ...string) []param.Field {
	var out []param.Field
	for _, f := range fields {
		if slices.Contains(names, f.Name) {
			continue
		}
		f.Options = slices.Clone(f.Options)
		for i := range f.Options {
			f.Options[i].Fields = Without(f.Options[i].Fields, names...)
		}
		out = append(out, f)
	}
	return out
}

// AllSamples is for methods that decide by losses: with model averaging their clients evaluate models on all training
// samples by default, as they train on them anyway. So do the papers of IFCA and CLoVE.
func AllSamples(fields []param.Field) []param.Field {
	for i := range fields {
		if f := &fields[i]; f.Name == fieldAverage.Name {
			f.Options = slices.Clone(f.Options)
			f.Options[1].Defaults = map[string]string{FieldProbe.Name: "0"}
		}
	}
	return fields
}

// ProtocolOf reads the training protocol of a lane's clients.
func ProtocolOf(v param.Values) fl.Protocol {
	p := fl.Protocol{Rate: v.Float("lr"), Mean: ruleOf(v), Digits: v.Int("nd"), Truncate: v.Text("quant") == "trunc"}
	if v.Text("private") == "noise" {
		p.Clip, p.Noise, p.Least = v.Float("clip"), v.Float("gauss"), v.Int("rr")
	}
	if v.Text("avg") == "model" {
		p.Epochs, p.Optimiser, p.Keep = v.Int("tau"), v.Text("opt"), v.Text("keep") == "kept"
	}
	return p
}

// Registry lists every method. It refuses a method without the settings of training: links and sweeps that set them
// would drop them for it, and its clients would train in another way than those of the methods beside it.
var Registry = registry.Registry[fl.Maker]{Prepare: func(m *registry.Meta) {
	for _, name := range []string{fieldRate.Name, fieldAverage.Name} {
		if !slices.ContainsFunc(m.Fields, func(f param.Field) bool { return f.Name == name }) {
			panic("method: " + m.Name + " has no setting " + name + ", so no query could say how its clients train; " +
				"write Fields: method.Training(its own settings), or LocalTraining() if clients send nothing")
		}
	}
	if m.Family != registry.HardClusters { // methods without clusters have no least number of updates
		m.Fields = Without(m.Fields, fieldLeast.Name)
	}
}}

// Shared are the settings that most algorithms read.
var Shared = TrainingWithoutMean(FieldK)

var (
	FieldK = param.Field{Name: "K", Label: "Models K", Section: param.Models, Kind: param.Int, Min: 1, Max: 64, High: 8,
		Low: 1, Default: "3", PerLane: true,
		Doc: "How many models the server keeps. It need not be the true number of groups."}
	fieldRate = param.Field{Name: "lr", Label: "Learning rate", Section: param.Models, Kind: param.Float, Min: 1e-6,
		Max: 10, Low: 0.01, High: 1, Step: 0.01, Log: true, Default: "0.1",
		Tune:    &param.Space{Low: 0.01, High: 1, Log: true, Source: "HCFL, appendix: 0.03 to 1; McMahan and others, AISTATS 2017: a logarithmic grid"},
		PerLane: true,
		Doc:     "How far a model moves along the mean gradient in one round."}
	fieldAverage = param.Field{Name: "avg", Label: "Clients send", Section: param.Models, Kind: param.Choice,
		Default: "gradient", PerLane: true, Advanced: true,
		Options: []param.Option{
			{Name: "gradient", Title: "a gradient", Doc: "One gradient of a minibatch per round; the server takes the step."},
			{Name: "model", Title: "a trained model", Doc: "Clients train locally for some epochs; the server averages their models.", Fields: []param.Field{
				{Name: "tau", Label: "Local epochs τ", Section: param.Models, Kind: param.Int, Min: 1, Max: 100, High: 10, Low: 1, Default: "1", PerLane: true, Advanced: true,
					Doc: "Passes over its samples that a client makes before it replies; where clients draw fresh samples, minibatches."},
				{Name: "opt", Label: "Local optimiser", Section: param.Models, Kind: param.Choice, Default: "sgd", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "sgd", Title: "SGD"},
						{Name: "momentum", Title: "SGD with momentum 0.9", Fields: []param.Field{fieldKeep}},
						{Name: "adam", Title: "Adam", Fields: []param.Field{fieldKeep}}},
					Doc: "The optimiser of the clients' local training."},
			}}},
		Doc: "Gradient averaging, or model averaging as in FedAvg."}
	fieldKeep = param.Field{Name: "keep", Label: "Optimiser state", Section: param.Models, Kind: param.Choice,
		Default: "fresh", PerLane: true, Advanced: true,
		Options: []param.Option{{Name: "fresh", Title: "fresh every round"},
			{Name: "kept", Title: "kept on the client"}},
		Doc: "CLoVE and PACFL start the optimiser anew in every round; CFL-GP and Sattler's CFL keep its moments although the model was replaced. Methods whose clients train several models or by a rule of their own start anew, and do not have this setting."}
	fieldPrivate = param.Field{Name: "private", Label: "Privacy", Section: param.Models, Kind: param.Choice,
		Default: "plain", PerLane: true, Advanced: true,
		Options: []param.Option{
			{Name: "plain", Title: "none"},
			{Name: "noise", Title: "clipped, with noise", Fields: []param.Field{
				{Name: "clip", Label: "Clipping norm", Section: param.Models, Kind: param.Float, Min: 1e-6, Max: 1e6, Low: 0.01, High: 100, Log: true, Default: "1", PerLane: true, Advanced: true,
					Doc: "Larger updates are scaled down to this norm."},
				{Name: "gauss", Label: "Noise multiplier", Section: param.Models, Kind: param.Float, Min: 0, Max: 1000, High: 5, Step: 0.1, Default: "1", PerLane: true, Advanced: true,
					Doc: "Standard deviation of the normal noise on each number of an update, in clipping norms."},
				fieldLeast,
			}}},
		Doc: "Updates are clipped and noised; losses, prototypes and directions are sent as they are."}
	fieldLeast = param.Field{Name: "rr", Label: "Minimum updates per cluster", Section: param.Models, Kind: param.Int,
		Min: 0, Max: 1000, High: 20, Default: "0", PerLane: true, Advanced: true,
		Doc: "RR-Cluster: smaller clusters are filled with updates of random clients of larger ones, so that the noise averages out. Large values mix the clusters. 0 means none."}
	fieldDigits = param.Field{Name: "nd", Label: "Decimals sent", Section: param.Models, Kind: param.Int, Min: -1,
		Max: 8, Default: "-1", PerLane: true, Advanced: true,
		Doc: "Decimals of everything that a client sends; -1 sends all. With 0 most gradients become zero (CFL-GP, Table 7)."}
	fieldQuantization = param.Field{Name: "quant", Label: "Rounding", Section: param.Models, Kind: param.Choice,
		Default: "round", PerLane: true, Advanced: true,
		Options: []param.Option{
			{Name: "round", Title: "to the nearest", Doc: "To the nearest number; ties go to the even last digit."},
			{Name: "trunc", Title: "truncated"}},
		Doc: "How decimals that are not sent are dropped. The accuracies of CFL-GP, Table 7, are those of rounding."}
	// FieldProbe belongs to every run: each lane's models are evaluated on the probe sample for the page, whether or not
	// the method asks for it.
	FieldProbe = param.Field{Name: "probe", Label: "Probe size", Section: param.Data, Kind: param.Int, Min: 0,
		Max: 100000, Low: 2, High: 1000, Log: true, Default: "10", PerLane: true,
		Doc: "Samples of a client on which models are compared. IFCA and CLoVE decide by them which clients belong together. 0 means all training samples, the default of these two where clients send trained models, as in their papers."}
)

// FieldMost limits the number of models of methods that determine it.
var FieldMost = param.Field{Name: "most", Label: "Maximum number of models", Section: param.Models, Kind: param.Int, Min: 1,
	Max: 256, High: 24, Low: 1, Default: "15", PerLane: true, Advanced: true,
	Doc: "The server keeps this many models, at most one per client, and uses some of them."}
