package model

import (
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "mlp",
			Title:  "Multilayer perceptron",
			Doc:    "Fully connected layers with ReLU activations, max(x, 0). The papers' rotated digits use one hidden layer of 200.",
			Paper:  registry.CFLGP.At("section 5.2"),
			Fields: []param.Field{fieldHidden},
		},
		Make: Spec{Task: Classification, Make: func(v param.Values, shape Shape, classes int) (*Network, error) {
			return perceptron(slices.Concat([]int{shape.Size()}, widths(v, &fieldHidden), []int{classes})), nil
		}},
	})
}

var fieldHidden = param.Field{Name: "hidden", Label: "Hidden layers", Section: param.Models, Kind: param.Numbers,
	Whole: true, Min: 1, Max: 2000, Default: "200", Advanced: true,
	Doc: "The width of each hidden layer, separated by commas."}

// perceptron stacks dense layers between widths and classifies.
func perceptron(widths []int) *Network {
	layers := denseStack(widths, relu, identity)
	return newNetwork(Classification, widths[0], len(layers)-1, layers)
}

// widths reads the whole numbers of a Numbers field.
func widths(v param.Values, f *param.Field) (out []int) {
	for _, x := range v.Numbers(f.Name) {
		out = append(out, int(x))
	}
	return out
}
