package engine

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/workload"
)

// place is a bench as a device sees it: what one client has during one visit.
type place struct {
	*bench
	at      int // client
	v       *visit
	stream  rng.Stream
	another model.Batch
	scratch [][]float32
}

func (p *place) Client() int             { return p.at }
func (p *place) Round() int              { return p.v.round }
func (p *place) Protocol() fl.Protocol   { return p.v.protocol }
func (p *place) Model() model.Model      { return p.bench.model }
func (p *place) Params(k int) []float32  { return p.v.exchange.Bank.Model(k) }
func (p *place) Minibatch() model.Batch  { return p.samples.First(p.batch) }
func (p *place) Probe() model.Batch      { return p.samples.First(p.v.probe) }
func (p *place) State() *[]float32       { return &p.v.exchange.Replies[p.at].ClientState }
func (p *place) Network() *model.Network { n, _ := p.bench.model.(*model.Network); return n }

func (p *place) ExtraMinibatch(s *rng.Stream) model.Batch {
	p.data.Draw(&p.another, p.at, p.batch, s)
	return p.another
}

func (p *place) Held() int {
	if f, ok := p.data.(workload.Finite); ok {
		return f.Holds(p.at)
	}
	return p.Minibatch().N
}

func (p *place) Samples(low, high int) model.Batch {
	f, ok := p.data.(workload.Finite)
	if !ok {
		return p.Minibatch()
	}
	p.order = room(p.order, high-low)
	for i := range p.order {
		p.order[i] = int32(low + i)
	}
	f.Take(&p.piece, p.at, p.order)
	return p.piece
}

// everything is all training samples, or the minibatch where they cannot be counted.
func (p *place) everything() model.Batch { return p.Samples(0, p.Held()) }

func (p *place) Update(dst, params []float32, gradient fl.Gradient) {
	p.Train(dst, params, p.v.protocol.Epochs, gradient)
}

func (p *place) Train(dst, params []float32, epochs int, gradient fl.Gradient) {
	if p.v.protocol.Epochs == 0 {
		epochs = 0
	}
	p.learnBy(dst, params, p.at, p.v, epochs, nil, gradient)
}

func (p *place) Stream(purpose rng.Purpose) *rng.Stream {
	p.stream.Reset(p.seed, purpose, p.v.round, p.at)
	return &p.stream
}

func (p *place) Scratch(slot, n int) []float32 {
	for len(p.scratch) <= slot {
		p.scratch = append(p.scratch, nil)
	}
	p.scratch[slot] = room(p.scratch[slot], n)
	return p.scratch[slot]
}
