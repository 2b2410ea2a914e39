// Package model holds what clients train. A model is stateless: its parameters
// are one flat vector that somebody else owns, so that servers can average,
// compare and send them without knowing what they mean.
package model

// Batch is a set of samples. X has N rows of Inputs() numbers.
type Batch struct {
	X, Y []float32
	N    int
}

// First returns the first n samples of b (all of them if it has fewer),
// sharing memory with b.
func (b *Batch) First(n int) Batch {
	n = min(n, b.N)
	if b.N == 0 {
		return Batch{}
	}
	inputs := len(b.X) / b.N
	return Batch{X: b.X[:n*inputs], Y: b.Y[:n], N: n}
}

// Resize gives b room for n samples of the given width, keeping its capacity.
// The contents are undefined.
func (b *Batch) Resize(n, inputs int) {
	if cap(b.Y) < n || cap(b.X) < n*inputs {
		b.X, b.Y = make([]float32, n*inputs), make([]float32, n)
	}
	b.X, b.Y, b.N = b.X[:n*inputs], b.Y[:n], n
}

// Model computes losses and gradients.
type Model interface {
	// Size is the number of parameters, d in the papers.
	Size() int
	// Inputs is the width of one sample.
	Inputs() int
	// Loss returns the mean loss over the batch, 0 for an empty one.
	Loss(params []float32, b Batch) float64
	// Gradient sets dst to the gradient of the mean loss. dst must not
	// alias params.
	Gradient(dst, params []float32, b Batch)
}
