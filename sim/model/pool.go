package model

import "flockscope/sim/kernel"

// unweighted is what layers without parameters and products have in common.
type unweighted struct{}

func (unweighted) name() string                      { return "" }
func (unweighted) parameters() (weights, biases int) { return 0, 0 }
func (unweighted) multiplyAdds() int                 { return 0 }
func (unweighted) scratch() int                      { return 0 }

// pool takes the largest of every square of side k of each channel, one square beside the other; last rows and columns
// that fill no square are ignored. Of equal values, the first gets the gradient. On sequences a square has one row.
type pool struct {
	unweighted
	squares
}

// squares are the squares of side k of an image, or pieces of length k of a sequence.
type squares struct {
	shape Shape // shape of the input
	k     int
}

// high is the height of a square.
func (l *squares) high() int {
	if l.shape.Height == 1 {
		return 1
	}
	return l.k
}

// result returns the shape of the output.
func (l *squares) result() Shape {
	return Shape{l.shape.Height / l.high(), l.shape.Width / l.k, l.shape.Channels}
}

func (l *squares) fanIn() int   { return l.high() * l.k }
func (l *squares) outputs() int { return l.result().Size() }

// visit calls f for every square of rows samples, with its place in the output and where it begins in the input.
func (l *squares) visit(rows int, f func(out, in int)) {
	to, down, across := 0, l.result().Height, l.result().Width
	for plane := range rows * l.shape.Channels {
		for y := range down {
			for x := range across {
				f(to, (plane*l.shape.Height+y*l.high())*l.shape.Width+x*l.k)
				to++
			}
		}
	}
}

func (l *pool) forward(p *pass) {
	if l.k == 2 && l.high() == 2 {
		kernel.MaxPool2(p.out, p.in, p.rows*l.shape.Channels, l.shape.Height, l.shape.Width)
		return
	}
	l.visit(p.rows, func(out, in int) { p.out[out] = p.in[l.largest(p.in, in)] })
}

func (l *pool) backward(p *pass) {
	switch {
	case p.dIn == nil:
	case l.k == 2 && l.high() == 2:
		kernel.MaxPool2Back(p.dIn, p.dOut, p.in, p.rows*l.shape.Channels, l.shape.Height, l.shape.Width)
	default:
		clear(p.dIn)
		l.visit(p.rows, func(out, in int) { p.dIn[l.largest(p.in, in)] = p.dOut[out] })
	}
}

// largest returns the place of the largest number of the square that begins at from.
func (l *pool) largest(in []float32, from int) int {
	best := from
	for y := range l.high() {
		for at := from + y*l.shape.Width; at < from+y*l.shape.Width+l.k; at++ {
			if in[at] > in[best] {
				best = at
			}
		}
	}
	return best
}

var poolKind = kind{token: "pool", counts: "side", usual: 2, most: mostSide, example: "pool",
	doc: "the largest of every 2×2 square, or k×k square with a number; of k neighbours in a sequence",
	add: func(b *builder, a args) error {
		s, err := b.squares(a.number)
		if err != nil {
			return err
		}
		return b.push(&pool{squares: s})
	}}
