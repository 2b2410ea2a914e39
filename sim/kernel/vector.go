package kernel

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

// Accumulate adds w·x to sum in float64: one client's part of a server's mean.
func Accumulate(sum []float64, w float64, x []float32) {
	must(len(x), len(sum))
	active.accumulate(sum, w, x)
}

// Trunc keeps a number of decimal digits after the point, trunc(x·10ⁿ)/10ⁿ, as
// the decimal quantisation of CFL-GP, appendix E.1. Product and quotient are
// rounded to float32, in which powers of ten are exact for 0 to 10 digits.
func Trunc(x []float32, digits int) {
	if digits < 0 || digits > 10 {
		panic("kernel: Trunc keeps 0 to 10 digits")
	}
	power := float32(1)
	for range digits {
		power *= 10
	}
	active.trunc(x, power)
}
