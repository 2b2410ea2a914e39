package method

import (
	"slices"

	"flockscope/sim/param"
)

// fieldMean sets the weight of a client in the mean of a model. Every method that averages reads it. The rule of a
// method's paper is in its [registry.Meta] and in its call of [Counts].
var fieldMean = param.Field{Name: "mean", FormerNames: []string{"protomean"}, Label: "Clients count by",
	Section: param.Models, Kind: param.Choice, Default: "paper", PerLane: true, Advanced: true,
	Options: []param.Option{
		{Name: "paper", Title: "as in the method's paper",
			Doc: "The table of methods in the README says which."},
		{Name: "samples", Title: "their samples",
			Doc: "A client counts as many times as it has samples: the mean of models is that of all samples."},
		{Name: "clients", Title: "clients, all equally",
			Doc: "Every client counts once, however many samples it has."},
		{Name: "weight", Title: "samples × weight of the model",
			Doc: "Clients count by how much they use the model. A client of one model has weight 1 for it."}},
	Doc: "What a client's update weighs in the mean of its model. " +
		"It matters where clients have different numbers of samples."}

// Counting defines the weight of a client in the mean of a model.
type Counting struct {
	Samples bool // the number of samples n_i; otherwise 1
	Weight  bool // multiplied by its weight for the model, in methods with several models per client
	unit    unit
}

// unit is the weight of a client if all have the same number of samples. The mean is the same up to rounding; each
// method keeps its unit so that old links give the same bits.
type unit uint8

const (
	OneClient   unit = iota // 1
	ManySamples             // n_i
)

// The rules of the papers.
var (
	BySamples = Counting{Samples: true}
	ByClients = Counting{}
	ByWeight  = Counting{Samples: true, Weight: true}
)

// Counts reads the setting; paper is the default rule, that of the method's paper.
func Counts(v param.Values, paper Counting, u unit) Counting {
	c := paper
	switch v.Text("mean") {
	case "samples":
		c = BySamples
	case "clients":
		c = ByClients
	case "weight":
		c = ByWeight
	}
	c.unit = u
	return c
}

// Of returns the weight of each client, without its weight for a model; samples are the n_i.
func (c Counting) Of(samples []int) []float64 {
	out := make([]float64, len(samples))
	equal := slices.Max(samples) == slices.Min(samples)
	for i, n := range samples {
		if out[i] = 1; equal && c.unit == ManySamples || !equal && c.Samples {
			out[i] = float64(n)
		}
	}
	return out
}
