// Package model holds what clients train: from a line with one parameter to networks of a few
// layers. A model is stateless: its parameters are one flat vector owned by the caller, so that
// servers can average, compare and send them without knowing the layers.
package model

// Model computes losses and gradients.
type Model interface {
	// Size is the number of parameters, d in the papers.
	Size() int
	// Inputs is the width of one sample.
	Inputs() int
	// Loss returns the mean loss over the batch, 0 for an empty one.
	Loss(params []float32, b Batch) float64
	// Gradient sets dst to the gradient of the mean loss and returns that
	// loss, the same number as Loss. dst must not alias params.
	Gradient(dst, params []float32, b Batch) float64
	// Weighted is Gradient of (1/N) Σ w_i ℓ_i, for methods with soft assignments of samples to
	// models.
	Weighted(dst, params []float32, b Batch, weights []float32) float64
	// Losses sets dst[i] to the loss of sample i.
	Losses(dst, params []float32, b Batch)
	// MultiplyAdds is the number of multiply-adds of a forward pass over one sample.
	MultiplyAdds() int
	// Computed is the number of multiply-adds of all calls so far of a model from Fresh: those of
	// the products in forward passes, and in the gradients by parameters and by the outputs of
	// layers. What is done to every number by itself does not count, nor does the gradient by
	// samples, which nobody needs.
	Computed() int64
}

// Fresh returns a model equal to m that may be used at the same time as m, with scratch memory and
// a count of its own.
func Fresh(m Model) Model {
	switch m := m.(type) {
	case *Network:
		return m.Fresh()
	case Linear:
		m.computed = new(int64)
		return m
	}
	return m
}
