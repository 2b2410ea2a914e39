package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// booth is a place for one client that trains a line by gradients.
type booth struct {
	fl.Place
	model   model.Linear
	params  []float32
	batch   model.Batch
	scratch [3][]float32
}

func (b *booth) Model() model.Model         { return b.model }
func (b *booth) Params(int) []float32       { return b.params }
func (b *booth) Minibatch() model.Batch     { return b.batch }
func (b *booth) Scratch(s, n int) []float32 { b.scratch[s] = make([]float32, n); return b.scratch[s] }
func (b *booth) Update(dst, params []float32, gradient fl.Gradient) {
	gradient(dst, params, b.batch, nil)
}

// TestMetaGradient: one step on the first half, the gradient of the second half
// where it leads (spec 9.1); and one step on a minibatch before the model is used.
func TestMetaGradient(t *testing.T) {
	const rate = 0.25
	a := &adapter{rate: rate}
	x, y := []float32{1, 2, -1, 3}, []float32{2, 3, 1, 5}
	b := &booth{params: []float32{0.5}, batch: model.Batch{X: x, Y: y, N: 4}}
	slope := func(w float64, low, high int) (g float64) { // of the mean squared error
		for i := low; i < high; i++ {
			g += 2 * (w*float64(x[i]) - float64(y[i])) * float64(x[i]) / float64(high-low)
		}
		return g
	}
	stepped := 0.5 - rate*slope(0.5, 0, 2)
	want := slope(stepped, 2, 4)
	got := a.Do([]float32{9}, adapt, nil, b)
	if len(got) != 2 || got[0] != 9 || math.Abs(float64(got[1])-want) > 1e-5 {
		t.Errorf("Do appends %v, want %v, the gradient at %v", got, want, stepped)
	}
	worn := make([]float32, 1)
	if a.Wear(worn, b.params, b); math.Abs(float64(worn[0])-(0.5-rate*slope(0.5, 0, 4))) > 1e-5 {
		t.Errorf("Wear gives %v, want %v", worn, 0.5-rate*slope(0.5, 0, 4))
	}
	b.batch = model.Batch{X: x[:1], Y: y[:1], N: 1}
	if got := a.Do(nil, adapt, nil, b); !slices.Equal(got, []float32{0}) {
		t.Errorf("one sample gives %v, want 0", got)
	}
}

// TestPerFedAvgServer: the plain mean of what clients answer, or that by their samples.
func TestPerFedAvgServer(t *testing.T) {
	r := newRig(t, "perfedavg", 3, 2, []int{1, 2, 5}, "lr=0.5")
	r.answer = func(i int, task *fl.Task, reply *fl.Reply) { reply.Answer = []float32{float32(i + 1), 1} }
	r.roll(0, []int{0, 1, 2}, 1)
	if want := []float32{-0.5 * (1 + 3) / 2., -0.5}; !slices.Equal(r.bank.Params, want) {
		t.Errorf("the model moves to %v, want %v", r.bank.Params, want)
	}
	r = newRig(t, "perfedavg", 3, 2, []int{1, 2, 5}, "lr=0.5", "mean=samples")
	r.answer = func(i int, task *fl.Task, reply *fl.Reply) { reply.Answer = []float32{float32(i + 1), 1} }
	r.roll(0, []int{0, 1, 2}, 1)
	if want := []float32{-0.5 * (1*1 + 5*3) / 6., -0.5}; !slices.Equal(r.bank.Params, want) {
		t.Errorf("the model moves to %v, want %v", r.bank.Params, want)
	}
	if want := (fl.Traffic{Down: 6, Up: 4}); r.traffic != want {
		t.Errorf("traffic %+v, want %+v", r.traffic, want)
	}
}
