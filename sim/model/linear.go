package model

import "math"

// Linear is one-dimensional regression under the mean squared error,
//
//	f(x) = w·x + c      L = (1/N) Σ (y − f(x))²
//
// with parameters (w, c), or (w) alone without Intercept. It is the model of
// CFL-GP, section 5.1 and appendix F.4, and of CLoVE's Figure 1.
type Linear struct {
	Intercept bool
	computed  *int64 // multiply-adds of a fresh model
}

// Size returns 2, or 1 without intercept.
func (m Linear) Size() int {
	if m.Intercept {
		return 2
	}
	return 1
}

// Inputs returns 1.
func (Linear) Inputs() int { return 1 }

// MultiplyAdds returns 1.
func (Linear) MultiplyAdds() int { return 1 }

// Computed is [Model.Computed]: a product for w·x, and one more for the gradient.
func (m Linear) Computed() int64 {
	if m.computed == nil {
		return 0
	}
	return *m.computed
}

func (m Linear) count(products int) {
	if m.computed != nil {
		*m.computed += int64(products)
	}
}

func (m Linear) unpack(params []float32) (w, c float64) {
	w = float64(params[0])
	if m.Intercept {
		c = float64(params[1])
	}
	return w, c
}

// Loss returns the mean squared error.
func (m Linear) Loss(params []float32, b Batch) float64 {
	if b.N == 0 {
		return 0
	}
	m.count(b.N)
	w, c := m.unpack(params)
	sum, y := 0.0, b.Y[:len(b.X)]
	for i, x := range b.X {
		e := float64(w*float64(x)) + c - float64(y[i])
		sum += float64(e * e)
	}
	return sum / float64(b.N)
}

// Losses sets dst[i] to the squared error of sample i.
func (m Linear) Losses(dst, params []float32, b Batch) {
	m.count(b.N)
	w, c := m.unpack(params)
	for i, x := range b.X {
		e := float64(w*float64(x)) + c - float64(b.Y[i])
		dst[i] = float32(e * e)
	}
}

// Lead returns the mean over the batch by which the squared error at worse exceeds that at better, and the standard error
// of this mean, infinite for fewer than two samples.
func (m Linear) Lead(better, worse []float32, b Batch) (lead, noise float64) {
	w0, c0 := m.unpack(better)
	w1, c1 := m.unpack(worse)
	// The difference of e₁² and e₀² is (e₁ − e₀)·(e₁ + e₀), and e₁ − e₀ does not depend on y.
	slope, offset, double, both := w1-w0, c1-c0, w0+w1, c0+c1
	sum, squares, y := 0.0, 0.0, b.Y[:len(b.X)]
	for i, v := range b.X {
		x := float64(v)
		d := float64((float64(slope*x) + offset) * (float64(double*x) + both - float64(2*y[i])))
		sum += d
		squares += float64(d * d)
	}
	return leadOf(sum, squares, b.N)
}

// leadOf returns the mean of n differences and its standard error, from their sum and the sum of their squares.
func leadOf(sum, squares float64, n int) (lead, noise float64) {
	if n < 2 {
		return sum, math.Inf(1)
	}
	lead = sum / float64(n)
	return lead, math.Sqrt(max(0, squares-float64(lead*sum)) / float64(n*(n-1)))
}

// Lead is [Linear.Lead] for the losses of the same samples under two models.
func Lead(better, worse []float32) (lead, noise float64) {
	sum, squares := 0.0, 0.0
	for i, l := range better {
		d := float64(worse[i]) - float64(l)
		sum += d
		squares += float64(d * d)
	}
	return leadOf(sum, squares, len(better))
}

// Gradient sets dst to (2/N) Σ e·(x, 1) with e = f(x) − y, and returns the
// loss.
func (m Linear) Gradient(dst, params []float32, b Batch) float64 {
	clear(dst)
	if b.N == 0 {
		return 0
	}
	m.count(2 * b.N)
	w, c := m.unpack(params)
	var sumX, sum, loss float64
	y := b.Y[:len(b.X)]
	for i, x := range b.X {
		e := float64(w*float64(x)) + c - float64(y[i])
		sumX += float64(e * float64(x))
		sum += e
		loss += float64(e * e)
	}
	scale := 2 / float64(b.N)
	dst[0] = float32(scale * sumX)
	if m.Intercept {
		dst[1] = float32(scale * sum)
	}
	return loss / float64(b.N)
}

// Weighted sets dst to the gradient of (1/N) Σ w_i ℓ_i, and returns that loss.
func (m Linear) Weighted(dst, params []float32, b Batch, weights []float32) float64 {
	clear(dst)
	if b.N == 0 {
		return 0
	}
	m.count(2 * b.N)
	w, c := m.unpack(params)
	var sumX, sum, loss float64
	for i, x := range b.X {
		e, q := float64(w*float64(x))+c-float64(b.Y[i]), float64(weights[i])
		loss += float64(q * float64(e*e))
		sumX += float64(q * float64(e*float64(x)))
		sum += float64(q * e)
	}
	scale := 2 / float64(b.N)
	dst[0] = float32(scale * sumX)
	if m.Intercept {
		dst[1] = float32(scale * sum)
	}
	return loss / float64(b.N)
}
