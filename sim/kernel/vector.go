package kernel

import "math"

// Axpy adds a·x to y.
func Axpy(y []float32, a float32, x []float32) {
	must(len(x), len(y))
	active.axpy(y, a, x)
}

// Scale multiplies y by a.
func Scale(y []float32, a float32) { active.scale(y, a) }

// Lerp sets y to (1−a)·y + a·x, where 1−a, both products and the sum are each
// rounded to float32.
func Lerp(y []float32, a float32, x []float32) {
	must(len(x), len(y))
	active.lerp(y, a, x)
}

// Accumulate adds w·x to sum in float64: one client's term of a server's mean.
func Accumulate(sum []float64, w float64, x []float32) {
	must(len(x), len(sum))
	active.accumulate(sum, w, x)
}

// Trunc truncates to a number of decimal digits after the point, trunc(x·10ⁿ)/10ⁿ. Product and
// quotient are rounded to float32, in which powers of ten are exact for 0 to 10 digits.
func Trunc(x []float32, digits int) { active.trunc(x, powerOfTen(digits)) }

// Round rounds to a number of decimal digits after the point, rint(x·10ⁿ)/10ⁿ, in float32 as
// [Trunc]: to the nearest, ties to an even last digit, as NumPy's round. The loop is the same in
// all sets: its time is negligible beside that of the gradients.
func Round(x []float32, digits int) {
	power := powerOfTen(digits)
	for i, v := range x {
		x[i] = float32(math.RoundToEven(float64(v*power))) / power
	}
}

// powerOfTen returns 10ⁿ for 0 to 10 digits.
func powerOfTen(digits int) float32 {
	if digits < 0 || digits > 10 {
		panic("kernel: Trunc and Round keep 0 to 10 digits")
	}
	power := float32(1)
	for range digits {
		power *= 10
	}
	return power
}
