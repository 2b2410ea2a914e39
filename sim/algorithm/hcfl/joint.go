package hcfl

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// emMoments is what the device of HCFL can do beyond [em]: it tells the moments of
// its inputs.
const emMoments = emTrain + 1

// moments has the moments of what is seen as one Gaussian.
func (d *hcflClient) moments(dst []float32, at fl.ClientContext) []float32 {
	s := *d.form.inputs()
	s.count, s.widen = 1, true
	o := clientDensity{inputDensity: &s}
	o.read(method.Evidence(at))
	o.gaussians = make([]float32, 2*o.across)
	numeric.Even(o.parts, 1)
	from := len(dst)
	dst = o.fit(dst)
	at.Quantize(dst[from:])
	return dst
}

// renew keeps the Gaussians that came along, to predict with.
func (w *clientWork) renew(kept, gaussians []float32) {
	copy(kept[w.most*w.density.count:], gaussians)
	w.density.begin(kept, w.most, w.alive)
}

// fit is the M-step for inputs: it renews the client's π_a|k, and finds what to tell,
// how much of its samples each Gaussian has, Σ_k π_ak, and mean and variances of that.
func (w *clientWork) fit() {
	n := w.density.count
	for c, k := range w.alive {
		from := 1 + w.most + k*n
		w.density.share((*w.at.State())[from:from+n], w.gamma[c], c)
	}
	w.told = w.density.fit(w.told)
}

// predictWeights is how a client predicts where inputs matter, by Gaussians that it heard of
// last. Clusters that are gone weigh nothing.
func (w *clientWork) predictWeights(dst []float32, b model.Batch, at fl.ClientContext) {
	own, o := *at.State(), &w.density
	w.alive = edits{}.alive(w.alive, w.most)
	o.begin(own[1+w.most:], w.most, w.alive)
	o.read(b)
	o.weigh()
	o.predictWeights(dst, own[1:], w.alive, w.score)
}
