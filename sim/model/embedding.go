package model

import "flockscope/sim/rng"

// embedding replaces each token of a text by a vector of parameters. Samples are numbers of tokens, 0 to tokens−1; any
// other number counts as 0. The output is a sequence of one row, whose channels are the dimensions of the vectors.
type embedding struct{ length, tokens, width int }

func (l *embedding) result() Shape                     { return Shape{1, l.length, l.width} }
func (*embedding) name() string                        { return "embed" }
func (l *embedding) parameters() (weights, biases int) { return l.tokens * l.width, 0 }
func (*embedding) fanIn() int                          { return 1 }
func (l *embedding) outputs() int                      { return l.length * l.width }
func (*embedding) multiplyAdds() int                   { return 0 }
func (*embedding) scratch() int                        { return 0 }

// start draws vectors from the standard normal distribution, as PyTorch does.
func (l *embedding) start(params []float32, s *rng.Stream) {
	for i := range params {
		params[i] = float32(s.Normal())
	}
}

func (l *embedding) forward(p *pass) {
	for i := range p.rows {
		out := p.row(p.out, i)
		for t, token := range p.row(p.in, i) {
			for e, v := range l.vector(p.params, token) {
				out[e*l.length+t] = v
			}
		}
	}
}

func (l *embedding) backward(p *pass) {
	if !p.accumulate {
		clear(p.dParams)
	}
	for i := range p.rows {
		dOut := p.row(p.dOut, i)
		for t, token := range p.row(p.in, i) {
			vector := l.vector(p.dParams, token)
			for e := range vector {
				vector[e] += dOut[e*l.length+t]
			}
		}
	}
	if p.dIn != nil {
		clear(p.dIn) // tokens have no derivative
	}
}

// vector returns the vector of a token.
func (l *embedding) vector(params []float32, token float32) []float32 {
	k := 0
	if token > 0 && token < float32(l.tokens) {
		k = int(token)
	}
	return params[k*l.width : (k+1)*l.width]
}

var embeddingKind = kind{token: "embed", counts: "dimensions", most: mostFilters, example: "embed32",
	doc: "a vector of parameters for each token of a text; the first layer",
	add: func(b *builder, a args) error {
		switch {
		case len(b.layers) > 0:
			return b.refuse("it must be the first layer")
		case b.sample.Tokens == 0:
			return b.refuse("it needs texts as tokens; these samples are numbers")
		}
		return b.push(&embedding{b.sample.Size(), b.sample.Tokens, a.number})
	}}
