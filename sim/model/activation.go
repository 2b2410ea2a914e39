package model

import "flockscope/sim/kernel"

// activation is a function of each output of a layer by itself, computed in
// place. Its derivative follows from its value.
type activation uint8

const (
	identity activation = iota
	relu                // max(x, 0), with the derivative 0 at 0
	sigmoid             // 1/(1 + e⁻ˣ)
)

// forward replaces x by the activation's values.
func (a activation) forward(x []float32) {
	switch a {
	case relu:
		kernel.Relu(x)
	case sigmoid:
		kernel.Sigmoid(x)
	}
}

// backward turns d, the derivatives by the values y, into the derivatives by its inputs.
func (a activation) backward(d, y []float32) {
	switch a {
	case relu:
		kernel.ReluBack(d, y)
	case sigmoid:
		kernel.SigmoidBack(d, y)
	}
}
