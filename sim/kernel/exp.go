package kernel

import "math"

// Exp returns eˣ, within 1.1 units in the last place; 0 below −104, +Inf above 89.
//
// With n = x/ln 2 rounded to an integer and r = x − n·ln 2, |r| < 0.347, it is
// 2ⁿ·eʳ, and the Taylor polynomial of degree 7 is off by less than 6·10⁻⁹.
func Exp(x float32) float32 {
	// The comparisons let a NaN through.
	if x < expLow {
		x = expLow
	}
	if x > expHigh {
		x = expHigh
	}
	// Adding 1.5·2²³ leaves no bits for a fraction, which rounds to an integer
	// and also puts it into the low bits of the sum.
	shifted := float32(x*log2E) + expShift
	n := shifted - expShift
	r := x - float32(n*ln2High)
	r -= float32(n * ln2Low)
	p := float32(float32(1./5040)*r) + float32(1./720)
	p = float32(p*r) + float32(1./120)
	p = float32(p*r) + float32(1./24)
	p = float32(p*r) + float32(1./6)
	p = float32(p*r) + 0.5
	p = float32(float32(p*r)*r) + r
	p++
	// 2ⁿ as two factors, both normal numbers even if the result is subnormal or infinite.
	k := int32(math.Float32bits(shifted)<<9) >> 9 // n, from the low 23 bits
	half := k >> 1
	p *= math.Float32frombits(uint32(half+127) << 23)
	return p * math.Float32frombits(uint32(k-half+127)<<23)
}

const (
	expLow, expHigh = -104, 89
	expShift        = 0x1.8p23
	log2E           = 1.44269504088896340736
	ln2High         = 0.693359375 // ten bits, so that n·ln2High is exact
	ln2Low          = -2.12194440054690583e-4
)

// Log returns the natural logarithm, within 1 unit in the last place; −Inf for
// 0 and NaN below.
//
// With x = 2ᵉ·(1+f) and 1+f in [√½, √2), s = f/(2+f) and z = s²,
//
//	ln(1+f) = f − (h − s·(h + R))    h = f²/2, R = z·(2/3 + z·(2/5 + …))
//
// as in Sun's fdlibm, with the Taylor series for R.
func Log(x float32) float32 {
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case !(x > 0 && x <= math.MaxFloat32): // +Inf stays, NaN stays
		if x < 0 {
			return float32(math.NaN())
		}
		return x
	}
	e := float32(0)
	if x < 0x1p-126 {
		x *= 0x1p23
		e = -23
	}
	// Subtracting the bits of √½ makes the exponent field count from there.
	const rootHalf = 0x3f3504f3
	bits := math.Float32bits(x) - rootHalf
	e += float32(int32(bits) >> 23)
	f := math.Float32frombits(bits&(1<<23-1)+rootHalf) - 1
	s := f / (2 + f)
	z := float32(s * s)
	p := float32(float32(2./9)*z) + float32(2./7)
	p = float32(p*z) + float32(2./5)
	p = float32(p*z) + float32(2./3)
	p = float32(p * z)
	h := float32(float32(0.5*f) * f)
	low := float32(s*(h+p)) + float32(e*ln2Low)
	return float32(e*ln2High) - ((h - low) - f)
}
