package model

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "linear",
			Title:  "Linear regression",
			Doc:    "Predicts a number as a weighted sum of all inputs. The loss is the mean squared error.",
			Paper:  registry.CLoVE.At("appendix C.1.1"),
			Fields: []param.Field{fieldBias},
		},
		Make: Spec{Task: Regression, Make: func(v param.Values, in Samples) (*Network, error) {
			layers := []stage{{&dense{in.Size(), 1, v.Switch("bias")}, identity}}
			return newNetwork(Regression, in.Shape, 0, layers), nil
		}},
	})
}

var fieldBias = param.Field{Name: "bias", Label: "Constant term", Section: param.Models, Kind: param.Switch,
	Default: "0", Advanced: true,
	Doc: "Add a constant to the weighted sum. CLoVE's mixture of regressions has none."}
