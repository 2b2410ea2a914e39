package model

import (
	"slices"
	"strconv"
	"strings"

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
		Make: Spec{Task: Classification, Make: func(v param.Values, in Samples) (*Network, error) {
			return perceptron(in, widths(v, &fieldHidden)), nil
		}, Text: func(v param.Values) string { return denseText(widths(v, &fieldHidden)) }},
	})
}

var fieldHidden = param.Field{Name: "hidden", Label: "Hidden layers", Section: param.Models, Kind: param.Numbers,
	Whole: true, Min: 1, Max: 2000, Default: "200", Advanced: true,
	Doc: "The width of each hidden layer, separated by commas."}

// perceptron classifies by dense layers, with hidden ones of the given widths.
func perceptron(in Samples, hidden []int) *Network {
	layers := denseStack(slices.Concat([]int{in.Size()}, hidden, []int{in.Classes}), relu, identity)
	return newNetwork(Classification, in.Shape, len(layers)-1, layers)
}

// denseText is the text of dense layers with ReLU.
func denseText(widths []int) string {
	parts := make([]string, len(widths))
	for i, width := range widths {
		parts[i] = "dense" + strconv.Itoa(width) + "-relu"
	}
	return strings.Join(parts, "-")
}

// widths reads the whole numbers of a Numbers field.
func widths(v param.Values, f *param.Field) (out []int) {
	for _, x := range v.Numbers(f.Name) {
		out = append(out, int(x))
	}
	return out
}
