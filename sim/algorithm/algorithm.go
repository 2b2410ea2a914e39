// Package algorithm holds the methods under study. Each registers itself with a sentence, the paper
// it follows and the settings it reads; the menu, the command line, the docs and the tests over all
// methods pick it up from there.
//
// A method is one file, or a package whose algorithm is in one file. Files:
//
//	NAME.go           a method: its registration, its rounds on the server and, where clients have a part of their
//	                  own, its device
//	NAME_settings.go  its registration, where it has many settings
//	NAME_steps.go     what happens in a round, in words and formulas, where that is long (see registry.Step)
//	clove_stop.go     CLoVE's early stop
//	sketch.go         the samples' directions that PACFL and k-FED compare
//	prototype.go      means of features by class, for FedProto and FedPAC
//	combine.go        FedPAC's quadratic programme
//	proximal.go       training with a proximal term, for FedSoft and StoCFL
//	steps.go          steps for methods without such steps of their own
//	phases.go         texts of phases for methods without such texts of their own; a method has its own beside its steps
//
// Packages below are methods of many files: cflgp is CFL-GP, hcfl is HCFL and the soft methods that it generalises. What
// several methods share is in packages below internal: method (registry and common settings), numeric (small functions of
// numbers), grouping (groups of clients) and algotest (an algorithm with hand-made clients, for tests).
package algorithm

import (
	_ "flockscope/sim/algorithm/cflgp" // registers its methods, as hcfl does
	_ "flockscope/sim/algorithm/hcfl"
	"flockscope/sim/algorithm/internal/method"
)

// Registry lists every algorithm.
var Registry = &method.Registry

// Shared are the settings that most algorithms read.
var Shared = method.Shared

// Training returns the settings of a method: its own, and those of training, which every method has.
var Training = method.Training

// FieldProbe belongs to every run: each lane's models are evaluated on the probe sample for the
// page, whether or not the algorithm asks for it.
var FieldProbe = method.FieldProbe

// ProtocolOf reads how the clients of a lane train.
var ProtocolOf = method.ProtocolOf
