package kernel

import "flockscope/clusterer"

// KMeans has the module's loops of k-means.
var KMeans = clusterer.Loops{
	Seed: func(centroids, points *clusterer.Matrix, draws, nearest, trial, chosen []float64, candidates, first int) {
		wasmSeed(at(centroids.Data), at(points.Data), at(draws), at(nearest), at(trial), at(chosen),
			int32(points.Rows), int32(points.Cols), int32(centroids.Rows), int32(candidates), int32(first))
	},
	Lloyd: func(centroids, points *clusterer.Matrix, labels []int, distance, shift []float64, count []int, limit int,
		stop float64) int {
		return int(wasmLloyd(at(centroids.Data), at(points.Data), at(labels), at(distance), at(shift), at(count),
			int32(points.Rows), int32(points.Cols), int32(centroids.Rows), int32(limit), stop))
	},
}
