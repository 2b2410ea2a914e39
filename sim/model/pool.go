package model

import "flockscope/sim/kernel"

// pool takes the largest of every 2×2 square of each channel; an odd last row
// or column is ignored. Of equal values, the first gets the gradient.
type pool struct{ shape Shape } // shape of the input

// result returns the shape of the output.
func (l pool) result() Shape {
	return Shape{l.shape.Height / 2, l.shape.Width / 2, l.shape.Channels}
}

func (pool) name() string                      { return "" }
func (pool) parameters() (weights, biases int) { return 0, 0 }
func (pool) fanIn() int                        { return 4 }
func (l pool) outputs() int                    { return l.result().Size() }
func (pool) scratch() int                      { return 0 }
func (pool) multiplyAdds() int                 { return 0 }

func (l pool) forward(p *pass) {
	kernel.MaxPool2(p.out, p.in, p.rows*l.shape.Channels, l.shape.Height, l.shape.Width)
}

func (l pool) backward(p *pass) {
	kernel.MaxPool2Back(p.dIn, p.dOut, p.in, p.rows*l.shape.Channels, l.shape.Height, l.shape.Width)
}
