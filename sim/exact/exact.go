// Package exact holds the few mathematical functions that a run needs, written
// so that they give the same bits on every machine.
//
// Go's math package uses assembly and fused multiply-add where a processor has
// them, so that math.Exp and its relatives differ in their last bits between a
// laptop and a browser. Here every product that feeds a sum is rounded on its
// own, by an explicit conversion, which the language guarantees to prevent
// fusing. Addition, subtraction, multiplication, division and square root are
// exactly rounded everywhere, and nothing else is used.
package exact

import "math"

// Log returns the natural logarithm of x > 0, within 2 units in the last place.
//
// With x = m·2ᵉ and m in [√½, √2), log x = e·ln 2 + 2·atanh(s) for
// s = (m−1)/(m+1), |s| < 0.172, and the atanh series converges fast.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		panic("exact: Log needs a positive finite number")
	}
	m, e := math.Frexp(x) // m in [½, 1), only moves bits
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	// atanh(s)/s = 1 + z/3 + z²/5 + …; z < 0.0295, so the term z¹²/25 is
	// the first that cannot move the last bit.
	sum := 0.0
	for k := 23; k >= 3; k -= 2 {
		sum = float64((sum + 1/float64(k)) * z)
	}
	const (
		ln2High = 6.93147180369123816490e-01 // upper 33 bits of ln 2, so that e·ln2High is exact
		ln2Low  = 1.90821492927058770002e-10 // ln 2 − ln2High
	)
	k := float64(e)
	low := float64(k*ln2Low) + float64(2*float64(s*sum))
	return float64(k*ln2High) + (float64(2*s) + low)
}

// SinCosDegrees returns sine and cosine of an angle of at most 180 degrees in
// size, within 2 units in the last place.
func SinCosDegrees(degrees float64) (sin, cos float64) {
	if !(math.Abs(degrees) <= 180) {
		panic("exact: SinCosDegrees takes −180 to 180 degrees")
	}
	// Reduce to |r| ≤ 45° around a multiple of 90°; exact in floating point.
	quarter := math.Round(degrees / 90)
	r := degrees - float64(quarter*90)
	x := float64(r * (math.Pi / 180))
	z := float64(x * x)
	// Taylor polynomials; x¹⁹/19! and x²⁰/20! are below 1e-19 at 45°.
	s, c := 0.0, 0.0
	for k := 17; k >= 3; k -= 2 {
		s = float64((s + 1) * (-z / float64(k*(k-1))))
	}
	for k := 18; k >= 2; k -= 2 {
		c = float64((c + 1) * (-z / float64(k*(k-1))))
	}
	s, c = x+float64(x*s), 1+c
	switch int(quarter) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	default:
		return -c, s
	}
}
