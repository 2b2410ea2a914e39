package model

import (
	"slices"

	"flockscope/sim/kernel"
)

// Optimiser turns gradients into steps, in PyTorch's form. Its state is allocated at the first step
// and kept between rounds: State and Restore save and restore it, Reset clears it.
type Optimiser struct {
	rule  rule
	mu    float32 // coefficient of momentum
	state []float32
}

// rule is the step that an optimiser makes of a gradient.
type rule uint8

const (
	descent rule = iota
	momentum
	adam
)

// SGD steps along the gradient. It has no state.
func SGD() *Optimiser { return &Optimiser{} }

// Momentum steps along v ← mu·v + gradient.
func Momentum(mu float64) *Optimiser { return &Optimiser{rule: momentum, mu: float32(mu)} }

// Adam is Kingma and Ba's method (ICLR 2015) with β₁ = 0.9, β₂ = 0.999 and
// ε = 1e-8, PyTorch's defaults.
func Adam() *Optimiser { return &Optimiser{rule: adam} }

const beta1, beta2, epsilon = 0.9, 0.999, 1e-8

// Reset clears the state.
func (o *Optimiser) Reset() { o.state = o.state[:0] }

// State returns the state, not a copy; it is empty after Reset. For d parameters, momentum has d
// numbers; Adam has 2d+1: the number of steps, the mean gradients and the mean squares.
func (o *Optimiser) State() []float32 { return o.state }

// Restore sets the state to a copy of one that State of the same kind of optimiser returned.
func (o *Optimiser) Restore(state []float32) { o.state = append(o.state[:0], state...) }

// Step moves params along the gradient, at a learning rate.
func (o *Optimiser) Step(params, grad []float32, rate float32) {
	d := len(params)
	switch o.rule {
	case descent:
		kernel.Sgd(params, grad, rate)
	case momentum:
		o.allocate(d)
		kernel.Momentum(params, o.state, grad, rate, o.mu)
	case adam:
		o.allocate(1 + 2*d)
		o.state[0]++ // exact up to 2²⁴ steps
		t := int(o.state[0])
		kernel.Adam(params, o.state[1:1+d], o.state[1+d:], grad, float64(rate), beta1, beta2, epsilon,
			1-power(beta1, t), 1-power(beta2, t))
	}
}

// allocate allocates the state, n zeros, of a new or reset optimiser.
func (o *Optimiser) allocate(n int) {
	if len(o.state) == 0 {
		o.state = slices.Grow(o.state, n)[:n]
		clear(o.state)
	}
}

// power returns xⁿ by squaring: math.Pow differs in the last bits between machines.
func power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y = float64(y * x)
		}
		x = float64(x * x)
	}
	return y
}
