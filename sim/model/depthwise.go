package model

import "flockscope/sim/kernel"

// depthwise is a convolution of each channel by itself, with one filter per channel (Howard et al., "MobileNets", 2017).
// Weights are stored channels × high × wide.
//
// Its products are too small for a product of matrices. It multiplies a whole phase by one weight at a time, so that
// sums run over numbers between the rows of the output, too, which are thrown away.
type depthwise struct{ window }

func (d *depthwise) result() Shape {
	down, across := d.places()
	return Shape{down, across, d.shape.Channels}
}

func (*depthwise) name() string { return "depthwise" }
func (d *depthwise) parameters() (weights, biases int) {
	return d.shape.Channels * d.weights(), d.shape.Channels
}
func (d *depthwise) fanIn() int        { return d.weights() }
func (d *depthwise) outputs() int      { return d.shape.Channels * d.positions() }
func (d *depthwise) multiplyAdds() int { return d.outputs() * d.weights() }

// strip is the number of places from the first position to the last, in rows as wide as a phase.
func (d *depthwise) strip() int {
	down, across := d.places()
	_, width := d.phase()
	return (down-1)*width + across
}

// scratch holds the phases of one sample, their derivatives, and a strip.
func (d *depthwise) scratch() int { return 2*d.splitSize() + d.strip() }

func (d *depthwise) forward(p *pass) {
	weights, _ := d.parameters()
	strip := p.work[2*d.splitSize():]
	for i := range p.rows {
		phases, out := d.split(p.work[:d.splitSize()], p.row(p.in, i)), p.row(p.out, i)
		for c := range d.shape.Channels {
			clear(strip)
			for k, weight := range p.params[c*d.weights():][:d.weights()] {
				at := d.at(c, k/d.wide, k%d.wide)
				kernel.Axpy(strip, weight, phases[at:at+len(strip)])
			}
			d.cut(out[c*d.positions():], strip)
		}
		kernel.AddBiasPlanes(out, p.params[weights:], d.shape.Channels, d.positions())
	}
}

func (d *depthwise) backward(p *pass) {
	weights, _ := d.parameters()
	if !p.accumulate {
		clear(p.dParams)
	}
	n := d.splitSize()
	strip := p.work[2*n:]
	clear(strip) // the numbers between the rows stay 0
	for i := range p.rows {
		phases, dOut := d.split(p.work[:n], p.row(p.in, i)), p.row(p.dOut, i)
		var dPhases []float32
		if p.dIn != nil {
			dPhases = p.work[n : 2*n]
			if d.plain() {
				dPhases = p.row(p.dIn, i)
			}
			clear(dPhases)
		}
		for c := range d.shape.Channels {
			d.spread(strip, dOut[c*d.positions():])
			for k := range d.weights() {
				at, j := d.at(c, k/d.wide, k%d.wide), c*d.weights()+k
				p.dParams[j] += float32(kernel.Dot(strip, phases[at:at+len(strip)]))
				if dPhases != nil {
					kernel.Axpy(dPhases[at:at+len(strip)], p.params[j], strip)
				}
			}
		}
		kernel.SumPlanes(p.dParams[weights:], dOut, d.shape.Channels, d.positions())
		if dPhases != nil {
			d.merge(p.row(p.dIn, i), dPhases)
		}
	}
}

// cut copies the positions of a strip to a plane.
func (d *depthwise) cut(plane, strip []float32) {
	down, across := d.places()
	_, width := d.phase()
	kernel.CopyRows(plane, strip, down, across, kernel.Apart(across), kernel.Apart(width))
}

// spread copies a plane to the positions of a strip.
func (d *depthwise) spread(strip, plane []float32) {
	down, across := d.places()
	_, width := d.phase()
	kernel.CopyRows(strip, plane, down, across, kernel.Apart(width), kernel.Apart(across))
}

var depthwiseKind = kind{token: "dw", options: "ksp", example: "dws2",
	doc: "depthwise convolution, one filter per channel, with k3, s1, and padding that keeps the size",
	add: func(b *builder, a args) error {
		w, err := b.window(a, 3)
		if err != nil {
			return err
		}
		return b.push(&depthwise{w})
	}}
