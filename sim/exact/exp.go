package exact

import "math"

// Exp returns eˣ, within 1 unit in the last place where the result is a normal
// number. Below about −745.13 it is 0, as in the limit; it panics above 709.78,
// where no float64 is large enough, and if x is not a number.
//
// With x = k·ln 2 + r and |r| ≤ ½ ln 2, eˣ = 2ᵏ·eʳ, and the Taylor series of eʳ
// converges fast.
func Exp(x float64) float64 {
	const (
		largest  = 709.782712893383973096     // log of the largest float64
		smallest = -745.133219101941108420    // below this the nearest float64 is 0
		ln2High  = 6.93147180369123816490e-01 // upper 33 bits of ln 2, so that k·ln2High is exact
		ln2Low   = 1.90821492927058770002e-10 // ln 2 − ln2High
	)
	if !(x <= largest) {
		panic("exact: Exp needs at most 709.78")
	}
	if x < smallest {
		return 0
	}
	k := math.Round(x / math.Ln2)
	// high + low is r to more digits than a float64 has.
	high := x - float64(k*ln2High)
	low := -float64(k * ln2Low)
	r := high + low
	low += high - r
	// eʳ = 1 + r + r²(1/2! + r/3! + … + r¹²/14!); the next term, r¹⁵/15!,
	// is below 1e-19.
	sum := 0.0
	for n := len(factorials) - 1; n >= 0; n-- {
		sum = float64(sum*r) + factorials[n]
	}
	tail := float64(float64(r*r)*sum) + low
	// Ldexp only moves bits, and rounds once where the result is subnormal.
	return math.Ldexp(1+(r+tail), int(k))
}

// factorials are 1/2!, 1/3!, … 1/14!.
var factorials = [13]float64{
	1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
	1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200,
}
