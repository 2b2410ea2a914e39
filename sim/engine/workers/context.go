package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// clientContext implements [fl.ClientContext] on a workspace: what the device of one client can use
// during one job.
type clientContext struct {
	*Workspace
	client  int
	job     *Job
	stream  rng.Stream
	extra   model.Batch
	held    model.Batch // result of Samples; training uses another batch
	numbers []int32
	scratch [][]float32
}

func (p *clientContext) Client() int            { return p.client }
func (p *clientContext) Round() int             { return p.job.Round }
func (p *clientContext) Protocol() fl.Protocol  { return p.job.Protocol }
func (p *clientContext) Model() model.Model     { return p.Workspace.Model }
func (p *clientContext) Params(k int) []float32 { return p.job.Exchange.Bank.Model(k) }
func (p *clientContext) Minibatch() model.Batch { return p.Workspace.Samples.First(p.batch) }
func (p *clientContext) Probe() model.Batch     { return p.Workspace.Samples.First(p.job.Probe) }
func (p *clientContext) State() *[]float32      { return &p.job.Exchange.Replies[p.client].ClientState }
func (p *clientContext) Broadcast() []float32   { return p.job.Broadcast }
func (p *clientContext) Network() *model.Network {
	n, _ := p.Workspace.Model.(*model.Network)
	return n
}

func (p *clientContext) ExtraMinibatch(s *rng.Stream) model.Batch {
	p.data.Draw(&p.extra, p.client, p.batch, s)
	p.poison(&p.extra, p.client)
	return p.extra
}

func (p *clientContext) SampleCount() int {
	if f, ok := p.data.(workload.Finite); ok {
		return f.Holds(p.client)
	}
	return p.Minibatch().N
}

func (p *clientContext) Samples(low, high int) model.Batch {
	f, ok := p.data.(workload.Finite)
	if !ok {
		return p.Minibatch()
	}
	p.numbers = trace.Resize(p.numbers, high-low)
	for i := range p.numbers {
		p.numbers[i] = int32(low + i)
	}
	f.Take(&p.held, p.client, p.numbers)
	p.poison(&p.held, p.client)
	return p.held
}

// allSamples returns all training samples, or the minibatch if every round has new samples.
func (p *clientContext) allSamples() model.Batch { return p.Samples(0, p.SampleCount()) }

func (p *clientContext) Update(dst, params []float32, gradient fl.Gradient) {
	p.Train(dst, params, p.job.Protocol.Epochs, gradient)
}

func (p *clientContext) Train(dst, params []float32, epochs int, gradient fl.Gradient) {
	if p.job.Protocol.Epochs == 0 {
		epochs = 0
	}
	p.updateBy(dst, params, p.client, p.job, epochs, nil, gradient)
}

func (p *clientContext) Protect(update []float32) { p.protect(update, p.client, p.job) }

func (p *clientContext) Quantize(values []float32) { quantize(values, &p.job.Protocol) }

func (p *clientContext) Stream(purpose rng.Purpose) *rng.Stream {
	p.stream.Reset(p.seed, purpose, p.job.Round, p.client)
	return &p.stream
}

func (p *clientContext) Scratch(slot, n int) []float32 {
	for len(p.scratch) <= slot {
		p.scratch = append(p.scratch, nil)
	}
	p.scratch[slot] = trace.Resize(p.scratch[slot], n)
	return p.scratch[slot]
}
