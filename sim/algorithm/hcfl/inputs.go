package hcfl

import (
	"math"

	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// serverDensity is what the server knows of inputs: the Gaussians of all clients.
type serverDensity struct {
	*inputDensity           // nil where inputs do not matter
	gaussians     []float32 // of each the mean, and then the variances; nothing before a client was heard
	least         []float64 // variances that no Gaussian falls below

	sum, total []float64 // of what clients told, weighed, and of the weights
}

func (p *serverDensity) begin(count, across int) {
	p.gaussians, p.sum = make([]float32, 2*count*across), make([]float64, 2*count*across)
	p.total, p.least = make([]float64, count), make([]float64, across)
}

// ask asks clients once for the moments of what they see, a single Gaussian, and
// has the Gaussians begin around the mean of all, as far off as points are, and as
// wide; it reports whether there are any now. In FedGMM's code they begin at k-means
// of a client's points.
func (p *serverDensity) ask(r *fl.Round, counted []float64) bool {
	if p.gaussians != nil {
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
	all, w := p.gaussians, len(p.least)
	p.begin(p.count, w)
	for a := range p.count {
		mean, variance := p.gaussians[2*a*w:(2*a+1)*w], p.gaussians[(2*a+1)*w:]
		p.normals(mean, 1+a)
		for d, off := range mean {
			// An input may be the same for all.
			v := max(float64(all[w+d]), 1e-6*float64(all[d])*float64(all[d]), narrow)
			mean[d] = float32(float64(all[d]) + float64(math.Sqrt(v)*float64(off)))
			variance[d] = float32(v)
			// A Gaussian of a single sample would explain it without bound.
			p.least[d] = v / 1000
		}
	}
	return true
}

// add takes what a client's [clientDensity.fit] says, which counts by how much of its
// samples a Gaussian has, times what the client counts.
func (p *serverDensity) add(told []float32, counted float64) {
	each := 2 * len(p.least)
	for a := range p.total {
		weight := float64(counted * float64(told[0]))
		p.total[a] += weight
		for j, v := range told[1 : 1+each] {
			p.sum[a*each+j] += float64(weight * float64(v))
		}
		told = told[1+each:]
	}
}

// perAnswer is how many numbers a client says of inputs in a round.
func (p *serverDensity) perAnswer() int {
	if p.inputDensity == nil {
		return 0
	}
	return p.count + len(p.gaussians)
}

// update moves every Gaussian to the mean of the clients', unless nobody has any of
// it, and begins to sum anew.
func (p *serverDensity) update(widen bool) {
	w := len(p.least)
	for a, total := range p.total {
		mean, variance := p.gaussians[2*a*w:(2*a+1)*w], p.gaussians[(2*a+1)*w:]
		for d := 0; d < w && total >= numeric.MinWeight; d++ {
			m, v := p.sum[2*a*w+d]/total, p.sum[(2*a+1)*w+d]/total
			if widen {
				off := m - float64(mean[d]) // variances are about the mean that was sent
				v -= float64(off * off)
			}
			mean[d], variance[d] = float32(m), float32(max(v, p.least[d]))
		}
	}
	clear(p.sum)
	clear(p.total)
}
