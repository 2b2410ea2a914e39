package algorithm

import (
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// booth is a place for one client that trains a line by gradients.
type booth struct {
	fl.ClientContext
	model   model.Linear
	params  []float32
	batch   model.Batch
	another []model.Batch // drawn one after the other
	stream  rng.Stream
	scratch [3][]float32
}

func (b *booth) Model() model.Model     { return b.model }
func (b *booth) Params(int) []float32   { return b.params }
func (b *booth) Protect([]float32)      {}
func (b *booth) Minibatch() model.Batch { return b.batch }
func (b *booth) Stream(p rng.Purpose) *rng.Stream {
	b.stream.Reset(1, p, 0, 0)
	return &b.stream
}
func (b *booth) ExtraMinibatch(s *rng.Stream) model.Batch {
	if s != &b.stream {
		panic("another stream")
	}
	next := b.another[0]
	b.another = b.another[1:]
	return next
}
func (b *booth) Scratch(s, n int) []float32 { b.scratch[s] = make([]float32, n); return b.scratch[s] }
func (b *booth) Update(dst, params []float32, gradient fl.Gradient) {
	gradient(dst, params, b.batch, nil)
}

// TestMetaGradient: one step on a minibatch of its own, the gradient of all of the batch
// where it leads (spec 9.1); and one step on a minibatch before the model is used. By
// hand, with y = w·x, w = 0.5 and a rate of 0.25: on the one sample (1, 2) the slope is
// 2·(0.5 − 2) = −3, so w steps to 1.25. There the samples (1, 2), (2, 3), (−1, 1) and (3, 5)
// have slopes of −1.5, −2, 4.5 and −7.5, −1.625 in the mean.
func TestMetaGradient(t *testing.T) {
	a := &adapter{rate: 0.25}
	inner := model.Batch{X: []float32{1}, Y: []float32{2}, N: 1}
	b := &booth{params: []float32{0.5}, another: []model.Batch{inner, inner},
		batch: model.Batch{X: []float32{1, 2, -1, 3}, Y: []float32{2, 3, 1, 5}, N: 4}}
	if got := a.Do([]float32{9}, opAdapt, nil, b); !slices.Equal(got, []float32{9, -1.625}) {
		t.Errorf("Do appends %v, want −1.625", got)
	}
	// At 0.5 the slopes are −3, −8, 3 and −21, −7.25 in the mean.
	worn := make([]float32, 1)
	if a.Personalize(worn, b.params, b); worn[0] != 0.5+0.25*7.25 {
		t.Errorf("Wear gives %v, want %v", worn, 0.5+0.25*7.25)
	}
	// A single sample does for both: at 1.25 its slope is −1.5.
	b.batch = inner
	if got := a.Do(nil, opAdapt, nil, b); !slices.Equal(got, []float32{-1.5}) {
		t.Errorf("one sample gives %v, want −1.5", got)
	}
}

// TestPerFedAvgServer: the plain mean of what clients answer, or that by their samples.
func TestPerFedAvgServer(t *testing.T) {
	r := algotest.NewRig(t, "perfedavg", 3, 2, []int{1, 2, 5}, "lr=0.5")
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) { reply.Answer = []float32{float32(i + 1), 1} }
	r.PlayWith(0, []int{0, 1, 2}, 1)
	if want := []float32{-0.5 * (1 + 3) / 2., -0.5}; !slices.Equal(r.Bank.Params, want) {
		t.Errorf("the model moves to %v, want %v", r.Bank.Params, want)
	}
	r = algotest.NewRig(t, "perfedavg", 3, 2, []int{1, 2, 5}, "lr=0.5", "mean=samples")
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) { reply.Answer = []float32{float32(i + 1), 1} }
	r.PlayWith(0, []int{0, 1, 2}, 1)
	if want := []float32{-0.5 * (1*1 + 5*3) / 6., -0.5}; !slices.Equal(r.Bank.Params, want) {
		t.Errorf("the model moves to %v, want %v", r.Bank.Params, want)
	}
	if want := (fl.Traffic{Down: 6, Up: 4}); r.Traffic != want {
		t.Errorf("traffic %+v, want %+v", r.Traffic, want)
	}
}
