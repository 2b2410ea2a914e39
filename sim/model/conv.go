package model

import "flockscope/sim/kernel"

// conv is a convolution with square filters of side k that move one step at
// a time, without padding: h×w becomes (h−k+1)×(w−k+1). Weights are stored
// filters × channels × k × k.
//
// It works on one sample after the other, as a product with the matrix of all
// patches, which is small enough to stay in the cache.
type conv struct {
	shape      Shape // shape of the input
	filters, k int
}

// result returns the shape of the output.
func (c conv) result() Shape {
	return Shape{c.shape.Height - c.k + 1, c.shape.Width - c.k + 1, c.filters}
}

func (conv) name() string                        { return "conv" }
func (c conv) parameters() (weights, biases int) { return c.filters * c.fanIn(), c.filters }
func (c conv) fanIn() int                        { return c.shape.Channels * c.k * c.k }
func (c conv) outputs() int                      { return c.result().Size() }

// positions is the number of positions of a filter.
func (c conv) positions() int { return c.result().Height * c.result().Width }

func (c conv) multiplyAdds() int { return c.filters * c.fanIn() * c.positions() }

// scratch holds the patches of one sample.
func (c conv) scratch() int { return c.fanIn() * c.positions() }

func (c conv) forward(p *pass) {
	weights, _ := c.parameters()
	for i := range p.rows {
		out := p.row(p.out, i)
		c.unroll(p.work, p.row(p.in, i))
		kernel.MatMul(out, p.params[:weights], p.work, c.filters, c.fanIn(), c.positions())
		kernel.AddBiasPlanes(out, p.params[weights:], c.filters, c.positions())
	}
}

func (c conv) backward(p *pass) {
	weights, _ := c.parameters()
	if !p.accumulate {
		clear(p.dParams)
	}
	for i := range p.rows {
		dOut := p.row(p.dOut, i)
		c.unroll(p.work, p.row(p.in, i))
		kernel.AddMatMulNT(p.dParams[:weights], dOut, p.work, c.filters, c.positions(), c.fanIn())
		kernel.SumPlanes(p.dParams[weights:], dOut, c.filters, c.positions())
		if p.dIn != nil {
			kernel.MatMulTN(p.work, p.params[:weights], dOut, c.fanIn(), c.filters, c.positions())
			kernel.Col2Im(p.row(p.dIn, i), p.work, c.shape.Channels, c.shape.Height, c.shape.Width, c.k)
		}
	}
}

// unroll writes the patches of one image, one column per position.
func (c conv) unroll(patches, image []float32) {
	kernel.Im2Col(patches, image, c.shape.Channels, c.shape.Height, c.shape.Width, c.k)
}
