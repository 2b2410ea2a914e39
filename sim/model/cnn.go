package model

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:  "cnn",
			Title: "Convolutional network",
			Doc:   "Two convolutional layers, each followed by 2 × 2 max pooling, and a dense layer.",
			Paper: registry.CLoVE.At("GenConvNet of the released code"),
		},
		Make: Spec{Task: Classification, Make: makeCNN,
			Text: fixed("conv6k5p0-pool-relu-conv16k5p0-pool-relu")},
	})
}

// makeCNN builds conv5×5(6)-pool-ReLU-conv5×5(16)-pool-ReLU-dense. The papers take ReLU before the pool, which gives
// the same numbers, because the maximum of four and max(x, 0) commute, but takes four times the work.
func makeCNN(_ param.Values, in Samples) (*Network, error) {
	const side, least = 5, 16
	shape := in.Shape
	if shape.Height < least || shape.Width < least {
		return nil, say.Errorf("cnn: images of %d×%d, want at least %d×%d", shape.Height, shape.Width, least, least)
	}
	first := newConv(square(shape, side, 1, 0), 6)
	half := &pool{squares: squares{first.result(), 2}}
	second := newConv(square(half.result(), side, 1, 0), 16)
	quarter := &pool{squares: squares{second.result(), 2}}
	layers := []stage{
		{first, identity}, {half, relu},
		{second, identity}, {quarter, relu},
		{&dense{quarter.outputs(), in.Classes, true}, identity},
	}
	return newNetwork(Classification, shape, len(layers)-1, layers), nil
}
