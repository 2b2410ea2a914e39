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
	// AnyTask says that the samples and settings decide on the task.
	AnyTask bool
	// Text describes the layers before the last one, see [Parse]. It is nil for a network that no text describes.
	Text func(v param.Values) string
	// Defaults overrides defaults of settings that train such a network badly.
	Defaults map[string]string
}

// Maker builds a network for samples from checked settings.
type Maker func(v param.Values, in Samples) (*Network, error)

// fixed is the text of a network without settings.
func fixed(text string) func(param.Values) string {
	return func(param.Values) string { return text }
}
