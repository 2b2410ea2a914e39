package model

// Batch is a set of samples. X has N rows of Inputs() numbers. Y has one number per row: the target
// of a regression, or a class, counted from 0. Reconstruction ignores Y.
type Batch struct {
	X, Y []float32
	N    int

	features []float32
	chance   []float64
}

// WithFeatures returns the samples with their features under a trunk (see [Network.Features]), for models that share it: all
// but gradients run through the head alone, and so does [Network.HeadGradient]. The result shares memory with b.
func (b Batch) WithFeatures(features []float32) Batch {
	b.features = features
	return b
}

// Chance returns a buffer for n random numbers, from which samples are made.
// The contents are undefined.
func (b *Batch) Chance(n int) []float64 {
	if cap(b.chance) < n {
		b.chance = make([]float64, n)
	}
	return b.chance[:n]
}

// First returns the first n samples of b (all of them if it has fewer),
// sharing memory with b.
func (b *Batch) First(n int) Batch {
	return b.part(0, min(n, b.N))
}

// part returns samples low to high, sharing memory with b.
func (b *Batch) part(low, high int) Batch {
	if b.N == 0 {
		return Batch{}
	}
	inputs := len(b.X) / b.N
	p := Batch{X: b.X[low*inputs : high*inputs], N: high - low}
	if len(b.Y) > 0 {
		p.Y = b.Y[low:high]
	}
	if width := len(b.features) / b.N; width > 0 {
		p.features = b.features[low*width : high*width]
	}
	return p
}

// Resize gives b space for n samples of the given width, keeping its capacity. The contents are undefined.
func (b *Batch) Resize(n, inputs int) {
	if cap(b.Y) < n || cap(b.X) < n*inputs {
		b.X, b.Y = make([]float32, n*inputs), make([]float32, n)
	}
	b.X, b.Y, b.N = b.X[:n*inputs], b.Y[:n], n
}
