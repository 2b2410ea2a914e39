package numeric

import (
	"math"

	"flockscope/sim/kernel"
)

// Numbers that are not finite come from models, or from data of very different sizes,
// at which a float32 overflows. An update that has some makes the model that it is
// added to so, and the lane stops there as diverged, with the labels of the round
// before. What clients are merely compared by, losses, gradients of a common model and
// first pulls, moves no model: of a client that reports such numbers it is left out, so
// that the others are clustered as if this one had not answered, and it keeps its model.

// IsFinite reports whether all numbers are. The sum of their squares cannot overflow by
// itself.
func IsFinite(numbers []float32) bool { return kernel.Dot(numbers, numbers) < math.Inf(1) }

// AreFinite is isFinite for losses, of which a float32 must hold each.
func AreFinite(numbers []float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return false
		}
	}
	return true
}
