package model

import (
	"math"

	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// groupNorm shifts and scales each group of channels of a sample to mean 0 and variance 1, and then each channel by
// parameters (Wu and He, "Group Normalization", ECCV 2018):
//
//	y = γ (x − mean) / √(variance + ε) + β
//
// Federated runs take it instead of batch normalisation, whose statistics of a batch differ between clients with
// different data, which costs accuracy (Hsieh, Phanishayee, Mutlu, Gibbons, "The Non-IID Data Quagmire of Decentralized
// Machine Learning", ICML 2020, section 5).
type groupNorm struct {
	shape  Shape
	groups int
}

// normEpsilon is ε of normalisations, PyTorch's default.
const normEpsilon = 1e-5

func (l *groupNorm) result() Shape                     { return l.shape }
func (*groupNorm) name() string                        { return "gn" }
func (l *groupNorm) parameters() (weights, biases int) { return l.shape.Channels, l.shape.Channels }
func (l *groupNorm) fanIn() int                        { return l.size() }
func (l *groupNorm) outputs() int                      { return l.shape.Size() }
func (*groupNorm) multiplyAdds() int                   { return 0 }
func (l *groupNorm) plane() int                        { return l.shape.Height * l.shape.Width }
func (l *groupNorm) channels() int                     { return l.shape.Channels / l.groups }
func (l *groupNorm) size() int                         { return l.channels() * l.plane() }

// scratch holds a normalised group, and a sum per group and per channel.
func (l *groupNorm) scratch() int { return l.size() + l.groups + l.shape.Channels }

func (l *groupNorm) start(params []float32, _ *rng.Stream) {
	ones(params[:l.shape.Channels], params[l.shape.Channels:])
}

// ones sets scales to 1 and shifts to 0.
func ones(scales, shifts []float32) {
	for i := range scales {
		scales[i] = 1
	}
	clear(shifts)
}

func (l *groupNorm) forward(p *pass) {
	n, plane := l.size(), l.plane()
	for i := range p.rows {
		out := p.row(p.out, i)
		copy(out, p.row(p.in, i))
		kernel.AddBiasPlanes(out, l.shifts(p, i), l.groups, n)
		for g := range l.groups {
			inverse := inverseDeviation(out[g*n : (g+1)*n])
			for c := g * l.channels(); c < (g+1)*l.channels(); c++ {
				kernel.Scale(out[c*plane:(c+1)*plane], p.params[c]*inverse)
			}
		}
		kernel.AddBiasPlanes(out, p.params[l.shape.Channels:], l.shape.Channels, plane)
	}
}

// shifts returns the negative means of the groups of row i of the inputs, in p.work.
func (l *groupNorm) shifts(p *pass, i int) []float32 {
	shifts := p.work[:l.groups]
	clear(shifts)
	kernel.SumPlanes(shifts, p.row(p.in, i), l.groups, l.size())
	for g := range shifts {
		shifts[g] = -shifts[g] / float32(l.size())
	}
	return shifts
}

// inverseDeviation returns 1/√(variance + ε) of numbers with mean 0.
func inverseDeviation(x []float32) float32 { return inverseRoot(kernel.Dot(x, x) / float64(len(x))) }

// inverseRoot returns 1/√(variance + ε).
func inverseRoot(variance float64) float32 { return float32(1 / math.Sqrt(variance+normEpsilon)) }

func (l *groupNorm) backward(p *pass) {
	if !p.accumulate {
		clear(p.dParams)
	}
	channels, plane, n := l.shape.Channels, l.plane(), l.size()
	normal, sums := p.work[l.groups:l.groups+n], p.work[l.groups+n:]
	for i := range p.rows {
		dOut := p.row(p.dOut, i)
		clear(sums)
		kernel.SumPlanes(sums, dOut, channels, plane)
		kernel.Axpy(p.dParams[channels:], 1, sums)
		shifts := l.shifts(p, i)
		for g := range l.groups {
			copy(normal, p.row(p.in, i)[g*n:(g+1)*n])
			kernel.AddBiasPlanes(normal, shifts[g:g+1], 1, n)
			inverse := inverseDeviation(normal)
			kernel.Scale(normal, inverse)
			var shift, along float64 // Σ and Σ of products with the normalised numbers, of the derivatives by these
			first := g * l.channels()
			for c := range l.channels() {
				product := kernel.Dot(dOut[(first+c)*plane:][:plane], normal[c*plane:][:plane])
				p.dParams[first+c] += float32(product)
				scale := float64(p.params[first+c])
				shift += float64(scale * float64(sums[first+c]))
				along += float64(scale * product)
			}
			if p.dIn == nil {
				continue
			}
			dIn := p.row(p.dIn, i)[g*n : (g+1)*n]
			copy(dIn, normal)
			kernel.Scale(dIn, -inverse*float32(along/float64(n)))
			for c := range l.channels() {
				kernel.Axpy(dIn[c*plane:][:plane], p.params[first+c]*inverse, dOut[(first+c)*plane:][:plane])
			}
			shifts[g] = -inverse * float32(shift/float64(n))
			kernel.AddBiasPlanes(dIn, shifts[g:g+1], 1, n)
		}
	}
}

var groupNormKind = kind{token: "gn", counts: "groups", usual: -1, most: mostFilters, example: "gn",
	doc: "group normalisation; without a number the groups are at most eight",
	add: func(b *builder, a args) error {
		channels := b.shape.Channels
		if a.number < 0 {
			a.number = groupsOf(channels)
		}
		if channels%a.number != 0 {
			return b.refuse("%d groups do not divide %d channels", a.number, channels)
		}
		return b.push(&groupNorm{b.shape, a.number})
	}}

// groupsOf returns the largest divisor of the channels up to eight.
func groupsOf(channels int) int {
	n := min(8, channels)
	for channels%n != 0 {
		n--
	}
	return n
}
