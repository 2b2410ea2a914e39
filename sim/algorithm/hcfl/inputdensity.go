package hcfl

import (
	"math"

	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/exact"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// inputDensity is the mixture of Gaussians that methods with a density of inputs use. Short inputs are used as they
// are; longer ones go through a fixed random projection with entries normal/√inputs, drawn from the model seed. It is
// not trained and does not depend on data.
//
// FedGMM's code has PCA or a pretrained network instead, fitted to data, and full covariances. Here there is no such
// encoder, because it would decide which clients are alike, and covariances are diagonal.
type inputDensity struct {
	width int // largest number of dimensions
	count int // Gaussians, m₁
	widen bool
	seed  uint64
}

// densityFields are the settings of density.
var densityFields = []param.Field{
	{Name: "m1", Label: "Gaussians m₁", Section: param.Models, Kind: param.Int, Min: 0, Max: 64, High: 12, Default: "0", PerLane: true,
		Doc: "Gaussian components, shared by all models, that describe the inputs; 0 means one per model."},
	{Name: "dims", Label: "Input dimensions", Section: param.Models, Kind: param.Int, Min: 1, Max: 64, Low: 1, High: 32, Default: "8", PerLane: true, Advanced: true,
		Doc: "Inputs with more numbers than this, such as images and bags of words, go through a fixed random projection to this many dimensions, which does not depend on data; covariances are diagonal. The authors' code has PCA or a pretrained network, and full covariances."},
	{Name: "widen", Label: "Include variance of means", Section: param.Models, Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
		Doc: "Add the variance of the clients' means to the mean of their variances: the exact step of expectation maximisation. The authors leave it out."},
}

func newInputDensity(v param.Values) *inputDensity {
	s := &inputDensity{width: v.Int("dims"), count: v.Int("m1"), widen: v.Switch("widen"), seed: uint64(v.Int("sm"))}
	if s.count == 0 {
		s.count = v.Int("K")
	}
	return s
}

// normals fills dst with standard normal numbers: stream 0 is for the projection, 1 + a for the initial mean of
// Gaussian a.
func (s *inputDensity) normals(dst []float32, stream int) {
	var from rng.Stream
	from.Reset(s.seed, rng.InputProjection, stream, 0)
	for j := range dst {
		dst[j] = float32(from.Normal())
	}
}

// clientDensity is the density of one client's inputs: the common Gaussians with diagonal covariances, and the share of each
// in each cluster, π_a|k.
type clientDensity struct {
	*inputDensity
	gaussians []float32 // mean, then variances, of each Gaussian
	mix       []float64 // log π_a|k, one row per active cluster

	n         int       // number of samples in the batch
	across    int       // number of dimensions of z
	matrix    []float32 // the projection, inputs × width
	z         []float32 // projected inputs, one row per sample
	density   []float32 // log N(z_j; μ_a, v_a), one row per Gaussian
	shares    []float32 // responsibilities, one row per Gaussian
	posterior []float64 // p(a given z_j) of one sample, by Gaussian
}

// begin sets π_a|k, one row per cluster, of the active clusters, and the Gaussians.
func (o *clientDensity) begin(pairs, gaussians []float32, active []int) {
	n := o.count
	o.gaussians = gaussians
	o.mix = o.mix[:0]
	for _, k := range active {
		for _, p := range pairs[k*n : (k+1)*n] {
			o.mix = append(o.mix, exact.Log(max(float64(p), numeric.MinWeight)))
		}
	}
}

// project sets z to the projected inputs of a batch.
func (o *clientDensity) project(b model.Batch) {
	inputs := len(b.X) / max(b.N, 1)
	o.n, o.across = b.N, min(inputs, o.width)
	o.z = trace.Resize(o.z, b.N*o.across)
	o.density, o.shares = trace.Resize(o.density, o.count*b.N), trace.Resize(o.shares, o.count*b.N)
	clear(o.shares)
	if inputs <= o.width {
		copy(o.z, b.X)
		return
	}
	if len(o.matrix) != inputs*o.width {
		o.matrix = make([]float32, inputs*o.width)
		o.normals(o.matrix, 0)
		kernel.Scale(o.matrix, float32(1/math.Sqrt(float64(inputs))))
	}
	kernel.MatMul(o.z, b.X, o.matrix, b.N, inputs, o.width)
}

const (
	minVariance   = 1e-12 // the least variance
	minLogDensity = -1e30 // the least log density, so that a loss can be subtracted
)

// logDensities computes log N(z_j; μ_a, v_a) for the batch.
func (o *clientDensity) logDensities() {
	const log2Pi = 1.8378770664093454835606594728112
	w := o.across
	for a := range o.count {
		mean, variance := o.gaussians[2*a*w:(2*a+1)*w], o.gaussians[(2*a+1)*w:(2*a+2)*w]
		volume := 0.0
		for _, v := range variance {
			volume += log2Pi + exact.Log(max(float64(v), minVariance))
		}
		for j := range o.n {
			sum := volume
			for d, x := range o.z[j*w : (j+1)*w] {
				off := float64(x) - float64(mean[d])
				sum += float64(off*off) / max(float64(variance[d]), minVariance)
			}
			o.density[a*o.n+j] = float32(max(-sum/2, minLogDensity))
		}
	}
}

// logLikelihood returns log Σ_a π_a|k N(z_j; μ_a, v_a) for the c-th active cluster, and sets posterior.
func (o *clientDensity) logLikelihood(c, j int) float64 {
	o.posterior = append(o.posterior[:0], o.mix[c*o.count:(c+1)*o.count]...)
	for a := range o.posterior {
		o.posterior[a] += float64(o.density[a*o.n+j])
	}
	largest, sum := o.posterior[numeric.Argmax(o.posterior)], 0.0
	for a, x := range o.posterior {
		o.posterior[a] = exact.Exp(x - largest)
		sum += o.posterior[a]
	}
	for a := range o.posterior {
		o.posterior[a] /= sum
	}
	return largest + exact.Log(sum)
}

// addTo adds log p(x) of the c-th active cluster to each log p(y given x).
func (o *clientDensity) addTo(row []float32, c int) {
	for j, l := range row {
		row[j] = float32(float64(l) + o.logLikelihood(c, j))
	}
}

// share is the M-step of π_a|k for the c-th active cluster, whose responsibilities are gamma: it sets row to the shares of
// the Gaussians in their sum, unless that is 0.
func (o *clientDensity) share(row, gamma []float32, c int) {
	total := 0.0
	for _, g := range gamma {
		total += float64(g)
	}
	if total < numeric.MinWeight {
		return
	}
	clear(row)
	for j, g := range gamma {
		o.logLikelihood(c, j)
		for a, p := range o.posterior {
			part := float32(float64(g) * p)
			o.shares[a*o.n+j] += part
			row[a] += part
		}
	}
	for a := range row {
		row[a] = float32(float64(row[a]) / total)
	}
}

// fit appends the M-step of the Gaussians: for each Gaussian its mass among the samples and their mean and variances,
// or its former mean and variances if the mass is 0. For Gaussians to widen, the server has to know all variances about
// the same point, the mean that it sent.
func (o *clientDensity) fit(dst []float32) []float32 {
	w := o.across
	for a := range o.count {
		row, all := o.shares[a*o.n:(a+1)*o.n], 0.0
		for _, p := range row {
			all += float64(p)
		}
		dst = append(dst, float32(all/float64(max(o.n, 1))))
		dst = append(dst, o.gaussians[2*a*w:2*(a+1)*w]...)
		fitted := dst[len(dst)-2*w:]
		for d := 0; d < w && all >= numeric.MinWeight; d++ {
			old, sum, square := float64(fitted[d]), 0.0, 0.0
			for j, p := range row {
				off := float64(o.z[j*w+d]) - old
				part := float64(float64(p) * off)
				sum += part
				square += float64(part * off)
			}
			off := sum / all
			fitted[d], square = float32(old+off), square/all
			if !o.widen {
				square -= float64(off * off)
			}
			fitted[w+d] = float32(square)
		}
	}
	return dst
}

// predictWeights sets dst, one row per model, to the weights of the active clusters in the prediction for each sample:
// ω_k Σ_a π_a|k N(x; μ_a, v_a), scaled to a sum of 1. The released code adds π where this has log π.
func (o *clientDensity) predictWeights(dst, omega []float32, active []int, score []float64) {
	clear(dst)
	score = score[:len(active)]
	for j := range o.n {
		for c, k := range active {
			score[c] = 2 * minLogDensity
			if omega[k] > 0 {
				score[c] = exact.Log(max(float64(omega[k]), numeric.MinWeight)) + o.logLikelihood(c, j)
			}
		}
		numeric.Softmax(score)
		for c, k := range active {
			dst[k*o.n+j] = float32(score[c])
		}
	}
}
