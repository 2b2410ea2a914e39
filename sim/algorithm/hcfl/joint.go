package hcfl

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// emMoments asks a device for mean and variances of its inputs.
const emMoments = emTrain + 1

// moments appends mean and variances of the client's inputs, as a single Gaussian.
func (d *hcflClient) moments(dst []float32, at fl.ClientContext) []float32 {
	s := *d.form.inputs()
	s.count, s.widen = 1, true
	o := clientDensity{inputDensity: &s}
	o.project(method.SelectionSamples(at))
	o.gaussians = make([]float32, 2*o.across)
	numeric.SetEqual(o.shares, 1)
	from := len(dst)
	dst = o.fit(dst)
	at.Quantize(dst[from:])
	return dst
}

// fit is the M-step for inputs: it updates the client's π_a|k and computes its report: for each Gaussian the mass of
// the client's samples, Σ_k π_ak, and their mean and variances.
func (w *clientWork) fit() {
	n := w.density.count
	for c, k := range w.active {
		w.density.share(w.state.pairs()[k*n:(k+1)*n], w.gamma[c], c)
	}
	w.densityReport = w.density.fit(w.densityReport)
}
