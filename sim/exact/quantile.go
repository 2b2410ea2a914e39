package exact

import "math"

// NormalQuantile returns the z with Φ(z) = p for p in (0, 1), to about 16
// digits: algorithm AS 241 (PPND16), M. J. Wichura, Applied Statistics 37
// (1988), 477-484. One uniform number makes one normal number, without
// rejection, so every sample costs the same and streams stay in step.
func NormalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q * poly(r, &centralTop) / poly(r, &centralBottom))
	}
	r := min(p, 1-p)
	if !(r > 0) {
		panic("exact: NormalQuantile needs 0 < p < 1")
	}
	r = math.Sqrt(-Log(r))
	var z float64
	if r <= 5 {
		z = poly(r-1.6, &middleTop) / poly(r-1.6, &middleBottom)
	} else {
		z = poly(r-5, &tailTop) / poly(r-5, &tailBottom)
	}
	if q < 0 {
		return -z
	}
	return z
}

// poly evaluates c[0] + c[1]x + … + c[7]x⁷ by Horner's rule, written out since
// every sample of a run passes through here.
func poly(x float64, c *[8]float64) float64 {
	sum := float64(c[7]*x) + c[6]
	sum = float64(sum*x) + c[5]
	sum = float64(sum*x) + c[4]
	sum = float64(sum*x) + c[3]
	sum = float64(sum*x) + c[2]
	sum = float64(sum*x) + c[1]
	return float64(sum*x) + c[0]
}

// The coefficients of AS 241: top and bottom of three rational functions.
var (
	centralTop = [8]float64{
		3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
		4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
	}
	centralBottom = [8]float64{
		1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
		2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
	}
	middleTop = [8]float64{
		1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	middleBottom = [8]float64{
		1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	tailTop = [8]float64{
		6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	tailBottom = [8]float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)
