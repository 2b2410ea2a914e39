package model

import (
	"math"
	"slices"
	"sync"
	"testing"
)

// TestSizes: the parameter counts that the papers' models are known by.
func TestSizes(t *testing.T) {
	digits := Shape{28, 28, 1}
	tests := []struct {
		name, model string
		shape       Shape
		classes     int
		settings    []string
		size, head  int
	}{
		{"rotated digits of CFL-GP and IFCA", "mlp", digits, 10, nil, 159_010, 2010},
		{"HCFL in a browser", "mlp", digits, 10, []string{"hidden=64"}, 50_890, 650},
		{"no hidden layer", "mlp", digits, 10, []string{"hidden="}, 7850, 7850},
		{"softmax", "softmax", digits, 10, nil, 7850, 7850},
		{"CLoVE, digits", "cnn", digits, 10, nil, 5142, 2570},
		{"Sattler, letters", "cnn", digits, 62, nil, 18_506, 15_934},
		{"colour", "cnn", Shape{32, 32, 3}, 10, nil, 6882, 4010},
		{"smallest image", "cnn", Shape{16, 16, 1}, 2, nil, 156 + 2416 + 34, 34},
		{"CLoVE, unsupervised", "autoencoder", digits, 0, []string{"code=" + PaperCode}, 2_000_964, 1_000_776},
		{"narrow at the end", "autoencoder", flat(10), 0, []string{"code=6,3"}, 66 + 21 + 40, 40},
		{"default autoencoder", "autoencoder", digits, 0, nil, 2*784*64 + 2*64*16 + 784 + 64 + 16 + 64, 784*64 + 64*16 + 784 + 64},
		{"CLoVE, mixed regression", "linear", flat(20), 0, nil, 20, 20},
		{"with a constant", "linear", flat(20), 0, []string{"bias=1"}, 21, 21},
	}
	for _, tt := range tests {
		n := network(t, tt.model, tt.shape, tt.classes, tt.settings...)
		if n.Size() != tt.size || n.Inputs() != tt.shape.Size() {
			t.Errorf("%s: Size(), Inputs() = %d, %d, want %d, %d", tt.name, n.Size(), n.Inputs(), tt.size,
				tt.shape.Size())
		}
		head, trunk := n.Head(), n.Trunk()
		if head.Len() != tt.head || head.Hi != n.Size() || trunk.Lo != 0 || trunk.Hi != head.Lo {
			t.Errorf("%s: Head() = %+v, Trunk() = %+v, want a head of %d at the end and the rest", tt.name, head, trunk,
				tt.head)
		}
	}
}

