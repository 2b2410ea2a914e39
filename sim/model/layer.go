package model

// layer is one step of a network. It holds sizes only: what a step works on
// comes with the pass, so that networks share layers.
type layer interface {
	// name is what its parameters are called after, "" if it has none.
	name() string
	// parameters returns their numbers; weights come first.
	parameters() (weights, biases int)
	// fanIn is the number of inputs that one output sees.
	fanIn() int
	// outputs is the width of one sample behind the layer.
	outputs() int
	// scratch is the number of floats of working memory in a pass.
	scratch() int

	forward(p *pass)
	backward(p *pass)
}

// pass is what a layer reads and writes for some samples, a row each. The way
// back follows the way there with the same rows.
type pass struct {
	rows    int
	params  []float32 // of this layer
	in, out []float32
	work    []float32 // scratch() floats

	// dParams, dIn and dOut hold the derivatives of the loss by params, in
	// and out. backward sets the second, which is nil if nobody needs it, and
	// the first, or adds to it what comes again after the first piece.
	dParams, dIn, dOut []float32
	again              bool
}

// row returns row i of one of the matrices.
func (p *pass) row(values []float32, i int) []float32 {
	width := len(values) / p.rows
	return values[i*width : (i+1)*width]
}

// stage is a layer and what its outputs go through.
type stage struct {
	layer
	activation activation
}
