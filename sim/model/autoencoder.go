package model

import (
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "autoencoder",
			Title:  "Autoencoder",
			Doc:    "Compresses every sample through a narrow layer and reconstructs it, so that no labels are needed. The loss is the mean squared error; by default, clients train it for one epoch per round with Adam.",
			Paper:  registry.CLoVE.At("unsupervised experiments"),
			Fields: []param.Field{fieldCode},
		},
		Make: Spec{Task: Reconstruction, Make: func(v param.Values, in Samples) (*Network, error) {
			inner := widths(v, &fieldCode)
			size := []int{in.Size()}
			layers := denseStack(slices.Concat(size, inner, size), relu, sigmoid)
			encoder := encoderOf(inner)
			return newNetwork(Reconstruction, in.Shape, encoder, layers), nil
		}, Text: codeText,
			// As in CLoVE's experiments; after a hundred steps of plain SGD with a rate of 0.1
			// every reconstruction would still be grey.
			Defaults: map[string]string{"avg": "model", "opt": "adam", "lr": "0.001"}},
	})
}

// encoderOf returns the number of layers of the encoder: the decoder begins after the narrowest one.
func encoderOf(inner []int) int { return slices.Index(inner, slices.Min(inner)) + 1 }

// codeText is the text of the layers.
func codeText(v param.Values) string {
	inner := widths(v, &fieldCode)
	encoder := encoderOf(inner)
	text := denseText(inner[:encoder]) + "-code"
	if decoder := denseText(inner[encoder:]); decoder != "" {
		text += "-" + decoder
	}
	return text
}

var fieldCode = param.Field{Name: "code", Label: "Inner layers", Section: param.Models, Kind: param.Numbers, MinCount: 1,
	Whole: true, Min: 1, Max: 2000, Default: "64,16,64", Advanced: true,
	Doc: "The width of each layer between a sample and its copy. CLoVE's paper has " + PaperCode + "."}

// PaperCode are the inner widths of CLoVE's autoencoder for MNIST, with
// 2,000,964 parameters: the setting "code" of that experiment.
const PaperCode = "784,392,196,392,784"
