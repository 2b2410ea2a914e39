// Package algorithm holds the methods under study. Each registers itself with a sentence, the paper
// it follows and the settings it reads; the menu, the command line, the docs and the tests over all
// methods pick it up from there.
//
// Files:
//
//	NAME.go           a method: its server, and its device where clients have a part of their own
//	NAME_settings.go  its registration, where that is long: settings, and the steps of a round
//	cflgp.go          CFL-GP, which reads like the paper's Algorithms 1 to 3;
//	                  cflgp_released.go is the authors' program, other cflgp_ files are its options
//	clove.go          CLoVE; settling.go is its early stop
//	sketch.go         the samples' directions that PACFL and k-FED compare
//	prototype.go      means of features by class, for FedProto and FedPAC
//	combine.go        FedPAC's quadratic programme
//	proximal.go       training that is pulled towards a model, for FedSoft and StoCFL
//	steps.go          the steps of methods that have no words of their own
//
// HCFL and the soft methods that it generalises are package hcfl. What several methods share is in
// packages below internal: method (registry and common settings), numeric (small functions of
// numbers), grouping (groups of clients) and algotest (a server with hand-made clients, for tests).
package algorithm

import (
	_ "flockscope/sim/algorithm/hcfl" // registers its methods
	"flockscope/sim/algorithm/internal/method"
)

// Registry lists every algorithm.
var Registry = &method.Registry

// Shared are the settings that most algorithms read.
var Shared = method.Shared

// FieldProbe belongs to every run: each lane's models are evaluated on the probe sample for the
// page, whether or not the algorithm asks for it.
var FieldProbe = method.FieldProbe

// ProtocolOf reads how the clients of a lane train.
var ProtocolOf = method.ProtocolOf
