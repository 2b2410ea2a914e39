package model

import "flockscope/sim/kernel"

// conv is a convolution (in PyTorch's sense, a correlation). Weights are stored filters × channels × high × wide.
//
// It works on one sample after the other, as a product with the matrix of all
// patches, which is small enough to stay in the cache, or without patches.
type conv struct {
	window
	filters int
	direct  *kernel.Convolution // without patches, where that is faster
}

// result returns the shape of the output.
func (c *conv) result() Shape {
	down, across := c.places()
	return Shape{down, across, c.filters}
}

func (*conv) name() string                        { return "conv" }
func (c *conv) parameters() (weights, biases int) { return c.filters * c.fanIn(), c.filters }
func (c *conv) fanIn() int                        { return c.shape.Channels * c.weights() }
func (c *conv) outputs() int                      { return c.filters * c.positions() }
func (c *conv) multiplyAdds() int                 { return c.filters * c.fanIn() * c.positions() }

// scratch holds the patches of one sample, and its phases.
func (c *conv) scratch() int { return c.fanIn()*c.positions() + c.splitSize() }

func (c *conv) forward(p *pass) {
	if c.direct != nil {
		c.forwardDirect(p)
		return
	}
	weights, _ := c.parameters()
	for i := range p.rows {
		out := p.row(p.out, i)
		kernel.MatMul(out, p.params[:weights], c.patches(p, i), c.filters, c.fanIn(), c.positions())
		kernel.AddBiasPlanes(out, p.params[weights:], c.filters, c.positions())
	}
}

func (c *conv) backward(p *pass) {
	if !p.accumulate {
		clear(p.dParams)
	}
	if c.direct != nil && c.direct.HasGradients() {
		c.backwardDirect(p)
		return
	}
	weights, _ := c.parameters()
	for i := range p.rows {
		dOut := p.row(p.dOut, i)
		kernel.AddMatMulNT(p.dParams[:weights], dOut, c.patches(p, i), c.filters, c.positions(), c.fanIn())
		kernel.SumPlanes(p.dParams[weights:], dOut, c.filters, c.positions())
		if p.dIn == nil {
			continue
		}
		dIn, patches, spare := p.row(p.dIn, i), p.work[:c.fanIn()*c.positions()], p.work[c.fanIn()*c.positions():]
		if c.pointwise() {
			patches = dIn
		}
		kernel.MatMulTN(patches, p.params[:weights], dOut, c.fanIn(), c.filters, c.positions())
		if !c.pointwise() {
			c.roll(dIn, patches, spare)
		}
	}
}

// pointwise says that the patches are the image itself.
func (c *conv) pointwise() bool { return c.plain() && c.weights() == 1 }

// patches returns the patches of row i of the inputs, one column per position.
func (c *conv) patches(p *pass, i int) []float32 {
	image := p.row(p.in, i)
	if c.pointwise() {
		return image
	}
	size := c.fanIn() * c.positions()
	c.unroll(p.work[:size], image, p.work[size:])
	return p.work[:size]
}

var convKind = kind{token: "conv", counts: "filters", most: mostFilters, options: "ksp", example: "conv16",
	doc: "convolution with k×k filters, side k3, stride s1; unless p says otherwise, padding keeps the size",
	add: func(b *builder, a args) error {
		w, err := b.window(a, 3)
		if err != nil {
			return err
		}
		return b.push(newConv(w, a.number))
	}}

var conv1dKind = kind{token: "conv1d", counts: "filters", most: mostFilters, options: "ksp", example: "conv1d64k5",
	doc: "convolution along a sequence, such as the tokens of a text, with k3, s1, and padding that keeps the length",
	add: func(b *builder, a args) error {
		if b.shape.Height != 1 || b.shape.Width == 1 {
			return b.refuse("it needs a sequence, and gets %s; for pictures use conv", b.size())
		}
		w, err := b.fit(a, 3)
		if err != nil {
			return err
		}
		w.high, w.padY = 1, 0
		return b.push(newConv(w, a.number))
	}}
