package workload

import (
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// centralised returns the test accuracy of a network that was trained on a whole set by momentum.
func centralised(t *testing.T, net string, set *dataset.Set, epochs int, rate float32) float64 {
	t.Helper()
	of := model.Samples{Shape: model.Shape(set.Shape), Classes: set.Classes}
	e, known := model.Registry.Lookup(net)
	given := param.Given{}
	for f := range param.All(e.Fields) {
		given[f.Name] = f.Default
	}
	n, err := model.Parse(net, of)
	if known {
		n, err = e.Make.Make(given.Values(), of)
	}
	if err != nil {
		t.Fatal(err)
	}
	const size = 64
	var s rng.Stream
	s.Reset(1, rng.Training, 0, 0)
	params, grad := make([]float32, n.Size()), make([]float32, n.Size())
	n.Init(params, &s)
	w := &shared{set: set, network: n}
	pixels := make([]float32, set.Shape.Size())
	var b model.Batch
	fill := func(order []int32) {
		b.Resize(len(order), n.Inputs())
		for j, at := range order {
			set.Row(pixels, int(at))
			w.planes(b.X[j*n.Inputs():(j+1)*n.Inputs()], pixels)
			b.Y[j] = float32(set.Label[at])
		}
	}
	descent := model.Momentum(.9)
	order := integers(0, set.Train)
	for range epochs {
		for i := len(order) - 1; i > 0; i-- {
			j := s.IntN(i + 1)
			order[i], order[j] = order[j], order[i]
		}
		for at := 0; at+size <= len(order); at += size {
			fill(order[at : at+size])
			n.Gradient(grad, params, b)
			descent.Step(params, grad, rate)
		}
	}
	fill(integers(set.Train, set.Len()))
	return float64(n.Correct(params, b)) / float64(set.Len()-set.Train)
}

// TestShapesAreNotLinear: a linear model of the colour shapes reaches at most 45 %.
func TestShapesAreNotLinear(t *testing.T) {
	for _, rate := range []float32{.002, .01} {
		if got := centralised(t, "softmax", dataset.Shapes(1, 4000), 6, rate); got > .45 || got < .15 {
			t.Errorf("softmax with rate %v on shapes: accuracy %.3f, want above chance and at most 0.45", rate, got)
		}
	}
}

// TestShapesSuitConvolutions: convolutions reach at least 80 %, with any seed.
func TestShapesSuitConvolutions(t *testing.T) {
	if testing.Short() {
		t.Skip("trains networks for seconds")
	}
	for seed := range uint64(3) {
		for _, net := range []string{"cnn", "conv16-relu-pool-conv32-relu-pool-conv64-relu-pool"} {
			if got := centralised(t, net, dataset.Shapes(seed, 7200), 6, .02); got < .8 {
				t.Errorf("%s on shapes of seed %d: accuracy %.3f, want 0.8 at least", net, seed, got)
			}
		}
	}
}
