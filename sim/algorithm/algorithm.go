// Package algorithm holds the methods under study, one file each. A file
// registers its method with a sentence, the paper it follows and the settings
// it reads; the menu, the command line, the docs and the test over all methods
// pick it up from there.
package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// Registry lists every algorithm.
var Registry registry.Registry[fl.Maker]

// Shared are the settings that most algorithms read.
var Shared = []param.Field{fieldK, fieldRate}

var (
	fieldK = param.Field{Name: "K", Label: "Models K", Section: param.Models, Kind: param.Int, Min: 1, Max: 64, High: 8, Low: 1, Default: "3", PerLane: true,
		Doc: "How many models the server keeps. You may guess wrong."}
	fieldRate = param.Field{Name: "lr", Label: "Learning rate", Section: param.Models, Kind: param.Float, Min: 1e-6, Max: 10, Low: 0.01, High: 1, Step: 0.01, Log: true, Default: "0.1", PerLane: true,
		Doc: "How far a model moves along the mean gradient in one round."}
	// FieldProbe belongs to every run: each lane's models are evaluated on
	// the probe sample for the page, whether or not the algorithm asks.
	FieldProbe = param.Field{Name: "probe", Label: "Probe size", Section: param.Data, Kind: param.Int, Min: 2, Max: 100000, Low: 2, High: 1000, Log: true, Default: "10", PerLane: true,
		Doc: "Samples used to decide who belongs together. CLoVE's paper uses all of a client's samples."}
)
