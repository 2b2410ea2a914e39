package model

import "flockscope/sim/kernel"

// transposed is a transposed convolution: the gradient of a convolution by its inputs, as a layer. It makes an image
// larger by its stride. Weights are stored input channels × filters × high × wide, as in PyTorch.
type transposed struct {
	window     // over the output
	inputs int // channels of the input
}

// transposedOf returns the layer whose window of side k, over its output, has as many positions as the image in.
func transposedOf(in Shape, filters, k, stride, pad int) *transposed {
	side := func(n int) int { return (n-1)*stride + k - 2*pad }
	return &transposed{square(Shape{side(in.Height), side(in.Width), filters}, k, stride, pad), in.Channels}
}

func (t *transposed) result() Shape { return t.shape }
func (*transposed) name() string    { return "transposed" }
func (t *transposed) parameters() (weights, biases int) {
	return t.inputs * t.fanIn(), t.shape.Channels
}

// fanIn counts as PyTorch does for its start: the weights of an input channel.
func (t *transposed) fanIn() int        { return t.shape.Channels * t.weights() }
func (t *transposed) outputs() int      { return t.shape.Size() }
func (t *transposed) multiplyAdds() int { return t.inputs * t.fanIn() * t.positions() }
func (t *transposed) scratch() int      { return t.fanIn()*t.positions() + t.splitSize() }

func (t *transposed) forward(p *pass) {
	weights, _ := t.parameters()
	size := t.fanIn() * t.positions()
	for i := range p.rows {
		kernel.MatMulTN(p.work[:size], p.params[:weights], p.row(p.in, i), t.fanIn(), t.inputs, t.positions())
		t.roll(p.row(p.out, i), p.work[:size], p.work[size:])
	}
	for i := range p.rows {
		kernel.AddBiasPlanes(p.row(p.out, i), p.params[weights:], t.shape.Channels, t.shape.Height*t.shape.Width)
	}
}

func (t *transposed) backward(p *pass) {
	weights, _ := t.parameters()
	size := t.fanIn() * t.positions()
	if !p.accumulate {
		clear(p.dParams)
	}
	for i := range p.rows {
		dOut := p.row(p.dOut, i)
		t.unroll(p.work[:size], dOut, p.work[size:])
		kernel.AddMatMulNT(p.dParams[:weights], p.row(p.in, i), p.work[:size], t.inputs, t.positions(), t.fanIn())
		kernel.SumPlanes(p.dParams[weights:], dOut, t.shape.Channels, t.shape.Height*t.shape.Width)
		if p.dIn != nil {
			kernel.MatMul(p.row(p.dIn, i), p.params[:weights], p.work[:size], t.inputs, t.fanIn(), t.positions())
		}
	}
}

var transposedKind = kind{token: "tconv", counts: "filters", most: mostFilters, options: "ksp", usual: -1,
	example: "tconv16",
	doc:     "transposed convolution, with k4, s2 and p1, which doubles the size; without a number it has as many filters as a sample has channels",
	add: func(b *builder, a args) error {
		if b.shape.Height < 2 || b.shape.Width < 2 {
			return b.refuse("it needs a picture, and gets %s", b.size())
		}
		a.stride = or(a.stride, 2)
		a.k = or(a.k, a.stride+2)
		a.pad = or(a.pad, min(1, a.k-1))
		if a.number < 0 {
			a.number = b.sample.Channels
		}
		if most := min(mostSide, a.k-1); a.pad > most {
			return b.refuse("padding %d; use 0 to %d", a.pad, most)
		}
		if err := b.checkStride(a.stride, mostStride); err != nil {
			return err
		}
		if a.k < a.stride || a.k > mostSide {
			return b.refuse("a side of %d; use %d to %d with stride %d", a.k, a.stride, mostSide, a.stride)
		}
		return b.push(transposedOf(b.shape, a.number, a.k, a.stride, a.pad))
	}}
