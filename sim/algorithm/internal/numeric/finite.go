package numeric

import (
	"math"

	"flockscope/sim/kernel"
)

// Numbers that are not finite come from diverged models, or from data so large that a float32 overflows. An update with
// such numbers makes its model diverge, and the lane stops with the labels of the round before. Numbers that only serve
// to compare clients (losses, gradients of a common model, updates of the first model) move no model: a client that
// reports such numbers is ignored, so that the others are clustered as if it had not replied, and it keeps its model.

// IsFinite reports whether all numbers are finite. The sum of squares of finite float32 numbers does not overflow.
func IsFinite(numbers []float32) bool { return kernel.Dot(numbers, numbers) < math.Inf(1) }

// AreFinite is IsFinite for losses; each must also fit into a float32.
func AreFinite(numbers []float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return false
		}
	}
	return true
}