// TestSegments: names in order, and no gaps.
func TestSegments(t *testing.T) {
	want := []string{"conv1.weight", "conv1.bias", "conv2.weight", "conv2.bias", "dense1.weight", "dense1.bias"}
	var got []string
	for _, s := range network(t, "cnn", Shape{16, 16, 1}, 3).Segments() {
		got = append(got, s.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("segments of cnn = %v, want %v", got, want)
	}
	for _, n := range small(t) {
		at, begins := 0, false
		for _, s := range n.Segments() {
			if s.Lo != at || s.Hi <= s.Lo {
				t.Errorf("%s: segment %+v, want one from %d on", describe(n), s, at)
			}
			begins = begins || s.Lo == n.Head().Lo
			at = s.Hi
		}
		if at != n.Size() || !begins {
			t.Errorf("%s: segments end at %d of %d, head %+v begins one: %v", describe(n), at, n.Size(), n.Head(),
				begins)
		}
	}
}

// TestInit: U(−b, b) with b = 1/√inputs, whose variance is b²/3 and whose fourth
// moment is b⁴/5. Mean and variance are asked to within six deviations.
func TestInit(t *testing.T) {
	for seed := range 20 {
		n := network(t, "cnn", Shape{28, 28, 1}, 10)
		params := make([]float32, n.Size())
		n.Init(params, stream(seed, 0, 0))
		for i, s := range n.Segments() {
			bound := 1 / math.Sqrt([]float64{25, 25, 150, 150, 256, 256}[i])
			sum, square, count := 0.0, 0.0, float64(s.Len())
			for _, p := range s.Of(params) {
				x := float64(p) / bound
				if math.Abs(x) > 1+unit {
					t.Errorf("seed %d: %s has %v, want at most %v", seed, s.Name, p, bound)
				}
				sum += x
				square += x * x
			}
			if mean := sum / count; math.Abs(mean) > 6*math.Sqrt(1/(3*count)) {
				t.Errorf("seed %d: %s has the mean %v bounds, want 0", seed, s.Name, mean)
			}
			if v := square / count; math.Abs(v-1./3) > 6*math.Sqrt((1./5-1./9)/count) {
				t.Errorf("seed %d: %s has the variance %v bounds², want 1/3", seed, s.Name, v)
			}
		}
		again := make([]float32, n.Size())
		n.Init(again, stream(seed, 0, 0))
		if !slices.Equal(params, again) {
			t.Errorf("seed %d: Init twice from one stream differs", seed)
		}
	}
}

// TestDescent: every network learns the few samples it is shown.
func TestDescent(t *testing.T) {
	for _, n := range small(t) {
		params, b := draw(n, 3, 6)
		gradient, o := make([]float32, n.Size()), Adam()
		before := n.Loss(params, b)
		for range 100 {
			n.Gradient(gradient, params, b)
			o.Step(params, gradient, 0.01)
		}
		if after := n.Loss(params, b); !(after < 0.9*before) {
			t.Errorf("%s: loss %v after 100 steps, want less than 0.9 of %v", describe(n), after, before)
		}
	}
}

// TestFreshAtTheSameTime: equal networks may work at once.
func TestFreshAtTheSameTime(t *testing.T) {
	for _, n := range small(t) {
		params, b := draw(n, 4, 20)
		want := make([]float32, n.Size())
		n.Gradient(want, params, b)
		var wg sync.WaitGroup
		got := make([][]float32, 4)
		for i := range got {
			got[i] = make([]float32, n.Size())
			fresh := Fresh(n)
			wg.Go(func() { fresh.Gradient(got[i], params, b) })
		}
		wg.Wait()
		for i := range got {
			if !slices.Equal(got[i], want) {
				t.Errorf("%s: network %d of 4 at once differs from the first", describe(n), i)
			}
		}
	}
	if m := (Linear{Intercept: true}); Fresh(m).(Linear).Intercept != m.Intercept {
		t.Errorf("Fresh(%v) = %v, want the same", m, Fresh(m))
	}
}

// TestNoAllocation: after the largest batch, nothing allocates.
func TestNoAllocation(t *testing.T) {
	for _, n := range small(t) {
		params, b := draw(n, 5, pieceRows+3)
		gradient, out := make([]float32, n.Size()), make([]float32, b.N*n.Outputs())
		optimisers := []*Optimiser{SGD(), Momentum(0.9), Adam()}
		confusion := make([]uint16, n.Outputs()*n.Outputs())
		joint, _ := headsOf(n, params)
		shared, features := make([]float32, len(joint)), make([]float32, b.N*n.Width())
		weights := [][]float32{out[:b.N], out[:b.N], out[:b.N]}
		calls := func() {
			n.Gradient(gradient, params, b)
			n.Features(features, params, b)
			n.Losses(out, params, b.WithFeatures(features))
			n.Heads(shared[n.Head().Lo:], joint[n.Head().Lo:], features, b, weights)
			if n.Trunk().Len() > 0 {
				n.TrunkAndHeads(shared, joint, b, weights)
			}
			n.Gradient(gradient, params, b.First(5))
			n.Loss(params, b)
			n.Losses(out, params, b)
			n.Predict(out, params, b)
			for _, o := range optimisers {
				o.Reset()
				o.Step(params, gradient, 1e-3)
			}
			if n.Task() == Classification {
				n.Correct(params, b)
				n.Confusion(confusion, params, b)
			}
		}
		if got := testing.AllocsPerRun(2, calls); got != 0 {
			t.Errorf("%s: %v allocations, want 0", describe(n), got)
		}
	}
}
