package algotest

import (
	"math"

	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// FakeClient is a client made by hand: it has a line as its model, and few enough samples to check by hand.
type FakeClient struct {
	fl.ClientContext // for methods that tests do not call
	Models           [][]float32
	Batch            model.Batch
	epochs           int
	Own              []float32
	Received         []float32 // the broadcast that the server would send now
	scratch          [16][]float32
}

func (d *FakeClient) Protocol() fl.Protocol {
	return fl.Protocol{Rate: 0.1, Epochs: d.epochs, Digits: -1}
}
func (d *FakeClient) Model() model.Model             { return model.Linear{} }
func (d *FakeClient) Network() *model.Network        { return nil }
func (d *FakeClient) Params(k int) []float32         { return d.Models[k] }
func (d *FakeClient) Probe() model.Batch             { return d.Batch }
func (d *FakeClient) SampleCount() int               { return d.Batch.N }
func (d *FakeClient) Samples(int, int) model.Batch   { return d.Batch }
func (d *FakeClient) State() *[]float32              { return &d.Own }
func (d *FakeClient) Broadcast() []float32           { return d.Received }
func (d *FakeClient) Protect([]float32)              {}
func (d *FakeClient) Quantize([]float32)             {}
func (d *FakeClient) Stream(rng.Purpose) *rng.Stream { return nil }

func (d *FakeClient) Scratch(slot, n int) []float32 {
	if cap(d.scratch[slot]) < n {
		d.scratch[slot] = make([]float32, n)
	}
	d.scratch[slot] = d.scratch[slot][:n]
	return d.scratch[slot]
}

// Update returns one gradient on all samples, or fixed updates if there are epochs.
func (d *FakeClient) Update(dst, params []float32, gradient fl.Gradient) {
	if d.epochs > 0 {
		gradient(dst, params, d.Batch, inOrder)
		return
	}
	gradient(dst, params, d.Batch, nil)
}

var inOrder = []int32{0, 1, 2}

// ThreeSamples is a desk with the samples (1, 0), (1, 1), (1, 3) and slopes of 0 and 2, with losses of 0, 1, 9 and 4,
// 1, 1.
func ThreeSamples(epochs int) *FakeClient {
	return &FakeClient{Models: [][]float32{{0}, {2}}, epochs: epochs,
		Batch: model.Batch{X: []float32{1, 1, 1}, Y: []float32{0, 1, 3}, N: 3}}
}

// Sigmoid returns the responsibility of the first of two models if its score is better by gap.
func Sigmoid(gap float64) float64 { return 1 / (1 + math.Exp(-gap)) }

// Near reports whether two numbers are equal up to rounding.
func Near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(a), math.Abs(b)) }
