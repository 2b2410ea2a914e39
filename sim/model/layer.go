package model

// layer is one step of a network. It holds sizes only; the data are in the pass, so that networks
// can share layers.
type layer interface {
	// name is the first part of the names of its parameters, "" if it has none.
	name() string
	// parameters returns their numbers; weights come first.
	parameters() (weights, biases int)
	// fanIn is the number of inputs that one output sees.
	fanIn() int
	// outputs is the width of one sample after the layer.
	outputs() int
	// scratch is the number of floats of working memory in a pass.
	scratch() int
	// multiplyAdds is the number of multiplications, each with an addition, in the products of a
	// forward pass over one sample. What is done to every number by itself does not count:
	// activations, biases, comparisons, normalisation. The gradient by the parameters takes as many,
	// and that by the inputs as many again.
	multiplyAdds() int

	forward(p *pass)
	backward(p *pass)
}

// pass is what a layer reads and writes for some samples, one row each. The backward pass follows
// the forward pass with the same rows.
type pass struct {
	rows    int
	params  []float32 // parameters of this layer
	in, out []float32
	work    []float32 // scratch() floats

	// dParams, dIn and dOut hold the derivatives of the loss by params, in and out. backward sets
	// dIn, unless it is nil, and sets dParams for the first piece of a batch and adds to it for the
	// others.
	dParams, dIn, dOut []float32
	accumulate         bool
}

// row returns row i of one of the matrices.
func (p *pass) row(values []float32, i int) []float32 {
	width := len(values) / p.rows
	return values[i*width : (i+1)*width]
}

// stage is a layer and its activation.
type stage struct {
	layer
	activation activation
}
