package model

import "flockscope/sim/kernel"

// Convolutions without patches, with the same bits.

func newConv(w window, filters int) *conv {
	c := &conv{window: w, filters: filters}
	if c.pointwise() {
		return c
	}
	var from []int
	for y := range w.high {
		for x := range w.wide {
			from = append(from, w.at(0, y, x))
		}
	}
	down, across := w.places()
	height, width := w.phase()
	plane := w.stride * w.stride * height * width
	c.direct = kernel.NewConvolution(filters, w.shape.Channels, plane, from, down, across, width)
	return c
}

func (c *conv) forwardDirect(p *pass) {
	weights, _ := c.parameters()
	for i := range p.rows {
		phases := c.split(p.work[:c.splitSize()], p.row(p.in, i))
		c.direct.Forward(p.row(p.out, i), p.params[:weights], p.params[weights:], phases)
	}
}

func (c *conv) backwardDirect(p *pass) {
	weights, _ := c.parameters()
	spare, dWeights := p.work[:c.splitSize()], p.work[c.splitSize():][:weights]
	c.direct.Transpose(dWeights, p.dParams[:weights])
	for i := range p.rows {
		dOut := p.row(p.dOut, i)
		c.direct.AddGradient(dWeights, dOut, c.split(spare, p.row(p.in, i)))
		kernel.SumPlanes(p.dParams[weights:], dOut, c.filters, c.positions())
		if p.dIn == nil {
			continue
		}
		dPhases := spare
		if c.plain() {
			dPhases = p.row(p.dIn, i)
		}
		c.direct.Back(dPhases, p.params[:weights], dOut)
		c.merge(p.row(p.dIn, i), dPhases)
	}
	c.direct.TransposeBack(p.dParams[:weights], dWeights)
}
