package clusterer

import "math"

// The functions below take the place of math's, whose last bits are the
// platform's own. Here every product that feeds a sum is rounded first.

// ln returns the natural logarithm of x > 0, within 2 units in the last place.
// With x = m·2ᵉ and m in [√½, √2), ln x = e·ln 2 + 2·artanh((m−1)/(m+1)).
func ln(x float64) float64 {
	const (
		high = 6.93147180369123816490e-01 // the upper 33 bits of ln 2: e·high is exact
		low  = 1.90821492927058770002e-10 // the remaining digits of ln 2
	)
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	sum := 0.0 // artanh(s)/s − 1 = z/3 + z²/5 + …, with z < 0.03
	for k := 23; k >= 3; k -= 2 {
		sum = float64((sum + 1/float64(k)) * z)
	}
	n := float64(e)
	return float64(n*high) + (2*s + (float64(n*low) + 2*float64(s*sum)))
}

// arctan holds the arc tangents of 0, ⅛, … 1.
var arctan = [...]float64{0, 0.12435499454676143503, 0.24497866312686415417, 0.35877067027057222039,
	0.46364760900080611621, 0.55859931534356243597, 0.64350110879328438680, 0.71882999962162450541, math.Pi / 4}

// angle returns the angle of a right triangle, in [0, π/2], whose opposite and
// adjacent sides are y and x ≥ 0, within 2 units in the last place however small
// it is. Of two sides of 0 it is 0.
//
// The arc tangent of r = y/x is that of the nearest eighth c plus that of
// t = (r−c)/(1+rc), which its series gives: |t| ≤ 1/16.
func angle(y, x float64) float64 {
	switch {
	case y == 0:
		return 0
	case y > x:
		return math.Pi/2 - angle(x, y)
	}
	r := y / x
	if !(r <= 1) { // x or y is not finite
		return math.NaN()
	}
	k := int(float64(8*r) + 0.5)
	c := float64(float64(k) / 8)
	t := (r - c) / (1 + float64(r*c))
	z := float64(t * t)
	sum := 0.0 // 1 − arctan(t)/t = z/3 − z²/5 + …
	for i := 13; i >= 3; i -= 2 {
		sum = float64((1/float64(i) - sum) * z)
	}
	return arctan[k] + (t - float64(t*sum))
}
