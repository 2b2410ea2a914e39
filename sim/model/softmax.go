package model

import (
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:  "softmax",
			Title: "Softmax regression",
			Doc:   "One layer: each class has a weighted sum of all inputs, and the largest sum wins. Its loss is convex, so the start matters little.",
			Paper: registry.Citation{Authors: "Li, Sahu, Zaheer, Sanjabi, Talwalkar, Smith",
				Given: "Tian, Anit Kumar, Manzil, Maziar, Ameet, Virginia",
				Title: "Federated Optimization in Heterogeneous Networks",
				Venue: "MLSys", Year: 2020, URL: "https://arxiv.org/abs/1812.06127",
				Where: "section 5.1"},
		},
		Make: Spec{Task: Classification, Make: func(_ param.Values, in Samples) (*Network, error) {
			return perceptron(in, nil), nil
		}, Text: fixed("")},
	})
}
