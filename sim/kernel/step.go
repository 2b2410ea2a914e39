package kernel

import "math"

// Descend adds −rate·sum/divisor to params: a server's step along the mean of what Accumulate has
// summed. It computes in float64 and rounds once.
func Descend(params []float32, sum []float64, rate, divisor float64) {
	must(len(sum), len(params))
	active.descend(params, sum, rate, divisor)
}

// Sgd adds −rate·grad to params.
func Sgd(params, grad []float32, rate float32) {
	must(len(grad), len(params))
	active.axpy(params, -rate, grad)
}

// Momentum is gradient descent with momentum as in PyTorch:
//
//	velocity = mu·velocity + grad
//	params   = params − rate·velocity
func Momentum(params, velocity, grad []float32, rate, mu float32) {
	must(len(velocity), len(params))
	must(len(grad), len(params))
	active.momentum(params, velocity, grad, rate, mu)
}

// Adam is one step of Adam (Kingma and Ba, ICLR 2015) as in PyTorch:
//
//	m = beta1·m + (1−beta1)·grad
//	v = beta2·v + (1−beta2)·grad²
//	params = params − (rate/correction1) · m / (√v/√correction2 + eps)
//
// The corrections of step t = 1, 2, … are 1−beta1ᵗ and 1−beta2ᵗ. Values that depend only on them
// and on the settings are computed in float64 and rounded once: 1−beta2 of a float32 beta2 would be
// wrong in the fifth digit.
func Adam(params, m, v, grad []float32, rate, beta1, beta2, eps, correction1, correction2 float64) {
	must(len(m), len(params))
	must(len(v), len(params))
	must(len(grad), len(params))
	active.adam(params, m, v, grad, adamStep{
		beta1: float32(beta1), rest1: float32(1 - beta1),
		beta2: float32(beta2), rest2: float32(1 - beta2),
		rate: float32(rate / correction1), root: float32(math.Sqrt(correction2)), eps: float32(eps),
	})
}

// adamStep has the factors and divisors of one step of Adam.
type adamStep struct{ beta1, rest1, beta2, rest2, rate, root, eps float32 }

// sqrt is the correctly rounded square root: float64 has more than twice the digits, so rounding
// twice is exact.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
