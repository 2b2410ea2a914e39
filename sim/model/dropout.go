package model

import (
	"math"

	"flockscope/sim/rng"
)

// dropout sets each number to 0 with a probability while a gradient is computed, and divides the others by the
// probability that they stay (Srivastava et al., JMLR 2014). Otherwise it changes nothing.
//
// What it drops comes from a stream of its own, which the parameters of the network and the numbers of the sample in this
// layer identify. So it needs no state: it is the same with any number of workers, in whichever pieces a batch passes and
// however often a gradient is computed, and different at the next step.
type dropout struct {
	unweighted
	shape   Shape
	percent int
}

func (l *dropout) result() Shape { return l.shape }
func (*dropout) fanIn() int      { return 1 }
func (l *dropout) outputs() int  { return l.shape.Size() }

func (l *dropout) forward(p *pass) {
	if !p.training {
		copy(p.out, p.in)
		return
	}
	for i := range p.rows {
		l.drop(p.row(p.out, i), p.row(p.in, i), p.row(p.in, i), p.key)
	}
}

func (l *dropout) backward(p *pass) {
	if p.dIn == nil {
		return
	}
	for i := range p.rows {
		l.drop(p.row(p.dIn, i), p.row(p.dOut, i), p.row(p.in, i), p.key)
	}
}

// drop copies src to dst, without what is dropped from the sample in.
func (l *dropout) drop(dst, src, in []float32, key uint64) {
	var s rng.Stream
	s.Reset(key, rng.Units, 0, int(hash(in)))
	drop := float64(l.percent) / 100
	// A branch would go the wrong way for every other number.
	factors := [2]float32{float32(1 / (1 - drop)), 0}
	for j, v := range src {
		dst[j] = v * factors[math.Float64bits(s.Float64()-drop)>>63]
	}
}

// hash returns a number that the bits of x identify (FNV-1a, a word at a time).
func hash(x []float32) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range x {
		h = (h ^ uint64(math.Float32bits(v))) * 1099511628211
	}
	return h
}

var dropoutKind = kind{token: "drop", counts: "percent", usual: 50, most: 90, example: "drop25",
	doc: "dropout, of 50 percent without a number",
	add: func(b *builder, a args) error { return b.push(&dropout{shape: b.shape, percent: a.number}) }}
