package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/kernel"
)

// Servers cluster at the speed of the machine.
func init() {
	if kernel.Available() {
		clusterer.Use(kernel.KMeans)
	}
}
