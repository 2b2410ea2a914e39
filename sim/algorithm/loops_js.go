package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/kernel"
)

// k-means runs in the kernel, at native speed.
func init() {
	if kernel.Available() {
		clusterer.Use(kernel.KMeans)
	}
}
