package model

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// Registry lists every network.
var Registry registry.Registry[Spec]

// Spec is what the registry knows beyond the common meta data.
type Spec struct {
	Task Task
	Make Maker
	// Defaults overrides defaults of settings that train such a network badly.
	Defaults map[string]string
}

// Maker builds a network for samples of a shape from checked settings. classes is the number of
// classes, which only classifiers use.
type Maker func(v param.Values, shape Shape, classes int) (*Network, error)
