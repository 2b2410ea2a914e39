package model

// Linear is one-dimensional regression under the mean squared error,
//
//	f(x) = w·x + c      L = (1/N) Σ (y − f(x))²
//
// with parameters (w, c), or (w) alone without Intercept. It is the model of
// CFL-GP, section 5.1 and appendix F.4, and of CLoVE's Figure 1.
type Linear struct{ Intercept bool }

// Size returns 2, or 1 without intercept.
func (m Linear) Size() int {
	if m.Intercept {
		return 2
	}
	return 1
}

// Inputs returns 1.
func (Linear) Inputs() int { return 1 }

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
	w, c := m.unpack(params)
	for i, x := range b.X {
		e := float64(w*float64(x)) + c - float64(b.Y[i])
		dst[i] = float32(e * e)
	}
}

// Gradient sets dst to (2/N) Σ e·(x, 1) with e = f(x) − y, and returns the
// loss.
func (m Linear) Gradient(dst, params []float32, b Batch) float64 {
	clear(dst)
	if b.N == 0 {
		return 0
	}
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
