package algorithm

import (
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// directionReporter is the client of FlexCFL: it takes steps from a start model, which comes
// along, and answers with how far it came.
type directionReporter struct{ steps int }

// Do goes through the client's samples in their order, over and over, in minibatches
// as large as those of training.
func (d directionReporter) Do(dst []float32, _ int, start []float32, at fl.ClientContext) []float32 {
	held, size := at.Held(), at.Minibatch().N
	params, gradient := at.Scratch(0, len(start)), at.Scratch(1, len(start))
	copy(params, start)
	for from, step := 0, 0; step < d.steps && held > 0; step++ {
		to := min(from+size, held)
		at.Model().Gradient(gradient, params, at.Samples(from, to))
		kernel.Axpy(params, float32(-at.Protocol().Rate), gradient)
		if from = to; from == held {
			from = 0
		}
	}
	dst = append(dst, start...)
	kernel.Axpy(dst[len(dst)-len(start):], -1, params)
	return dst
}

// opScout asks a device how far it comes from the start model.
const opScout = 1
