package model

import "flockscope/sim/kernel"

// activation is a function of each output of a layer by itself, computed in
// place. Its derivative follows from its value.
type activation uint8

const (
	identity activation = iota
	relu                // max(x, 0), with the derivative 0 at 0
	sigmoid             // 1/(1 + e⁻ˣ)
	tanh                // 2·sigmoid(2x) − 1
)

// activationNames are their tokens in texts.
var activationNames = [...]string{identity: "", relu: "relu", sigmoid: "sigmoid", tanh: "tanh"}

// forward replaces x by the activation's values.
func (a activation) forward(x []float32) {
	switch a {
	case relu:
		kernel.Relu(x)
	case sigmoid:
		kernel.Sigmoid(x)
	case tanh:
		kernel.Scale(x, 2)
		kernel.Sigmoid(x)
		for i, s := range x {
			x[i] = float32(2*s) - 1
		}
	}
}

// backward turns d, the derivatives by the values y, into the derivatives by its inputs.
func (a activation) backward(d, y []float32) {
	switch a {
	case relu:
		kernel.ReluBack(d, y)
	case sigmoid:
		kernel.SigmoidBack(d, y)
	case tanh:
		y = y[:len(d)]
		for i, v := range y {
			d[i] *= 1 - float32(v*v)
		}
	}
}

func activationKind(a activation, doc string) kind {
	return kind{token: activationNames[a], example: activationNames[a], doc: doc, add: func(b *builder, _ args) error {
		if n := len(b.layers); n == 0 || b.layers[n-1].activation != identity {
			return b.refuse("an activation follows a layer that has none yet")
		}
		b.layers[len(b.layers)-1].activation = a
		return nil
	}}
}
