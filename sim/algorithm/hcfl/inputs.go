package hcfl

import (
	"math"

	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// serverDensity is the server's density of inputs: the Gaussians of all clients.
type serverDensity struct {
	*inputDensity           // nil if inputs are not used
	gaussians     []float32 // mean, then variances, of each Gaussian; nil before a client has replied
	minVariances  []float64 // lower bounds of the variances

	sum, total []float64 // weighted sums of the clients' reports, and sums of the weights
}

func (p *serverDensity) begin(count, across int) {
	p.gaussians, p.sum = make([]float32, 2*count*across), make([]float64, 2*count*across)
	p.total, p.minVariances = make([]float64, count), make([]float64, across)
}

// askDensity asks clients once for mean and variances of their inputs, if inputs are used, and reports whether
// Gaussians exist then.
func (s *hcfl) askDensity(r *fl.Round) bool { return s.inputs.ask(r, s.counted) }

// ask asks clients once for mean and variances of their inputs, a single Gaussian. The server's Gaussians start with the
// variances of all inputs, and with means drawn from that distribution. It reports whether there are Gaussians. FedGMM's
// code starts them by k-means on a client's points.
func (p *serverDensity) ask(r *fl.Round, counted []float64) bool {
	if p.inputDensity == nil || p.gaussians != nil {
		return true
	}
	for _, i := range r.Participants {
		r.AskCall(i, emMoments, nil)
	}
	r.Ask()
	for _, i := range r.Replied {
		if p.gaussians == nil {
			p.begin(1, len(r.Answer(i))/2)
		}
		p.add(r.Answer(i), counted[i])
		if rec := r.Recorder(); rec.Follows(i) {
			rec.ReplaceAnswer("moments", fl.Floats("moments", r.Answer(i)[1:]))
		}
	}
	if p.gaussians == nil {
		return false
	}
	p.update(true)
	all, w := p.gaussians, len(p.minVariances)
	p.begin(p.count, w)
	for a := range p.count {
		mean, variance := p.gaussians[2*a*w:(2*a+1)*w], p.gaussians[(2*a+1)*w:]
		p.normals(mean, 1+a)
		for d, off := range mean {
			// an input may be constant
			v := max(float64(all[w+d]), 1e-6*float64(all[d])*float64(all[d]), minVariance)
			mean[d] = float32(float64(all[d]) + float64(math.Sqrt(v)*float64(off)))
			variance[d] = float32(v)
			// The likelihood of a Gaussian of a single sample has no bound.
			p.minVariances[d] = v / 1000
		}
	}
	return true
}

// add adds a client's report (see [clientDensity.fit]), weighted by the Gaussian's mass of the client's samples and by
// the client's weight in means.
func (p *serverDensity) add(report []float32, counted float64) {
	each := 2 * len(p.minVariances)
	for a := range p.total {
		weight := float64(counted * float64(report[0]))
		p.total[a] += weight
		for j, v := range report[1 : 1+each] {
			p.sum[a*each+j] += float64(weight * float64(v))
		}
		report = report[1+each:]
	}
}

// perAnswer returns the length of a client's report.
func (p *serverDensity) perAnswer() int {
	if p.inputDensity == nil {
		return 0
	}
	return p.count + len(p.gaussians)
}

// update sets every Gaussian to the weighted mean of the clients' reports, unless it has no mass, and resets the sums.
func (p *serverDensity) update(widen bool) {
	w := len(p.minVariances)
	for a, total := range p.total {
		mean, variance := p.gaussians[2*a*w:(2*a+1)*w], p.gaussians[(2*a+1)*w:]
		for d := 0; d < w && total >= numeric.MinWeight; d++ {
			m, v := p.sum[2*a*w+d]/total, p.sum[(2*a+1)*w+d]/total
			if widen {
				off := m - float64(mean[d]) // variances are about the mean that was sent
				v -= float64(off * off)
			}
			mean[d], variance[d] = float32(m), float32(max(v, p.minVariances[d]))
		}
	}
	clear(p.sum)
	clear(p.total)
}
