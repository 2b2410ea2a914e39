package model

import "flockscope/sim/kernel"

// average takes the mean of every square, as [pool] takes the largest.
type average struct {
	unweighted
	squares
}

func (l *average) forward(p *pass) {
	n := float32(l.fanIn())
	l.visit(p.rows, func(out, in int) {
		sum := float32(0)
		for y := range l.high() {
			for _, v := range p.in[in+y*l.shape.Width:][:l.k] {
				sum += v
			}
		}
		p.out[out] = sum / n
	})
}

func (l *average) backward(p *pass) {
	if p.dIn == nil {
		return
	}
	n := float32(l.fanIn())
	clear(p.dIn)
	l.visit(p.rows, func(out, in int) {
		d := p.dOut[out] / n
		for y := range l.high() {
			square := p.dIn[in+y*l.shape.Width:][:l.k]
			for i := range square {
				square[i] = d
			}
		}
	})
}

var averageKind = kind{token: "avg", counts: "side", usual: 2, most: mostSide, example: "avg",
	doc: "the mean of every 2×2 square, or k×k square with a number",
	add: func(b *builder, a args) error {
		s, err := b.squares(a.number)
		if err != nil {
			return err
		}
		return b.push(&average{squares: s})
	}}

// global takes one number of each channel: its mean, or its largest number.
type global struct {
	unweighted
	shape   Shape
	largest bool
}

func (l *global) plane() int    { return l.shape.Height * l.shape.Width }
func (l *global) result() Shape { return Shape{1, 1, l.shape.Channels} }
func (l *global) fanIn() int    { return l.plane() }
func (l *global) outputs() int  { return l.shape.Channels }

func (l *global) forward(p *pass) {
	n := l.plane()
	if l.largest {
		for c := range p.out {
			p.out[c] = p.in[c*n : (c+1)*n][argmax(p.in[c*n:(c+1)*n])]
		}
		return
	}
	clear(p.out)
	kernel.SumPlanes(p.out, p.in, len(p.out), n)
	kernel.Scale(p.out, 1/float32(n))
}

func (l *global) backward(p *pass) {
	if p.dIn == nil {
		return
	}
	n := l.plane()
	clear(p.dIn)
	if l.largest {
		for c, d := range p.dOut {
			p.dIn[c*n+argmax(p.in[c*n:(c+1)*n])] = d
		}
		return
	}
	kernel.Scale(p.dOut, 1/float32(n))
	kernel.AddBiasPlanes(p.dIn, p.dOut, len(p.dOut), n)
}

var globalAverageKind = kind{token: "gap", example: "gap", doc: "the mean of each channel", add: addGlobal(false)}
var globalMaxKind = kind{token: "gmax", example: "gmax", doc: "the largest number of each channel", add: addGlobal(true)}

func addGlobal(largest bool) func(*builder, args) error {
	return func(b *builder, _ args) error {
		if b.shape.Height*b.shape.Width == 1 {
			return b.refuse("it needs a picture or a sequence, and gets %s", b.size())
		}
		return b.push(&global{shape: b.shape, largest: largest})
	}
}
