package model

import (
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// batchNorm shifts and scales each channel to mean 0 and variance 1 over a batch, and then by parameters (Ioffe and
// Szegedy, ICML 2015), as CLoVE's network for CIFAR-10 does. A gradient takes mean and variance of the batch, everything
// else takes the running ones. A batch of more than pieceRows samples counts as several (ghost batches, Hoffer, Hubara
// and Soudry, NeurIPS 2017).
//
// The running statistics stand behind the parameters as if they were parameters, so servers average them with the model,
// as CLoVE's released code does, and updates have them. Their gradient is their distance from those of the batch: a step
// at rate η moves them by η of it. Local training moves them as PyTorch does, see [Network.Track].
type batchNorm struct{ shape Shape }

// statisticsRate is the share of a batch in the running statistics after local steps, PyTorch's default.
const statisticsRate = 0.1

func (l *batchNorm) result() Shape                     { return l.shape }
func (*batchNorm) name() string                        { return "bn" }
func (l *batchNorm) parameters() (weights, biases int) { return l.shape.Channels, l.shape.Channels }
func (l *batchNorm) statistics() int                   { return l.shape.Channels }
func (l *batchNorm) fanIn() int                        { return l.plane() }
func (l *batchNorm) outputs() int                      { return l.shape.Size() }
func (*batchNorm) multiplyAdds() int                   { return 0 }
func (l *batchNorm) plane() int                        { return l.shape.Height * l.shape.Width }

// scratch holds a plane, and four numbers per channel.
func (l *batchNorm) scratch() int { return l.plane() + 4*l.shape.Channels }

func (l *batchNorm) start(params []float32, _ *rng.Stream) {
	n := l.shape.Channels
	ones(params[:n], params[n:3*n])
	ones(params[3*n:], nil) // the variance
}

func (l *batchNorm) forward(p *pass) {
	n, plane := l.shape.Channels, l.plane()
	mean, variance, shift := p.params[2*n:3*n], p.params[3*n:], p.work[2*n:3*n]
	if p.training {
		mean, variance = p.work[:n], p.work[n:2*n]
		l.measure(p, mean, variance)
	}
	for c := range n {
		shift[c] = -mean[c]
	}
	copy(p.out, p.in)
	for i := range p.rows {
		out := p.row(p.out, i)
		kernel.AddBiasPlanes(out, shift, n, plane)
		for c := range n {
			kernel.Scale(out[c*plane:(c+1)*plane], p.params[c]*inverseRoot(max(0, float64(variance[c]))))
		}
		kernel.AddBiasPlanes(out, p.params[n:2*n], n, plane)
	}
}

// measure sets mean and variance of each channel over the inputs of a pass.
func (l *batchNorm) measure(p *pass, mean, variance []float32) {
	n, plane := l.shape.Channels, l.plane()
	spare, shift := p.work[4*n:], p.work[2*n:2*n+1]
	clear(mean)
	for i := range p.rows {
		kernel.SumPlanes(mean, p.row(p.in, i), n, plane)
	}
	for c := range n {
		mean[c] /= float32(p.rows * plane)
		sum := 0.0
		shift[0] = -mean[c]
		for i := range p.rows {
			copy(spare, p.row(p.in, i)[c*plane:(c+1)*plane])
			kernel.AddBiasPlanes(spare, shift, 1, plane)
			sum += kernel.Dot(spare, spare)
		}
		variance[c] = float32(sum / float64(p.rows*plane))
	}
}

func (l *batchNorm) backward(p *pass) {
	if !p.accumulate {
		clear(p.dParams)
	}
	n, plane, all := l.shape.Channels, l.plane(), p.rows*l.plane()
	mean, variance, shift, spare := p.work[:n], p.work[n:2*n], p.work[2*n:2*n+1], p.work[4*n:]
	l.measure(p, mean, variance)
	for c := range n {
		inverse := inverseRoot(float64(variance[c]))
		shift[0] = -mean[c]
		sum, product := p.work[3*n:3*n+1], 0.0
		sum[0] = 0
		for i := range p.rows {
			l.normal(spare, p, i, c, inverse, shift)
			dOut := p.row(p.dOut, i)[c*plane : (c+1)*plane]
			kernel.SumPlanes(sum, dOut, 1, plane)
			product += kernel.Dot(dOut, spare)
		}
		p.dParams[c] += float32(product)
		p.dParams[n+c] += sum[0]
		unbiased := float32(variance[c] * float32(float64(all)/float64(max(all-1, 1))))
		p.dParams[2*n+c] += float32(p.share * (p.params[2*n+c] - mean[c]))
		p.dParams[3*n+c] += float32(p.share * (p.params[3*n+c] - unbiased))
		if p.dIn == nil {
			continue
		}
		scale := p.params[c] * inverse
		along, constant := -scale*float32(product/float64(all)), -scale*(sum[0]/float32(all))
		for i := range p.rows {
			dIn := p.row(p.dIn, i)[c*plane : (c+1)*plane]
			l.normal(dIn, p, i, c, inverse, shift)
			kernel.Scale(dIn, along)
			kernel.Axpy(dIn, scale, p.row(p.dOut, i)[c*plane:(c+1)*plane])
			sum[0] = constant
			kernel.AddBiasPlanes(dIn, sum, 1, plane)
		}
	}
}

// normal sets dst to the normalised inputs of a channel of row i.
func (l *batchNorm) normal(dst []float32, p *pass, i, c int, inverse float32, shift []float32) {
	copy(dst, p.row(p.in, i)[c*l.plane():(c+1)*l.plane()])
	kernel.AddBiasPlanes(dst, shift, 1, l.plane())
	kernel.Scale(dst, inverse)
}

var batchNormKind = kind{token: "bn", example: "bn",
	doc: "batch normalisation; its running statistics are averaged like parameters",
	add: func(b *builder, _ args) error { return b.push(&batchNorm{b.shape}) }}
