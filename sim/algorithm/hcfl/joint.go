package hcfl

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// emMoments is what the device of HCFL can do beyond [em]: it tells the moments of
// its inputs.
const emMoments = emTrain + 1

// moments has the moments of what is seen as one Gaussian.
func (d *hcflClient) moments(dst []float32, at fl.ClientContext) []float32 {
	s := *d.form.inputs()
	s.count, s.widen = 1, true
	o := clientDensity{inputDensity: &s}
	o.project(method.SelectionSamples(at))
	o.gaussians = make([]float32, 2*o.across)
	numeric.Even(o.shares, 1)
	from := len(dst)
	dst = o.fit(dst)
	at.Quantize(dst[from:])
	return dst
}

// fit is the M-step for inputs: it renews the client's π_a|k, and finds what to tell,
// how much of its samples each Gaussian has, Σ_k π_ak, and mean and variances of that.
func (w *clientWork) fit() {
	n := w.density.count
	for c, k := range w.active {
		w.density.share(w.state.pairs()[k*n:(k+1)*n], w.gamma[c], c)
	}
	w.densityReport = w.density.fit(w.densityReport)
}
